// The lines that deploy/install.sh writes into /etc/caddy/Caddyfile, taken out again. Other sites stay as they are.
const comment = /^# The shop’s site is in lectern\.Caddyfile\.\n?/m
/** install.sh writes an empty line before it where there are other sites. */
const importLine = /(?<=\n)\nimport lectern\.Caddyfile\n?|^import lectern\.Caddyfile\n?/m

export function withoutShop(caddyfile: string): string {
  return caddyfile.replace(importLine, '').replace(comment, '')
}
