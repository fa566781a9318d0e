// Pages, while PostgreSQL says nothing for a minute: visitors notice nothing, and nothing piles up.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { memoryOf } from '../../memory-of.ts'
import { processesIn, signalAll } from '../../postgres-owner.ts'
import { startShop } from '../../running-shop.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const frozenMs = 60_000
const maxPageMs = 100
const maxReadyMs = 1_000
const maxGrowthMb = 100
const paths = ['/', '/auth', '/preview', '/nowhere', '/api/products', '/favicon.ico']

export const scenario: Scenario = {
  fault: 'pages while PostgreSQL is stopped (SIGSTOP) for 60 s',
  rounds: 1,
  buyers: 8,
  run,
}

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using shop = await startShop(dataDir, { env: { DATABASE_URL: postgres.url } })
  await using database = openDatabase(postgres.url, { max: 1 })
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const recoveries: number[] = []
  const pages: Request[] = []
  const ready: Request[] = []
  const growths: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    for (const path of paths) await ask(shop.url + path)
    await sleep(2_000)
    const stopped = processesIn(join(dataDir, 'postgres/cluster'))
    const before = memoryOf(shop.pid())
    signalAll(stopped, 'SIGSTOP')
    try {
      const end = Date.now() + frozenMs
      const visits = visit(shop.url, end)
      while (Date.now() < end) {
        ready.push(await ask(`${shop.url}/api/ready`))
        await sleep(1_000)
      }
      pages.push(...(await visits))
      growths.push(memoryOf(shop.pid()) - before)
    } finally {
      signalAll(stopped, 'SIGCONT')
    }
    recoveries.push(await sale.untilSold())
  }
  await sale.finish()
  const outageLines = countOutageLines(dataDir)
  const exitCode = await shop.stop()
  const found = await sale.audit(database, [200, 201, 503])
  // What is asked as the freeze begins may be answered by what had come before.
  const tooReady = ready.slice(1).filter(({ status }) => status !== 503).length
  return {
    ...found,
    recoveries,
    figures: {
      ...found.figures,
      'pages served while frozen': pages.length,
      'milliseconds that half of the pages took': percentile(pages, 50),
      'milliseconds that 95 of 100 pages took': percentile(pages, 95),
      'milliseconds that 99 of 100 pages took': percentile(pages, 99),
      'milliseconds that the slowest page took': slowest(pages),
      'milliseconds that the slowest /api/ready took': slowest(ready),
      'MB by which the shop grew while frozen': Math.max(...growths),
      'log lines about the outage': outageLines,
    },
    violations: {
      ...found.violations,
      [`milliseconds over ${maxPageMs} that 95 of 100 pages took`]: Math.max(
        0,
        percentile(pages, 95) - maxPageMs,
      ),
      'pages that took over a second': pages.filter(({ ms }) => ms > 1_000).length,
      'pages that were not served': pages.filter(({ status }) => ![200, 404].includes(status)).length,
      [`times that /api/ready took over ${maxReadyMs} ms`]: ready.filter(({ ms }) => ms > maxReadyMs).length,
      'times that /api/ready did not say 503': tooReady,
      [`MB by which the shop grew over ${maxGrowthMb}`]: Math.max(
        0,
        ...growths.map((mb) => mb - maxGrowthMb),
      ),
      'log lines over one a minute': Math.max(0, outageLines - rounds * (1 + Math.ceil(frozenMs / 60_000))),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

type Request = { ms: number; status: number }

async function ask(url: string): Promise<Request> {
  const since = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  return { ms: Math.round(performance.now() - since), status: response.status }
}

async function visit(url: string, end: number): Promise<Request[]> {
  const requests: Request[] = []
  while (Date.now() < end) {
    for (const path of paths) requests.push(await ask(url + path))
    await sleep(50)
  }
  return requests
}

/** The buyers and the visitor share the machine with the shop, and delay some. */
function percentile(requests: readonly Request[], percent: number): number {
  const times = requests.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return times[Math.floor((times.length * percent) / 100)] ?? 0
}

const slowest = (requests: readonly Request[]) => Math.max(...requests.map(({ ms }) => ms))

function countOutageLines(dataDir: string): number {
  const lines = readFileSync(join(dataDir, 'server.log'), 'utf8').split('\n')
  return lines.filter((line) => line.includes('the database is away')).length
}
