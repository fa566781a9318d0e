// `npm run check`: all that a machine can say about the sources. Every step runs, so that all complaints come at once.
import { makeAssets } from './assets.ts'
import { run } from './run.ts'

/** All at once: most have stretches that use one core only. */
const steps: [command: string, ...args: string[]][] = [
  ['tsc', '--noEmit'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['oxfmt', '--check'],
  ['node', 'tools/check-imports.ts'],
  ['node', 'tools/check-sql.ts'],
  ['node', 'tools/check-tables.ts'],
  ['node', 'tools/check-words.ts'],
  ['node', 'tools/check-jsx.ts'],
  ['node', 'tools/check-files.ts'],
  ['node', 'tools/import-graph.ts', '--check'],
  ['node', 'tools/migrations/generate.ts', '--check'],
  ['knip'],
]

await makeAssets()
const failed: string[] = []
// The others read the types that it writes.
await check('react-router', 'typegen')
await Promise.all(steps.map((step) => check(...step)))
if (failed.length > 0) {
  console.error(`\nNot in order: ${failed.join(', ')}`)
  process.exit(1)
}

async function check(command: string, ...args: string[]): Promise<void> {
  if ((await run(command, args, { isPrintedAtEnd: true })) !== 0) failed.push(command)
}
