// Names that say nothing to who reads them for the first time: docs of the field have a word for each.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from './run.ts'

/** Of variables, parameters, functions and types, in any case. Fields of the wire keep their names. */
const refused: Record<string, string> = {
  'asked|given|wanted|found|made': 'name the thing: request, input, row, result, order',
  needs: 'the type of the shop of the domain, or the parameters',
  'list_?needs|count_?needs': 'attention items',
  misfit: 'mismatch',
  letterhead: 'mail branding',
  'take_?hit|release_?hit|spend': 'consumeLimit, releaseLimit',
  'get_?soon': 'getOrStale',
  'bring_?forward': 'reschedule',
  'see_?places|needed_?name|overwrite_?refused|no_?record': 'backup targets',
  'use_?lead_?to|go_?and_?pay': 'redirect to the checkout',
  'in_?words_?of_?book|without_?empty_?shelf': 'localize, hideEmptySection',
  'is_?well_?packed|repack': 'isOcfConformant',
  'list_?unready|unrehearsed': 'say what is missing',
  'visit_?unhurried': 'visitHydrated',
}
const patterns = Object.entries(refused).map(
  ([words, instead]) => [new RegExp(`^(?:${words})$`, 'i'), instead] as const,
)

type Named = { type: string; name: string }

/** Identifiers that a pattern binds; a property keeps the name of the object that it is taken from. */
function boundIn(pattern: unknown): Named[] {
  const node = pattern as { type?: string; elements?: unknown[]; left?: unknown; argument?: unknown } & Named
  if (node?.type === 'Identifier') return [node]
  if (node?.type === 'ArrayPattern') return (node.elements ?? []).flatMap(boundIn)
  if (node?.type === 'AssignmentPattern') return boundIn(node.left)
  return []
}

export function findNames(path: string, source: string): string[] {
  const names: string[] = []
  const add = (bound: readonly { name: string }[]) => names.push(...bound.map(({ name }) => name))
  const ofFunction = ({ id, params }: { id?: Named | null; params: readonly unknown[] }) =>
    add([...(id ? [id] : []), ...params.flatMap(boundIn)])
  new Visitor({
    VariableDeclarator: ({ id }) => add(boundIn(id)),
    FunctionDeclaration: (node) => ofFunction(node),
    FunctionExpression: (node) => ofFunction(node),
    ArrowFunctionExpression: (node) => ofFunction(node),
    TSTypeAliasDeclaration: ({ id }) => add([id]),
  }).visit(parseSync(path, source).program)
  return names
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = globSync('src/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.*', '**/generated/**'],
  })
  for (const path of files)
    for (const name of findNames(path, readFileSync(join(root, path), 'utf8')))
      for (const [pattern, instead] of patterns)
        if (pattern.test(name)) {
          console.error(`${path} names something "${name}": ${instead}`)
          process.exitCode = 1
        }
}
