// Brings the data of an older version to the schema of this one, after a backup of them.
import type { Client } from 'pg'
import about from '../../../package.json' with { type: 'json' }
import { openClient, type Database } from '#platform/db/client.ts'
import { addCents, toCents } from '#contract/money.ts'
import { compareSchema, migrateDatabase, readSchemaVersion, shippedMigrations } from '#platform/db/migrate.ts'
import { failureReason } from '#platform/errors.ts'
import type { Log } from '#platform/log.ts'
import { openStorage } from '#platform/open-storage.ts'
import type { Config } from '../../config.ts'
import { tryBackupLock, waitForBackupLock, type BackupLock } from './backup-lock.ts'
import { openBackupTargets, type BackupTarget } from './backup-targets.ts'
import type { BackupStore } from './backup-store.ts'
import type { Sums } from './manifest.ts'
import { createBackup, type BackupSource, shopSource } from './create-backup.ts'
import { readSums } from './backup-tables.ts'
import { readUpgradeBackup, removeUpgradeBackup } from './upgrade-backup.ts'

/** Migrations run in one transaction: one that fails changes nothing. Other shops may sell meanwhile. */
export async function upgradeDatabase(
  database: Database,
  config: Config,
  log: Log,
  migrations = shippedMigrations,
): Promise<void> {
  const schema = () => compareSchema(database.pool, migrations)
  const isOlder = async () => (await schema()) === 'older'
  const onWait = (reason: string) => log.info(reason)
  const migrate = (check?: (client: Client) => Promise<void>) =>
    migrateDatabase(database, { onWait, migrations, ...(check && { check }) })
  if ((await schema()) === 'newer')
    log.warn('The data are of a newer version of Lectern: backups that are made of them need that version')
  if (!(await isOlder())) return migrate()
  await using lock = await takeBackupLock(database.url, log)
  if (!(await isOlder())) return await migrate()
  const [place] = openBackupTargets(config)
  const source = shopSource(config, database.url, openStorage(config))
  const { name, sums } =
    (await findUpgradeBackup(database, config, place)) ?? (await backUp(source, place, { lock, log }))
  const goBack = `with the version before, run "lectern restore '${place.label}' ${name} --yes"`
  log.info(`The data are of an older version: backed up as ${name}, now they are brought to ${about.version}`)
  const check = async (client: Client) => {
    if (isLess(await readSums(client), sums)) throw new Error('Data would be missing afterwards.')
  }
  await migrate(check).catch(async (cause: unknown) => {
    const isUnchanged = await isOlder().catch(() => false)
    const way = isUnchanged
      ? `and are as they were: start the version before again. Should it refuse them, ${goBack}`
      : `to go back, ${goBack}`
    const reason = failureReason(cause)
    throw new Error(`The data could not be brought to version ${about.version}, ${way}. ${reason}`, { cause })
  })
  await removeUpgradeBackup(config.dataDir)
}

/** `sums` are those of now: people may have bought since. */
async function findUpgradeBackup({ url, pool }: Database, { dataDir }: Config, place: BackupTarget) {
  const name = await readUpgradeBackup(dataDir)
  if (name === undefined) return undefined
  const manifest = await place
    .open()
    .then((store) => store.read(name))
    .catch(() => undefined)
  if (manifest?.schema_version !== (await readSchemaVersion(pool))) return undefined
  await using client = await openClient(url)
  return { name, sums: await readSums(client) }
}

type WrittenBackup = Awaited<ReturnType<typeof createBackup>>
type Upgrade = { lock: BackupLock; log: Log }

async function backUp(source: BackupSource, place: BackupTarget, { lock, log }: Upgrade) {
  try {
    const store = await place.open()
    const written = await createBackup(source, [store], { checkLock: lock.check })
    await removeEarlier(store, written, lock).catch((err: unknown) =>
      log.warn({ err }, 'the backup of an earlier start could not be removed'),
    )
    return { name: written.name, sums: written.manifest.sums }
  } catch (cause) {
    throw new Error(
      `The data are of an older version, and could not be backed up before they are brought to ${about.version}. Nothing was changed: remove the cause and start again. ${failureReason(cause)}`,
      { cause },
    )
  }
}

/** A service that starts again and again on data that it cannot migrate keeps one backup of them: the newest. */
async function removeEarlier(store: BackupStore, { name, manifest }: WrittenBackup, lock: BackupLock) {
  const names = await store.list()
  const retained: string[] = []
  for (const each of names) {
    // A newer shop's format, or a damaged one: not ours to remove.
    const result = await store.read(each).catch(() => undefined)
    // This version runs on such data only to bring them to its own schema.
    const isEarlier =
      result?.version === manifest.version && result.schema_version === manifest.schema_version
    if (each === name || !isEarlier) retained.push(each)
  }
  if (retained.length < names.length) await store.deleteOthers(retained, lock.check)
}

async function takeBackupLock(url: string, log: Log): Promise<BackupLock> {
  const lock = await tryBackupLock(url)
  if (lock) return lock
  log.info('Waiting for a backup, a rehearsal or an upgrade of another process to end')
  return waitForBackupLock(url)
}

function isLess(after: Sums, before: Sums): boolean {
  const paid = ({ revenue, refunded }: Sums) =>
    addCents([revenue, refunded].map((sum) => toCents(Number(sum))))
  const isPaidLess = paid(after) < paid(before)
  return after.orders < before.orders || after.users < before.users || isPaidLess
}
