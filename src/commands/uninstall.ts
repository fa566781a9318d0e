// `lectern uninstall`, as root: takes away what install.sh has put on the server, and leaves the data.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs, promisify } from 'node:util'
import { withoutShop } from './caddyfile.ts'
import { home, prefix, requireServer, unitFiles } from './server.ts'
import { fail } from './shell.ts'

const run = promisify(execFile)
const site = '/etc/caddy/lectern.Caddyfile'
const caddyfile = '/etc/caddy/Caddyfile'
const command = '/usr/local/bin/lectern'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } })
  requireServer()
  const stays = `Settings and data stay in ${home}, with the backups in it. So do the user lectern, Caddy and npm.`
  if (!values.yes)
    throw new Error(
      `This stops the shop and removes ${prefix}, ${unitFiles.join(', ')}, ${site} and ${command}. ${stays}\nNothing was changed. Run it again with --yes to do so.`,
    )
  await run('systemctl', ['disable', 'lectern'])
  // The shop stops with it.
  await run('systemctl', ['stop', 'lectern.socket'])
  for (const file of unitFiles) rmSync(file)
  await run('systemctl', ['daemon-reload'])
  if (existsSync(caddyfile)) writeFileSync(caddyfile, withoutShop(readFileSync(caddyfile, 'utf8')))
  rmSync(site, { force: true })
  // A Caddyfile without a site stops nothing: Caddy keeps the certificate for the next time.
  await run('systemctl', ['reload', 'caddy']).catch(() => run('systemctl', ['stop', 'caddy']))
  rmSync(command, { force: true })
  rmSync(prefix, { recursive: true, force: true })
  console.log(`Lectern is removed. ${stays} install.sh with the package opens the same shop again.`)
}

await main().catch(fail)
process.exit(0)
