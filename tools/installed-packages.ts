// A bundle may import what npm installs with the package, and nothing else: a checkout has more, and would hide it.
import { isBuiltin } from 'node:module'
import type { Plugin, Rolldown } from 'vite'
import packageJson from '../package.json' with { type: 'json' }

const installed = Object.keys({ ...packageJson.dependencies, ...packageJson.optionalDependencies })

/** Libraries ask for these where they are installed, and go on without. */
const optional = ['pg-cloudflare', 'pg-native', 'supports-color']

export const installedPackagesOnly: Plugin = {
  name: 'installed-packages-only',
  apply: 'build',
  generateBundle(_, bundle) {
    const known = this.environment.name === 'ssr' ? isInstalled : () => false
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const complaints = chunks.flatMap((chunk) =>
      externalsOf(chunk)
        .filter((name) => !(name in bundle) && !known(name))
        .map((name) => `${chunk.fileName} imports ${name}`),
    )
    if (complaints.length > 0)
      this.error(
        `${complaints.join(', ')}: not installed with the package. Bundle it or list it in dependencies.`,
      )
  },
}

function externalsOf({ imports, dynamicImports, code }: Rolldown.OutputChunk): string[] {
  const required = [...code.matchAll(/\b__require\("([^"]+)"\)/g)].flatMap(([, name]) => name ?? [])
  return [...imports, ...dynamicImports, ...required]
}

/** Also of a file within a package. */
function isInstalled(name: string): boolean {
  const isOf = (each: string) => name === each || name.startsWith(`${each}/`)
  return isBuiltin(name) || [...installed, ...optional].some(isOf)
}
