// The islands of the site, bundled apart from the app's pages, and what a page has to know of them.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { build, type Plugin, type UserConfig } from 'vite'
import { root } from './run.ts'

const suffix = /\.island\.tsx?$/
const loader = 'src/web/site/loader.ts'
/** Where they wait for the build of the pages, which empties `dist`. */
export const islandsDist = join(root, 'src/web/generated/islands')

const islands = globSync('src/web/site/**/*.island.{ts,tsx}', { cwd: root })
  .toSorted()
  .map((source) => ({ name: basename(source).replace(suffix, ''), source }))

/** What pages of purchases share, and the home page has no use for. */
const ofPurchases =
  /src\/(web\/(purchase\/acknowledgement|format\/format|page\/message|site\/purchase\/read-purchase|save-file)\.tsx?|words\/(account|dashboard|gift|withdraw)\.ts)$/

const ofSignIn = /src\/web\/(session\/device-id|forms\/typed-email)\.ts$/

export const islandsBuild: UserConfig['build'] = {
  outDir: islandsDist,
  emptyOutDir: true,
  modulePreload: false,
  assetsInlineLimit: 0,
  license: { fileName: 'licenses.txt' },
  rolldownOptions: {
    input: islands.map(({ source }) => source),
    preserveEntrySignatures: 'exports-only',
    output: {
      codeSplitting: {
        groups: [
          // What the header needs without React.
          {
            name: 'session',
            test: /src\/web\/(session\/session|page\/page-state|notices\/stored-notice)\.ts$/,
          },
          // What nearly every island needs, with React: each file costs a request. Then fields and icons that most do
          // without, what pages of a purchase share, what the sign-in shares with them, and what buying does.
          {
            name: 'site',
            test: /src\/(?!web\/components\/further-)|node_modules\/|rolldown/,
            minShareCount: 3,
          },
          { name: 'further', test: /src\/web\/components\/further-/, minShareCount: 2 },
          { name: 'purchases', test: ofPurchases, minShareCount: 2 },
          { name: 'sign-in', test: ofSignIn, minShareCount: 2 },
          {
            name: 'buying',
            test: /src\/(?!web\/session\/accounts|web\/forms\/honeypot|words\/auth|contract\/next-path)/,
            minShareCount: 2,
          },
        ],
      },
    },
  },
}

/** `later`: what else each file needs that an island imports later, by the file's name. */
type Described = { files: string; later: Record<string, string>; texts: string[] }
type Built = { loader: string; islands: Record<string, Described> }

const facts = 'islands.json'

/** Writes what `virtual:islands` has beside the bundle. */
export const describeIslands: Plugin = {
  name: 'describe-islands',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
    const entry = (source: string) => {
      const found = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, source))
      if (!found) throw new Error(`${source} is in no chunk.`)
      return found
    }
    type Imports = 'imports' | 'dynamicImports'
    /** What it loads at once; with `dynamicImports` also what it may load later. */
    const filesOf = (file: string, kinds: Imports[], known = new Set<string>()): Set<string> => {
      const chunk = bundle[file]
      if (chunk?.type !== 'chunk' || known.has(file)) return known
      known.add(file)
      for (const each of kinds.flatMap((kind) => chunk[kind])) filesOf(each, kinds, known)
      return known
    }
    const textsOf = (file: string) => {
      const files = filesOf(file, ['imports', 'dynamicImports'])
      const modules = [...files].flatMap((each) => {
        const chunk = bundle[each]
        return chunk?.type === 'chunk' ? Object.keys(chunk.modules) : []
      })
      return modules.filter((id) => id.includes('/src/words/')).flatMap(namesIn)
    }
    const described = islands.map(({ name, source }) => {
      const { fileName } = entry(source)
      const files = filesOf(fileName, ['imports'])
      const all = [...filesOf(fileName, ['imports', 'dynamicImports'])]
      const later = all.flatMap((file) => {
        const chunk = bundle[file]
        if (chunk?.type !== 'chunk' || !chunk.isDynamicEntry || !chunk.facadeModuleId) return []
        const others = [...filesOf(file, ['imports'])].filter((each) => !files.has(each))
        return [[basename(chunk.facadeModuleId, extname(chunk.facadeModuleId)), addressesOf(others)] as const]
      })
      const texts = textsOf(fileName)
      return [name, { files: addressesOf(files), later: Object.fromEntries(later), texts }] as const
    })
    const built: Built = {
      loader: await bundleLoader(),
      islands: Object.fromEntries(described),
    }
    this.emitFile({ type: 'asset', fileName: facts, source: JSON.stringify(built) })
  },
}

/** A bundle of its own, since it stands inside the page: it shares no file with the islands. */
async function bundleLoader(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    envDir: false,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: loader, output: { format: 'iife' } } },
  })
  if (!('output' in built)) throw new Error(`${loader} is no single bundle.`)
  return built.output[0].code.trim()
}

const addressesOf = (files: Iterable<string>) => Array.from(files, (file) => `/${file}`).join(' ')

function namesIn(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/defineTexts\('(\w+)'/g), ([, name = '']) => name)
}

const virtual = 'virtual:islands'

/** For what renders the pages. */
export const islandsPlugin: Plugin = {
  name: 'islands',
  resolveId: (id) => (id === virtual ? `\0${virtual}` : undefined),
  load(id) {
    if (id !== `\0${virtual}`) return undefined
    const built = this.environment.mode === 'build' ? readBuilt() : inDevelopment()
    return Object.entries(built)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
}

function readBuilt(): Built {
  return JSON.parse(readFileSync(join(islandsDist, facts), 'utf8')) as Built
}

function inDevelopment(): Built {
  const words = readdirSync(join(root, 'src/words')).filter((file) => file.endsWith('.ts'))
  const texts = words.flatMap((file) => namesIn(join(root, 'src/words', file)))
  const described = islands.map(
    ({ name, source }) => [name, { files: `/${source}`, later: {}, texts }] as const,
  )
  return { loader: '', islands: Object.fromEntries(described) }
}
