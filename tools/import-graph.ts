// `npm run graph` draws the imports between the layers into docs/architecture.md. With `--check` it only says whether the
// drawing is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { layerOf, layers } from './layers.ts'
import { readImports } from './read-imports.ts'
import { root } from './run.ts'

const file = join(root, 'docs/architecture.md')
const [start, end] = ['<!-- import graph -->', '<!-- end of import graph -->']

/** What stands above all layers, by the first folder. */
const top: Record<string, string> = { web: 'web', pages: 'pages' }
const boxes = [...layers, 'pages', 'web', 'app']

type Graph = Map<string, Set<string>>

function boxOf(path: string): string | undefined {
  if (!path.startsWith('src/')) return undefined
  return layerOf(path) ?? top[path.split('/')[1] ?? ''] ?? 'app'
}

function readGraph(): Graph {
  const graph: Graph = new Map(boxes.map((box) => [box, new Set()]))
  for (const { from, to, isType } of readImports('src')) {
    const [box, other] = [boxOf(from), boxOf(to)]
    if (!box || !other || box === other || /\.test\.tsx?$/.test(from)) continue
    // The web takes the types of the API from the server.
    if (box === 'web' && isType && other !== 'contract') continue
    graph.get(box)?.add(other)
  }
  return graph
}

function reaches(graph: Graph, from: string, to: string, seen = new Set<string>()): boolean {
  return [...(graph.get(from) ?? [])].some((next) => {
    if (next === to) return true
    if (seen.has(next)) return false
    seen.add(next)
    return reaches(graph, next, to, seen)
  })
}

/** Arrows that follow from others are left out. */
function draw(graph: Graph): string {
  const arrows = [...graph].flatMap(([from, all]) => {
    const back = [...all].find((to) => reaches(graph, to, from))
    if (back) throw new Error(`${from} and ${back} import each other`)
    const direct = [...all].filter(
      (to) => ![...all].some((other) => other !== to && reaches(graph, other, to)),
    )
    return direct.toSorted().map((to) => `  ${from} --> ${to}`)
  })
  return ['```mermaid', 'flowchart TD', ...arrows.toReversed(), '```'].join('\n')
}

const text = readFileSync(file, 'utf8')
const [before, after] = [text.indexOf(start), text.indexOf(end)]
if (before < 0 || after < before) throw new Error(`${file} has no place for the import graph`)
const drawn = `${text.slice(0, before)}${start}\n\n${draw(readGraph())}\n\n${text.slice(after)}`
if (!process.argv.includes('--check')) writeFileSync(file, drawn)
else if (drawn !== text) {
  console.error('docs/architecture.md shows an older import graph: run `npm run graph`.')
  process.exit(1)
}
