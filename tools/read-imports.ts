// Every import of the sources, types included, and what it leads to: a file of the project, or a package by its name.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, type EcmaScriptModule } from 'oxc-parser'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './run.ts'

export type Import = { from: string; to: string; isType: boolean }

const aliases = Object.entries(packageJson.imports).map(([name, path]) => [
  name.slice(0, -1),
  path.slice(2, -1),
])

/** `folder` and all paths from the project's root. */
export function readImports(folder: string): Import[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).flatMap((from) => {
    const source = readFileSync(join(root, from), 'utf8')
    return importsOf(parseSync(from, source).module, source).map(({ name, isType }) => ({
      from,
      to: resolve(name, dirname(from)),
      isType,
    }))
  })
}

function importsOf(module: EcmaScriptModule, source: string): { name: string; isType: boolean }[] {
  const imports = module.staticImports.map(({ moduleRequest, entries }) => ({
    name: moduleRequest.value,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? { name: moduleRequest.value, isType } : [],
    ),
  )
  const dynamic = module.dynamicImports
    .map(({ moduleRequest: { start, end } }) => /^['"](.+)['"]$/.exec(source.slice(start, end))?.[1])
    .flatMap((name) => (name === undefined ? [] : { name, isType: false }))
  return [...imports, ...exports, ...dynamic]
}

function resolve(name: string, folder: string): string {
  const path = name.replace(/\?.*$/, '')
  if (path.startsWith('.')) return join(folder, path)
  const alias = aliases.find(([start = '']) => path.startsWith(start))
  if (alias) return path.replace(alias[0] ?? '', alias[1] ?? '')
  return path.replace(/^@lectern\//, 'packages/')
}
