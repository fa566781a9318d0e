// `npm run bench`: every figure against its bar, printed as soon as it is measured and stored in bench/results.json.
// `-- --only home,start` measures some of them; `--quick` measures once and stores nothing. The large shop of `scale` has
// 1 million purchases; `--growth 1000` makes it 10 million, which takes 6 GB.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../tools/build.ts'
import { clearEnvironment } from '../test/environment.ts'
import { isReached, type Figure, type Measure } from './figure.ts'
import * as browser from './figures/browser.ts'
import * as files from './figures/files.ts'
import * as mails from './figures/mails.ts'
import * as pages from './figures/pages.ts'
import * as purchases from './figures/purchases.ts'
import * as scale from './figures/scale.ts'
import * as start from './figures/start.ts'

const figures: Record<string, Measure> = {
  ...pages,
  ...purchases,
  ...files,
  ...scale,
  ...start,
  ...mails,
  ...browser,
}

clearEnvironment()
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    growth: { type: 'string', default: '100' },
  },
})
const options = { rounds: values.quick ? 1 : 3, growth: Number(values.growth) }

ensureBuilt()
const measured: Figure[] = []
for (const name of values.only?.split(',') ?? Object.keys(figures)) {
  const measure = figures[name]
  if (!measure) throw new Error(`There is no figure "${name}"; there are ${Object.keys(figures).join(', ')}.`)
  for await (const figure of measure(options)) {
    console.log(describe(figure))
    measured.push(figure)
  }
}
console.log(`${measured.filter(isReached).length} of ${measured.length} figures reach their bar.`)
if (!values.quick) storeResults()
process.exit(measured.every(isReached) ? 0 : 1)

function describe(figure: Figure): string {
  const bar = 'atLeast' in figure.bar ? `≥ ${figure.bar.atLeast}` : `≤ ${figure.bar.atMost}`
  const note = figure.note ? ` (${figure.note})` : ''
  return `${isReached(figure) ? 'ok  ' : 'MISS'} ${figure.name}: ${round(figure.measured)} ${figure.unit}, bar ${bar}${note}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** With `--only`, the others keep what was measured before. */
function storeResults(): void {
  const file = new URL('results.json', import.meta.url)
  const date = new Date().toISOString().slice(0, 10)
  const about = { date, cores: availableParallelism(), load: round(loadavg()[0] ?? 0) }
  const before: Figure[] = values.only ? JSON.parse(readFileSync(file, 'utf8')) : []
  const others = before.filter(({ name }) => measured.every((figure) => figure.name !== name))
  const now = measured.map((figure) => Object.assign(figure, { measured: round(figure.measured) }, about))
  writeFileSync(file, `${JSON.stringify([...others, ...now], null, 2)}\n`)
}
