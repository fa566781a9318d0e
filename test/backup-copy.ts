// A shop with a backup elsewhere, and what damages that copy.
import { buffer } from 'node:stream/consumers'
import { openPlaceAt } from '#domains/backup/backup-targets.ts'
import { readBackupStates } from '#domains/backup/backup-states.ts'
import type { Passphrases } from '#domains/backup/place-key.ts'
import { startBackupRun } from '#domains/backup/run-backup.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import type { Storage } from '#platform/storage.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { listNames } from './stores.ts'

export async function openShopWithCopy(url: string, env: Record<string, string> = {}) {
  const shop = await openTestShop({ env: { BACKUP_URL: url, RATE_LIMIT: 'off', ...env }, hasWorkers: false })
  await (await shop.person()).buy((await shop.product('digital')).id)
  const [, elsewhere] = shop.services.backupTargets()
  const start = async (kind: 'backup' | 'rehearsal', places?: string[]) =>
    (await (
      await startBackupRun(shop.services, { kind, started_by: 'test', ...(places && { places }) })
    ).finished)!
  return {
    ...shop,
    backUp: () => start('backup'),
    rehearse: () => start('rehearsal', [elsewhere!.label]),
    label: elsewhere!.label,
  }
}

export async function flipByte(storage: Storage, path: string): Promise<void> {
  const bytes = await buffer(await storage.read(path))
  bytes[bytes.length >> 1]! ^= 1
  await storage.write(path, bytes)
}

/** Of the rows of purchases, and of an ebook. */
export async function findObjects(url: string, keys: Passphrases) {
  const store = await openPlaceAt(url, keys).open()
  const manifest = await store.read((await store.list())[0]!)
  const names = await listNames(openStorageAt(url), 'objects/')
  const pathOf = (sha256: string) => names.find((name) => name.includes(sha256))!
  const rows = manifest.tables.find(({ name }) => name === 'public.purchases')!
  const file = manifest.files.find(({ name }) => name.startsWith('ebooks/'))!
  return { rows: pathOf(rows.object), file: pathOf(file.sha256), manifest, store }
}

export async function stateOf(shop: TestShop, place: string, kind: 'backup' | 'rehearsal' = 'rehearsal') {
  const states = await readBackupStates(shop.services.db)
  return states.find((state) => state.place === place && state.kind === kind)
}
