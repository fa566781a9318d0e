// `npm run bench`: every figure against its bar, printed when it is measured and kept in bench/results.json.
// `-- --only home,start` measures some of them, `--quick` once each. The admin area's large shop is made first, which takes
// minutes and 6 GB: `--growth 10` makes it ten times the small one, not a hundred; `--desk-data FOLDER` keeps it.
// `--pending 2000` lets the reconciler ask about so many purchases only.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../tools/build.ts'
import { forgetEnvironment } from '../test/environment.ts'
import { isReached, type Figure } from './figure.ts'
import { lighthouse, weight } from './figures/browser.ts'
import { catalogueChanges } from './figures/catalogue-changes.ts'
import { downloads } from './figures/downloads.ts'
import { desk } from './figures/admin.ts'
import { exports } from './figures/exports.ts'
import { home, openapi, products } from './figures/pages.ts'
import { reconciler, webhooks } from './figures/payments.ts'
import { ownList, purchases } from './figures/purchases.ts'
import { signIns } from './figures/sign-ins.ts'
import { start } from './figures/start.ts'
import { sums } from './figures/sums.ts'
import { uploads } from './figures/uploads.ts'
import { forget, startShop, type Shop } from './processes.ts'

forgetEnvironment()
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    pending: { type: 'string', default: '100000' },
    growth: { type: 'string', default: '100' },
    'desk-data': { type: 'string' },
  },
})
const rounds = values.quick ? 1 : 3

const figures: Record<string, (shop: Shop) => Promise<Figure[]>> = {
  home: (shop) => home(shop, rounds),
  products: (shop) => products(shop, rounds),
  openapi: (shop) => openapi(shop, rounds),
  'catalogue-changes': (shop) => catalogueChanges(shop, rounds),
  purchases: (shop) => purchases(shop, rounds),
  webhooks: (shop) => webhooks(shop, rounds),
  reconciler: () => reconciler(Number(values.pending)),
  'sign-ins': (shop) => signIns(shop, rounds),
  'own-list': (shop) => ownList(shop, rounds),
  downloads: (shop) => downloads(shop, rounds),
  uploads: (shop) => uploads(shop, rounds),
  exports,
  sums: (shop) => sums(shop, rounds),
  desk: () => desk({ growth: Number(values.growth), folder: values['desk-data'], rounds }),
  start: () => start(rounds),
  weight,
  lighthouse: (shop) => lighthouse(shop, rounds),
}

ensureBuilt()
const wanted = values.only?.split(',') ?? Object.keys(figures)
const measured: Figure[] = []
for (const name of wanted) {
  const measure = figures[name]
  if (!measure) throw new Error(`There is no figure "${name}"; there are ${Object.keys(figures).join(', ')}.`)
  // A shop of its own each: what one figure leaves behind is none of the next one's business.
  const shop = await startShop()
  try {
    const figures = await measure(shop)
    for (const figure of figures) console.log(describe(figure))
    measured.push(...figures)
  } finally {
    await shop[Symbol.asyncDispose]()
    forget(shop)
  }
}

console.log(`${measured.filter(isReached).length} of ${measured.length} figures reach their bar.`)
if (!values.quick) keepResults()
process.exit(measured.every(isReached) ? 0 : 1)

function describe(figure: Figure): string {
  const bar = 'atLeast' in figure.bar ? `≥ ${figure.bar.atLeast}` : `≤ ${figure.bar.atMost}`
  const note = figure.note ? ` (${figure.note})` : ''
  return `${isReached(figure) ? 'ok  ' : 'MISS'} ${figure.name}: ${round(figure.measured)} ${figure.unit}, bar ${bar}${note}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Each figure with its day: what was not measured this time stays as it was. */
function keepResults(): void {
  const file = new URL('results.json', import.meta.url)
  const about = {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    load: round(loadavg()[0]!),
  }
  const before = JSON.parse(readFileSync(file, 'utf8')) as (Figure & typeof about)[]
  const now = measured.map((figure) => Object.assign(figure, about, { measured: round(figure.measured) }))
  const isNew = new Set(now.map(({ name }) => name))
  const kept = [...before.filter(({ name }) => !isNew.has(name)), ...now]
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}
