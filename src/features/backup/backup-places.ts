// Where a shop's backups go: DATA_DIR, and BACKUP_URL when it is set.
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openStorageAt } from '#platform/open-storage.ts'
import { outgoingFolder } from '#platform/outgoing-files.ts'
import type { Config } from '../../config.ts'
import { listBackupNames, openBackupStore, type BackupStore } from './backup-store.ts'
import type { ObjectRecord } from './object-record.ts'
import { canDecrypt, createEncryption, isEncrypting, type EncryptionKeys } from './encryption.ts'
import { localRetention, remoteRetention, type Retention } from './retention.ts'

export type BackupPlace = {
  /** As an author would look for it: a folder, or a bucket without its settings. */
  label: string
  /** In DATA_DIR. */
  isOwn: boolean
  /** As the shop's data. */
  isSameDisk: () => Promise<boolean>
  isEncrypted: boolean
  /** Whether this machine can read the content of its backups. */
  isReadable: boolean
  retention: Retention
  /** Names of backups, newest first: also where their content cannot be decrypted. */
  list: (signal?: AbortSignal) => Promise<string[]>
  /** Of the other kind: encrypted ones where no key is set, and the other way round. */
  listOthers: (signal?: AbortSignal) => Promise<string[]>
  /** Throws an Error in plain words where a passphrase does not fit, or the place cannot be reached. */
  open: (record?: ObjectRecord) => Promise<BackupStore>
}

export type WithBackupPlaces = { backupPlaces: [BackupPlace, ...BackupPlace[]] }

/** The first is the shop's own. */
export function openBackupPlaces({
  dataDir,
  backup: { url, keys },
}: Pick<Config, 'dataDir'> & {
  backup: Pick<Config['backup'], 'url' | 'keys'>
}): WithBackupPlaces['backupPlaces'] {
  const folder = join(dataDir, 'backups')
  const own: BackupPlace = {
    label: folder,
    isOwn: true,
    isSameDisk: async () => true,
    retention: localRetention,
    ...openPlaceAt(pathToFileURL(folder).href, {}),
  }
  if (!url) return [own]
  const label = placeLabel(url)
  return [
    own,
    {
      label,
      isOwn: false,
      isSameDisk: () => isOnDiskOf(dataDir, url),
      retention: remoteRetention,
      ...openPlaceAt(url, keys, outgoingFolder(dataDir)),
    },
  ]
}

export function openPlaceAt(
  address: string,
  keys: EncryptionKeys,
  temporaryFolder?: string,
): Pick<BackupPlace, 'isEncrypted' | 'isReadable' | 'list' | 'listOthers' | 'open'> {
  const storage = openStorageAt(address, temporaryFolder)
  const isEncrypted = isEncrypting(keys)
  const readEncryption = createEncryption(storage, keys)
  return {
    isEncrypted,
    isReadable: !isEncrypted || canDecrypt(keys),
    list: (signal) => listBackupNames(storage, isEncrypted, signal),
    listOthers: (signal) => listBackupNames(storage, !isEncrypted, signal),
    open: async (record) =>
      openBackupStore(storage, isEncrypted ? await readEncryption() : undefined, record),
  }
}

/** So is the folder below which a disk should be mounted, but is not. */
async function isOnDiskOf(dataDir: string, address: string): Promise<boolean> {
  if (new URL(address).protocol !== 'file:') return false
  return (await deviceOf(fileURLToPath(address))) === (await deviceOf(dataDir))
}

/** Of the nearest folder that exists. */
async function deviceOf(path: string): Promise<number> {
  const parent = dirname(path)
  if (parent === path) return (await stat(path)).dev
  const found = await stat(path).catch(() => undefined)
  return found?.dev ?? deviceOf(parent)
}

/** Without a query, which may name an endpoint and more. */
function placeLabel(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return protocol === 's3:' ? `s3://${host}${pathname}` : decodeURIComponent(pathname)
}
