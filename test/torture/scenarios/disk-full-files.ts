// The disk of uploads, ebooks, emails, backups and the log is full; the database is on another. The shop sells, and says what
// it cannot store. With room again everything goes on, without a restart.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { startShop } from '../../running-shop.ts'
import { openSmallDisk, smallDiskNeeds } from '../../small-disk.ts'
import { openErrands, type Outcome } from '../errands.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const megabyte = 1024 * 1024
const full = 'There is no room left on the disk.'

export const scenario: Scenario = {
  fault: 'disk of files, emails, backups and log full',
  rounds: 3,
  buyers: 3,
  needs: smallDiskNeeds,
  run: fillDisk,
}

async function fillDisk({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const folder = join(dataDir, 'shop')
  await using disk = openSmallDisk(folder, 256 * megabyte)!
  await using _postgresDisk = openSmallDisk(join(folder, 'postgres'), 512 * megabyte)!
  await using undo = new AsyncDisposableStack()
  let shop = undo.use(await startShop(folder))
  const { url } = shop
  const port = Number(new URL(url).port)
  const sale = await openSale({ url, buyers, seed, dataDir: folder })
  const errands = openErrands(url, sale)
  const wrongs: string[] = []
  const expect = (isRight: boolean, what: string, found: unknown) => {
    if (!isRight) wrongs.push(`${what}: ${JSON.stringify(found)}`)
  }
  const isFull = ({ status, code }: Outcome) => status === 503 && code === 'server.full'

  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const { place } = await errands.beginUpload()
    const whole = (await errands.beginUpload()).place
    await errands.sendUpload(whole)
    disk.fill()
    const sellsWhileFull = await sale.untilSold()
    const ready = await fetch(`${url}/api/ready`)
    expect(ready.status === 503 && (await ready.text()).includes('full'), 'readiness', ready.status)
    const refused = [
      await errands.beginUpload(),
      await errands.sendUpload(place),
      await errands.addEdition(whole),
    ]
    expect(refused.every(isFull), 'uploads are refused', refused)
    const failed = await errands.backUp()
    expect(failed?.length === 1 && failed[0] === full, 'the backup fails', failed)
    // Emails cannot be stored meanwhile.
    await sleep(3_000)
    expect((await shop.stop()) === 0, 'the shop stops', 'another exit code')
    shop = undo.use(await startShop(folder, { port, readyPath: '/api/health' }))
    const afterStart = await sale.untilSold()
    disk.makeRoom()
    const since = Date.now()
    recoveries.push(await sale.untilSold(since))
    const isReady = await fetch(`${url}/api/ready`)
    expect(isReady.ok, 'ready with room', isReady.status)
    const taken = [
      await errands.sendUpload(place),
      await errands.addEdition(place),
      await errands.addEdition(whole),
    ]
    expect(
      taken.every(({ status }) => status < 300),
      'uploads go on',
      taken,
    )
    const problems = await errands.backUp()
    expect(problems?.length === 0, 'the backup succeeds', problems)
    console.log(
      `${String(round).padStart(3)}  full: sold after ${sellsWhileFull} ms, started on a full disk: after ${afterStart} ms`,
    )
  }
  await sale.finish()
  const exitCode = await shop.stop()
  for (const wrong of wrongs) console.log(`     ${wrong}`)

  await using postgres = await startEmbeddedPostgres({ dataDir: folder, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  const found = await sale.audit(database, [0, 200, 201, 202, 503])
  return {
    ...found,
    recoveries,
    violations: {
      ...found.violations,
      'outcomes other than expected': wrongs.length,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}
