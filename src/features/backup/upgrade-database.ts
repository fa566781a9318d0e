// Brings a database to this version's schema. One that an older version has written is backed up first.
import about from '../../../package.json' with { type: 'json' }
import type { Database } from '#platform/db/client.ts'
import { addMoney, compareMoney } from '#platform/contract/money.ts'
import { compareSchema } from '#platform/db/database-version.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import type { Log } from '#platform/log.ts'
import { openStorage } from '#platform/open-storage.ts'
import { WritableClient } from '#platform/db/writable-client.ts'
import type { Config } from '../../config.ts'
import { waitForBackupLock } from './backup-lock.ts'
import { openBackupPlaces } from './backup-places.ts'
import { createBackup } from './create-backup.ts'
import type { Sums } from './manifest.ts'
import { shopSource } from './shop-source.ts'
import { readSums } from './tables.ts'

/**
 * Throws an Error that says how to go back where the data cannot be brought to this version, or some are missing
 * afterwards. A migration that fails changes nothing: all run in one transaction. Other shops may sell meanwhile.
 */
export async function upgradeDatabase(database: Database, config: Config, log: Log): Promise<void> {
  const isOlder = async () => (await compareSchema(database.pool)) === 'older'
  if (!(await isOlder())) return migrateDatabase(database, config.timeZone)
  // Of several processes that start at once, the first does it for all.
  await using lock = await waitForBackupLock(database.url)
  if (!(await isOlder())) return migrateDatabase(database, config.timeZone)
  const [place] = openBackupPlaces(config)
  const source = shopSource(config, database.url, openStorage(config))
  const { name, manifest } = await createBackup(source, [await place.open()], {
    checkLock: lock.check,
  }).catch((cause: unknown) => {
    throw new Error(
      `The data are of an older version, and could not be backed up before they are brought to ${about.version}. Nothing was changed: remove the cause and start again. ${reasonOf(cause)}`,
      { cause },
    )
  })
  const goBack = `with the version before, run "lectern restore '${place.label}' ${name} --yes"`
  log.info(`The data are of an older version: backed up as ${name}, now they are brought to ${about.version}`)
  await migrateDatabase(database, config.timeZone).catch(async (cause: unknown) => {
    const isUnchanged = await isOlder().catch(() => false)
    const way = isUnchanged
      ? `and are as they were: start the version before again. Should it refuse them, ${goBack}`
      : `to go back, ${goBack}`
    throw new Error(`The data could not be brought to version ${about.version}, ${way}. ${reasonOf(cause)}`, {
      cause,
    })
  })
  const after = await readSumsOf(database.url)
  if (!isLess(after, manifest.sums)) return
  throw new Error(`Data are missing after the change to version ${about.version}. To go back, ${goBack}.`)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isLess(after: Sums, before: Sums): boolean {
  const paid = ({ revenue, refunded }: Sums) => addMoney([Number(revenue), Number(refunded)])
  const isPaidLess = compareMoney(paid(after), paid(before)) < 0
  return after.orders < before.orders || after.users < before.users || isPaidLess
}

async function readSumsOf(url: string): Promise<Sums> {
  const client = new WritableClient({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await readSums(client)
  } finally {
    await client.end()
  }
}
