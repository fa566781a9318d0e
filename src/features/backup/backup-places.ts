// Where a shop's backups go: DATA_DIR, and BACKUP_URL when it is set.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openStorageAt } from '#platform/storage.ts'
import type { Config } from '../../config.ts'
import { openBackupStore, type BackupStore } from './backup-store.ts'
import { openEncryption, type EncryptionKeys } from './encryption.ts'
import { localRetention, remoteRetention, type Retention } from './retention.ts'

export type BackupPlace = {
  /** As an author would look for it: a folder, or a bucket without its settings. */
  label: string
  isSameDisk: boolean
  isEncrypted: boolean
  /** Throws an Error in plain words where a passphrase does not fit, or the place cannot be reached. */
  open: () => Promise<BackupStore>
  retention: Retention
}

/** The first is the shop's own. */
export function listBackupPlaces({
  dataDir,
  backup,
}: Pick<Config, 'dataDir' | 'backup'>): [BackupPlace, ...BackupPlace[]] {
  const folder = join(dataDir, 'backups')
  const own: BackupPlace = {
    label: folder,
    isSameDisk: true,
    isEncrypted: false,
    open: () => openStoreAt(pathToFileURL(folder).href, {}),
    retention: localRetention,
  }
  const { url, keys } = backup
  if (!url) return [own]
  const elsewhere: BackupPlace = {
    label: placeLabel(url),
    isSameDisk: false,
    isEncrypted: Boolean(keys.passphrase ?? keys.publicKey),
    open: () => openStoreAt(url, keys),
    retention: remoteRetention,
  }
  return [own, elsewhere]
}

export async function openStoreAt(address: string, keys: EncryptionKeys): Promise<BackupStore> {
  const storage = openStorageAt(address)
  return openBackupStore(storage, await openEncryption(storage, keys))
}

/** Without a query, which may name an endpoint and more. */
function placeLabel(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return protocol === 's3:' ? `s3://${host}` : decodeURIComponent(pathname)
}
