// The rows of a backup are prepared before they are the shop's: their schema, their secret, and what has happened
// since.
import { readErasedFile } from '#domains/accounts/erased-ids.ts'
import { changeSecret } from '#domains/accounts/secrets.ts'
import { saveLostFiles } from '#domains/catalog/lost-files.ts'
import { stopRestoredWebhook } from '#domains/mail/webhook-deliveries.ts'
import { pauseFreeCodes } from '#domains/orders/discounts.ts'
import { beginSearch } from '#domains/payments/reconcile.ts'
import { openDatabase, type Db } from '#platform/db/client.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { configuredSecret, existingSecrets, findSecret, secretFrom, type Secret } from '#platform/secret.ts'
import { findFingerprint } from '#platform/secrets.ts'
import type { Storage } from '#platform/storage.ts'
import type { Config } from '../../config.ts'
import { recordRestore } from '#domains/backup/backup-runs.ts'
import type { Manifest } from '#domains/backup/manifest.ts'
import { openBackupTargets } from '#domains/backup/backup-targets.ts'
import { eraseAgain } from '#domains/privacy/repeated-erasures.ts'
import { readErasedIds } from '#domains/privacy/erased-id-copies.ts'
import type { DamagedFile } from '#domains/backup/object-damage.ts'
import type { FoundBackup } from '#domains/backup/find-backup.ts'

type Restored = Pick<FoundBackup, 'name' | 'manifest'> & {
  /** The backup is here; the place may name accounts that were erased since. */
  place: Storage
  run: { started_by: string; started_at: Date }
  lost: readonly DamagedFile[]
  takeSecret: (db: Db) => Promise<void>
}

/** Runs before the swap: after a restore that is killed, the shop has none of this or all, and looks up the payments itself. */
export async function prepareData(
  url: string,
  config: Config,
  { name: backup, manifest, place, run, lost, takeSecret }: Restored,
): Promise<void> {
  await using database = openDatabase(url, { max: 1 })
  const { db } = database
  const { sums, files, created_at } = manifest
  const now = new Date()
  await migrateDatabase(database)
  await takeSecret(db)
  await saveLostFiles(db, lost, now)
  const counts = { orders: sums.orders, files: files.length }
  await recordRestore(db, { backup, ...counts, ...run, finished_at: now })
  await pauseFreeCodes(db, now)
  await stopRestoredWebhook(db, now)
  await eraseAgain(db, await listErased(config, place), now)
  await beginSearch(db, new Date(created_at))
}

/** A place that cannot be reached is left out: the data folder has what was erased here. */
async function listErased(config: Config, place: Restored['place']): Promise<string[]> {
  const places = [place, ...openBackupTargets(config).map(({ storage }) => storage)]
  const read = places.map((storage) => readErasedIds(storage).catch(() => []))
  return [...(await readErasedFile(config)), ...(await Promise.all(read)).flat()]
}

/** It returns those of this machine and that of the backup, and makes none: the file of a missing one is put here. */
export function secretsFor(config: Config, secretOfBackup: string | undefined): Secret[] {
  const own = existingSecrets(config)
  return secretOfBackup === undefined ? own : [...own, secretFrom(secretOfBackup)]
}

/** Seals anew with the shop's own secret what the backup's secret has sealed. A secret that is not known stays in force. */
export async function adoptSecret(db: Db, config: Config, { secret }: Manifest): Promise<void> {
  const fingerprint = await findFingerprint(db)
  const from = fingerprint && findSecret(secretsFor(config, secret), fingerprint)
  if (!from) return
  const to = configuredSecret(config)
  if (from.text !== to.text) await changeSecret(db, { from, to }, new Date())
}
