// A shop with a million orders and 2 GB of files is backed up alone, then anew while people buy, once more with nothing new,
// rehearsed, and restored on an empty machine. A round is 100,000 orders and 200 MB of files.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { resetPeak, memoryOf } from '../../memory-of.ts'
import { startShop, type RunningShop } from '../../running-shop.ts'
import { gatherCrowd, type Crowd } from '../crowd.ts'
import { startCommand } from '../killed-command.ts'
import { addFiles, fillShop, sendTimedBuyers } from '../large-shop.ts'
import { runByAuthor } from '../run-by-author.ts'
import { auditStatuses, type Findings, type Scenario, type ScenarioOptions } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'backed up while it sells, and restored',
  rounds: 10,
  buyers: 4,
  run: backUpLarge,
}

/** Seconds, MB and ratios. */
const bars = { backup: 300, memory: 150, p99: 3, again: 0.1, restore: 600 }
const calmMs = 20_000

async function backUpLarge({ dataDir, buyers, rounds }: ScenarioOptions): Promise<Findings> {
  await fillShop(dataDir, rounds * 100_000)
  await using shop = await startShop(dataDir)
  await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  await addFiles(dataDir, database, rounds * 4)
  const crowd = await gatherCrowd(shop.url, buyers)
  const sold = await measureBackups(shop, crowd, join(dataDir, 'backups'))
  const ids = await listPurchases(database)
  await shop.stop()
  const { restored, ...restore } = await restoreElsewhere(dataDir)
  const { figures, violations } = auditStatuses(crowd.statuses, [200, 201, 202, 401])
  return {
    acknowledged: sold.acknowledged.size,
    lost: ids.filter((id) => !restored.has(id)).length,
    doubled: restored.size - ids.length,
    recoveries: [],
    figures: { ...figures, ...figuresOf(sold, restore) },
    violations: {
      ...violations,
      'problems that the runs have found': sold.problems,
      ...missedBars(sold, restore),
    },
  }
}

type Measured = Awaited<ReturnType<typeof measureBackups>>
type Restore = { seconds: number; mb: number }

function figuresOf({ seconds, mb, calm, meanwhile }: Measured, restore: Restore): Findings['figures'] {
  return {
    'seconds of a first backup alone': seconds.alone,
    'seconds of a first backup while people buy': seconds.first,
    'seconds of a backup with nothing new': seconds.again,
    'seconds of the rehearsal': seconds.rehearsal,
    'seconds of the restore': restore.seconds,
    'MB of the idle shop': mb.idle,
    'MB above idle at most during the backup alone': mb.alone,
    'MB above idle at most while people buy': mb.buyers,
    'MB above idle at most while they buy and it is backed up': mb.both,
    'MB of the restore at most': restore.mb,
    'milliseconds of a purchase, p99': calm.p99,
    'milliseconds of a purchase, p99, during the backup': meanwhile.p99,
    'purchases during the backup': meanwhile.count,
  }
}

function missedBars({ seconds, mb, calm, meanwhile }: Measured, restore: Restore): Findings['violations'] {
  return {
    [`first backup over ${bars.backup} s`]: Number(seconds.first > bars.backup),
    [`memory of the backup over ${bars.memory} MB`]: Number(mb.alone > bars.memory),
    [`p99 during the backup over ${bars.p99} ×`]: Number(meanwhile.p99 > calm.p99 * bars.p99),
    [`backup with nothing new over ${bars.again * 100} %`]: Number(
      seconds.again > seconds.first * bars.again,
    ),
    [`restore over ${bars.restore} s`]: Number(restore.seconds > bars.restore),
  }
}

async function measureBackups(shop: RunningShop, crowd: Crowd, folder: string) {
  const { body: products } = await crowd.ask<{ id: string }[]>(crowd.author, '/api/products')
  await sleep(calmMs / 4)
  const idleMb = memoryOf(shop.pid())
  const peak = () => memoryOf(shop.pid(), 'VmHWM') - idleMb
  resetPeak(shop.pid())
  const alone = await run(crowd, 'backup')
  const aloneMb = peak()
  await rm(folder, { recursive: true })
  resetPeak(shop.pid())
  const buyers = sendTimedBuyers(crowd, products[0]!.id)
  await sleep(calmMs)
  const [calm, buyersMb] = [buyers.takeP99(), peak()]
  resetPeak(shop.pid())
  const first = await run(crowd, 'backup')
  const [meanwhile, bothMb] = [buyers.takeP99(), peak()]
  console.log(`     p99 of a purchase: ${calm.p99} ms, and ${meanwhile.p99} ms during the backup`)
  console.log(`     above idle: ${aloneMb} MB alone, ${buyersMb} MB buyers alone, ${bothMb} MB both`)
  await buyers.finish()
  // What was bought since; the next one has nothing new.
  const second = await run(crowd, 'backup')
  const again = await run(crowd, 'backup')
  const rehearsal = await run(crowd, 'rehearsal')
  const problems = [alone, first, second, again, rehearsal].flatMap((each) => each.problems).length
  return {
    acknowledged: buyers.acknowledged,
    seconds: {
      alone: alone.seconds,
      first: first.seconds,
      again: again.seconds,
      rehearsal: rehearsal.seconds,
    },
    mb: { idle: idleMb, alone: aloneMb, buyers: buyersMb, both: bothMb },
    calm,
    meanwhile,
    problems,
  }
}

/** Resolves when it has ended. */
async function run(crowd: Crowd, kind: 'backup' | 'rehearsal') {
  const { started_at, finished_at, problems } = await runByAuthor(crowd, kind)
  const seconds = Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 100) / 10
  console.log(`     ${kind}: ${seconds} s ${problems.join(' ')}`)
  return { seconds, problems }
}

async function restoreElsewhere(dataDir: string) {
  const elsewhere = join(dataDir, 'elsewhere')
  await mkdir(elsewhere)
  const since = Date.now()
  const command = startCommand(elsewhere, ['restore', join(dataDir, 'backups'), '--yes'])
  let mb = 0
  while (command.isRunning()) {
    mb = Math.max(mb, memoryOf(command.pid, 'VmHWM') || 0)
    await sleep(100)
  }
  const { code, stderr } = await command.ended
  if (code !== 0) throw new Error(`the restore ended with ${code}. ${stderr}`)
  const seconds = Math.round((Date.now() - since) / 1000)
  await using postgres = await joinEmbeddedPostgres({ dataDir: elsewhere, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  return { seconds, mb, restored: new Set(await listPurchases(database)) }
}

async function listPurchases({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from purchases')
  return rows.map(({ id }) => id)
}
