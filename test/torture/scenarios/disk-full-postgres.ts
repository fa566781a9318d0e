// The disk of the embedded PostgreSQL is full, while people buy, at a start and at a restore. With room again the running
// shop starts PostgreSQL by itself where it died; a shop that could not start has to be started again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { startShop } from '../../running-shop.ts'
import { openSmallDisk, smallDiskNeeds } from '../../small-disk.ts'
import { startProcess } from '../../start-process.ts'
import { openErrands } from '../errands.ts'
import { openSale, type Sale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const megabyte = 1024 * 1024
/** Too little to create PostgreSQL's files, to start it, and to load the backup. */
const tooLittle = [20, 36, 44].map((count) => count * megabyte)
const maxFillMs = 60_000

export const scenario: Scenario = {
  fault: 'disk of PostgreSQL full',
  rounds: 3,
  buyers: 4,
  needs: smallDiskNeeds,
  run: fillDisk,
}

async function fillDisk({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using disk = openSmallDisk(join(dataDir, 'postgres'), 256 * megabyte)!
  await using undo = new AsyncDisposableStack()
  let shop = undo.use(await startShop(dataDir))
  const { url } = shop
  const port = Number(new URL(url).port)
  const sale = await openSale({ url, buyers, seed, dataDir })
  const errands = openErrands(url, sale)
  const problems = await errands.backUp()
  const wrongs: string[] = problems?.length === 0 ? [] : [`no backup: ${JSON.stringify(problems)}`]
  const log = () => readFileSync(join(dataDir, 'server.log'), 'utf8')

  const recoveries: number[] = []
  const startMs: number[] = []
  for (let round = 1; round <= rounds; round++) {
    disk.fill()
    await untilNothingIsSold(sale)
    await sleep(3_000)
    disk.makeRoom()
    recoveries.push(await sale.untilSold(Date.now()))

    await shop.stop()
    disk.fill()
    const before = log().length
    const started = await startShop(dataDir, { port }).catch(() => undefined)
    const lines = log().slice(before)
    if (!started && !/no space left|no room left/i.test(lines))
      wrongs.push(`start on a full disk: ${lines.slice(-300)}`)
    await started?.stop()
    disk.makeRoom()
    const since = Date.now()
    shop = undo.use(await startShop(dataDir, { port }))
    startMs.push(await sale.untilSold(since))
    wrongs.push(...(await restoreElsewhere(dataDir, tooLittle[(round - 1) % tooLittle.length]!)))
    console.log(
      `${String(round).padStart(3)}  sold again after ${recoveries.at(-1)} ms; ` +
        `${started ? 'started' : 'refused to start'} on a full disk, started again and sold after ${startMs.at(-1)} ms`,
    )
  }
  await sale.finish()
  const exitCode = await shop.stop()
  for (const wrong of wrongs) console.log(`     ${wrong}`)

  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  const found = await sale.audit(database, [0, 200, 201, 202, 503])
  return {
    ...found,
    recoveries,
    figures: {
      ...found.figures,
      'times that PostgreSQL died and was started again': log().split('PostgreSQL has died').length - 1,
      'most milliseconds from a start with room to a sale': Math.max(...startMs),
    },
    violations: {
      ...found.violations,
      'outcomes other than expected': wrongs.length,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

/** PostgreSQL reuses what it has for a while. */
async function untilNothingIsSold({ ledger }: Sale): Promise<void> {
  const deadline = Date.now() + maxFillMs
  for (let sold = -1; sold !== ledger.acknowledged.size && Date.now() < deadline;) {
    sold = ledger.acknowledged.size
    await sleep(1_500)
  }
}

/** On a machine that has nothing yet, and too little room at first. */
async function restoreElsewhere(dataDir: string, left: number): Promise<string[]> {
  const folder = join(dataDir, 'elsewhere')
  await using disk = openSmallDisk(join(folder, 'postgres'), 256 * megabyte)!
  disk.fill(left)
  const refused = await restore(join(dataDir, 'backups'), folder)
  disk.makeRoom()
  const restored = await restore(join(dataDir, 'backups'), folder)
  const isClear = refused.code === 1 && /no space left|no room left/i.test(refused.stderr)
  console.log(`     restore with ${left / megabyte} MB: ${refused.stderr.trim().slice(-160)}`)
  return [
    ...(isClear ? [] : [`restore with ${left} bytes: ${JSON.stringify(refused)}`]),
    ...(restored.code === 0 ? [] : [`restore with room: ${JSON.stringify(restored)}`]),
  ]
}

async function restore(source: string, folder: string) {
  const program = ['dist/server/lectern.js', 'restore', source, '--yes']
  const { code, stderr } = await startProcess(process.execPath, program, { env: { DATA_DIR: folder } }).ended
  return { code, stderr: stderr.slice(-500) }
}
