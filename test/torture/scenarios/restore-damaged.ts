// The shop is stopped and backed up, and one of its files is damaged in the backup. On its own machine, which has the file,
// and beside another intact copy, the restore must need nothing more. On an empty machine it must stop, change nothing and
// name the file; with --without-damaged-files it must bring back all the rest, and the shop there sells what is whole.
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { AttentionItem } from '#contract/payments/needs-attention.ts'
import type { Page } from '#contract/fields.ts'
import { findFreePort } from '../../find-free-port.ts'
import { startShop } from '../../running-shop.ts'
import { gatherCrowd } from '../crowd.ts'
import { countMissing, flipByte, listDamaged, readNewest } from '../damage.ts'
import { runBackup, startCommand, withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import { openSale, type Sale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'a restore with one damaged ebook',
  rounds: 4,
  buyers: 4,
  run: restoreDamaged,
}

const counted = ['stopped', 'changed', 'unnamed', 'refused', 'damaged', 'unsold', 'missing'] as const
const none = { stopped: 0, changed: 0, unnamed: 0, refused: 0, damaged: 0, unsold: 0, missing: 0 }
type Found = typeof none

async function restoreDamaged({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const port = await findFreePort()
  const start = () => startShop(dataDir, { port })
  let shop = await start()
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const random = createRandom(seed)
  const folder = join(dataDir, 'backups')
  const intact = join(dataDir, 'intact')
  const recoveries: number[] = []
  const found = { ...none }
  for (let round = 1; round <= rounds; round++) {
    await sleep(2_000)
    await shop.stop()
    await runBackup(dataDir)
    const sold = [...sale.ledger.acknowledged.values()].map(({ id }) => id)
    await cp(folder, intact, { recursive: true })
    const { files } = await readNewest(folder)
    const file = random.of(files.filter(({ name }) => name.startsWith('ebooks/')))
    const flipBack = await flipByte(folder, file.sha256, random)
    found.stopped += Number(!(await restore(dataDir, folder)).isDone)
    const backup = { folder, intact, name: file.name, sold }
    const each = [await besideCopy(dataDir, backup), await onEmpty(dataDir, backup, sale)]
    for (const name of counted) found[name] += each.reduce((sum, counts) => sum + (counts[name] ?? 0), 0)
    await flipBack()
    await rm(intact, { recursive: true })
    const since = Date.now()
    shop = await start()
    recoveries.push(await sale.untilSold(since))
    console.log(`${String(round).padStart(3)}  ${file.name}, sold again after ${recoveries.at(-1)} ms`)
  }
  await sale.finish()
  const exitCode = await shop.stop()
  const audited = await withDatabase(dataDir, (database) => sale.audit(database, [0, 200, 201, 401, 503]))
  // Those that were due when the backup was made are not sent after the restore.
  const { 'purchases without a receipt': unsent = 0, ...violations } = audited.violations
  return {
    ...audited,
    lost: audited.lost + found.missing,
    recoveries,
    figures: { ...audited.figures, 'receipts that were due before a restore': unsent },
    violations: {
      ...violations,
      'restores that failed beside an intact copy': found.stopped,
      'restores without the flag that changed something': found.changed,
      'damaged files that were not named': found.unnamed,
      'restores with the flag that failed': found.refused,
      'files that are not whole after a restore': found.damaged,
      'products that are whole and not sold, or damaged and sold': found.unsold,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

type Backup = {
  folder: string
  /** A copy that is not damaged. */
  intact: string
  /** The damaged file. */
  name: string
  sold: readonly string[]
}

type Options = { flags?: string[]; env?: Record<string, string> }

async function restore(dataDir: string, folder: string, { flags = [], env }: Options = {}) {
  const args = ['restore', folder, '--yes', ...flags]
  const { code, stdout, stderr } = await startCommand(dataDir, args, { ...(env && { env }) }).ended
  return { isDone: code === 0, says: stdout + stderr }
}

async function besideCopy(dataDir: string, { folder, intact, sold }: Backup): Promise<Partial<Found>> {
  const other = join(dataDir, 'other')
  await mkdir(other)
  const { isDone, says } = await restore(other, folder, { env: { BACKUP_URL: pathToFileURL(intact).href } })
  if (!isDone) console.log(says)
  const found = {
    stopped: Number(!isDone),
    missing: isDone ? await countMissing(other, sold) : sold.length,
    damaged: (await listDamaged(other, await readNewest(intact))).length,
  }
  await rm(other, { recursive: true })
  return found
}

async function onEmpty(dataDir: string, backup: Backup, sale: Sale): Promise<Partial<Found>> {
  const { folder, intact, name, sold } = backup
  const empty = join(dataDir, 'empty')
  await mkdir(empty)
  await cp(join(dataDir, 'secret'), join(empty, 'secret'))
  const refused = await restore(empty, folder)
  const isNamed = refused.says.includes(`(${name})`) && refused.says.includes('--without-damaged-files')
  const isChanged = refused.isDone || (await hasFiles(empty)) || (await hasProducts(empty))
  const { isDone, says } = await restore(empty, folder, { flags: ['--without-damaged-files'] })
  if (!isDone) console.log(says)
  const isListed = !isDone || says.includes(`(${name})`)
  const damaged = await listDamaged(empty, await readNewest(intact))
  const found = {
    changed: Number(isChanged),
    unnamed: Number(!isNamed) + Number(!isListed),
    refused: Number(!isDone),
    damaged: damaged.filter((each) => each !== name).length,
    missing: isDone ? await countMissing(empty, sold) : sold.length,
    unsold: isDone ? await countUnsold(empty, name, sale) : 0,
  }
  await rm(empty, { recursive: true })
  return found
}

const hasFiles = async (dataDir: string) =>
  (await readdir(join(dataDir, 'files/ebooks')).catch(() => [])).length > 0

async function hasProducts(dataDir: string): Promise<boolean> {
  const { rows } = await withDatabase(dataDir, ({ pool }) =>
    pool.query<{ is_there: boolean }>(`select to_regclass('public.products') is not null as is_there`),
  )
  return rows.some(({ is_there }) => is_there)
}

/** Products that are whole and cannot be bought, or need the file and can; and 1 where the author is not asked for it. */
async function countUnsold(dataDir: string, file_name: string, sale: Sale): Promise<number> {
  const { rows } = await withDatabase(dataDir, ({ pool }) =>
    pool.query<{ id: string }>(
      `select f.product_id as id from product_files f where f.file_path = $1
       union select b.bundle_id from bundle_items b join product_files f on f.product_id = b.product_id
         where f.file_path = $1`,
      [file_name],
    ),
  )
  const lost = new Set(rows.map(({ id }) => id))
  await using shop = await startShop(dataDir)
  const crowd = await gatherCrowd(shop.url, 1)
  let wrong = 0
  for (const { id: product_id } of sale.products) {
    const { isOk } = await crowd.ask(crowd.people[0]!, '/api/purchases', { product_id })
    wrong += Number(isOk === lost.has(product_id))
  }
  const { body } = await crowd.ask<Page<AttentionItem>>(crowd.author, '/api/admin/payments')
  const isAsked = body.items.some(({ kind }) => kind === 'lost_file')
  return wrong + Number(lost.size === 0) + Number(!isAsked)
}
