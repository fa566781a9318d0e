// `npm run graph` draws the imports between the features into docs/architecture.md. With `--check` it only says
// whether the drawing is up to date. Imports of contracts and schemas, which any feature may read, are left out.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readImports } from './read-imports.ts'
import { root } from './run.ts'

const file = join(root, 'docs/architecture.md')
const [start, end] = ['<!-- import graph -->', '<!-- end of import graph -->']

type Graph = Map<string, Set<string>>

/** Undefined for what belongs to no feature. */
function featureOf(path: string): string | undefined {
  return /^src\/domains\/([^/]+)\//.exec(path)?.[1]
}

const isRead = /\.test\.tsx?$/

function readGraph(): Graph {
  const graph: Graph = new Map()
  for (const { from, to } of readImports('src')) {
    const [feature, other] = [featureOf(from), featureOf(to)]
    if (!feature || isRead.test(from)) continue
    const others = graph.get(feature) ?? new Set()
    if (other && other !== feature && !isRead.test(to)) others.add(other)
    graph.set(feature, others)
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

/** Arrows that follow from others are left out. Throws where two features import each other. */
function draw(graph: Graph): string {
  const features = [...graph.keys()].toSorted()
  const arrows = features.flatMap((from) => {
    const all = [...(graph.get(from) ?? [])].toSorted()
    const back = all.find((to) => reaches(graph, to, from))
    if (back) console.error(`${from} and ${back} import each other`)
    const direct = all.filter((to) => !all.some((other) => other !== to && reaches(graph, other, to)))
    return direct.map((to) => `    ${from} --> ${to}`)
  })
  return [
    '```mermaid',
    'flowchart TD',
    '  app["main · app · shop · jobs"] --> pages & features',
    '  web["web (React)"] -. "contracts and types" .-> features',
    '  pages --> features',
    '  subgraph features',
    ...features.map((name) => `    ${name}`),
    ...arrows,
    '  end',
    '  features --> platform["platform"]',
    '```',
  ].join('\n')
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
