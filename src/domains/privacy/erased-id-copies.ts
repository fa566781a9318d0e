// The hashes of what was erased, in a place of backups: files beside the backups, each named by the hash of its content.
import type { BackupShop } from '#domains/backup/shop.ts'
import { listHashes, parseHashes } from '#domains/accounts/erased-ids.ts'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { failureReason } from '#platform/errors.ts'
import type { Storage } from '#platform/storage.ts'
import { refuseForeignTarget } from '#domains/backup/foreign-target.ts'

const folder = 'erased/'

/** Reads all that were ever written there. */
export async function readErasedIds(storage: Storage): Promise<string[]> {
  const hashes = new Set<string>()
  for await (const name of storage.list(folder))
    for (const hash of parseHashes(await text(await storage.read(name)))) hashes.add(hash)
  return [...hashes]
}

/** Hourly: a backup from before an erasure does not have it, and may be restored where the data folder is lost. */
export async function copyErasedIds({ db, backupTargets, log }: BackupShop): Promise<void> {
  const hashes = await listHashes(db)
  if (hashes.length === 0) return
  const content = hashes.map((hash) => `${hash}\n`).join('')
  const name = `${folder}${createHash('sha256').update(content).digest('hex')}.txt`
  for (const place of backupTargets()) {
    try {
      if (await place.storage.stat(name)) continue
      await refuseForeignTarget(db, place)
      await place.storage.write(name, Buffer.from(content))
    } catch (error) {
      log.warn({ place: place.label, reason: failureReason(error) }, 'erasures could not be noted in a place')
    }
  }
}
