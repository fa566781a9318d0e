// `npm run check`: all that a machine can say about the sources. Every step runs, so that all complaints come at once.
import { makeAssets } from './assets.ts'
import { run } from './run.ts'

const steps: [command: string, ...args: string[]][] = [
  ['react-router', 'typegen'],
  ['tsc', '--noEmit'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['oxfmt', '--check'],
  ['node', 'tools/check-imports.ts'],
  ['node', 'tools/import-graph.ts', '--check'],
  ['knip'],
]

await makeAssets()
const failed: string[] = []
for (const [command, ...args] of steps) {
  if ((await run(command, args)) !== 0) failed.push(command)
}
if (failed.length > 0) {
  console.error(`\nNot in order: ${failed.join(', ')}`)
  process.exit(1)
}
