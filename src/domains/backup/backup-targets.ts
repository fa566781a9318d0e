// The places that backups are written to.
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openStorageAt, type BucketAccess } from '#platform/storage.ts'
import { outgoingFolder } from '#platform/data-folders.ts'
import type { BackupSettings } from '#contract/backup/second-place.ts'
import type { Config } from '../../config.ts'
import { bucketAddress } from './bucket-address.ts'
import { listBackupNames, openBackupStore } from './backup-store.ts'
import {
  type ObjectRecord,
  canDecrypt,
  createEncryption,
  isEncrypting,
  type EncryptionKeys,
} from './encryption.ts'
import { type Retention, localRetention, remoteRetention } from './retention.ts'

export type BackupTarget = ReturnType<typeof openPlaceAt> & {
  label: string
  isOwn: boolean
  /** It was entered on the screen; the others are named by BACKUP_URL. */
  isByScreen: boolean
  isSameDisk: () => Promise<boolean>
  retention: Retention
}

export type BackupTargets = [BackupTarget, ...BackupTarget[]]

/** The shop's own folder, and the second place: that of BACKUP_URL, or else the bucket of the screen. */
export function openBackupTargets(
  { dataDir, backup: { url, keys } }: Pick<Config, 'dataDir' | 'backup'>,
  settings?: BackupSettings,
): BackupTargets {
  const folder = join(dataDir, 'backups')
  const own: BackupTarget = {
    label: folder,
    isOwn: true,
    isByScreen: false,
    isSameDisk: async () => true,
    retention: localRetention,
    ...openPlaceAt(pathToFileURL(folder).href, {}),
  }
  const temporaryFolder = outgoingFolder(dataDir)
  if (url) {
    const place = openPlaceAt(url, keys, { temporaryFolder })
    const isSameDisk = () => isOnDiskOf(dataDir, url)
    return [own, { ...elsewhere(url), isSameDisk, ...place }]
  }
  return settings?.bucket ? [own, openBucketTarget(settings, keys, temporaryFolder)] : [own]
}

function elsewhere(address: string) {
  return { label: placeLabel(address), isOwn: false, isByScreen: false, retention: remoteRetention }
}

/** Without what was entered, as after a change of the shop's secret, nothing is written there: above all, nothing plain. */
function openBucketTarget(
  settings: BackupSettings,
  keys: EncryptionKeys,
  temporaryFolder: string,
): BackupTarget {
  const { access_key, secret_key, passphrase, is_public_only } = settings
  const credentials = { accessKeyId: access_key, secretAccessKey: secret_key ?? '' }
  const access = { credentials, isPublicOnly: is_public_only }
  const ownKeys = isEncrypting(keys) ? keys : { passphrase, formerPassphrases: formerOf(settings) }
  const address = bucketAddress(settings)
  const place = openPlaceAt(address, ownKeys, { temporaryFolder, access })
  const target = { ...elsewhere(address), isByScreen: true, isSameDisk: async () => false, ...place }
  const lack = secret_key ? (isEncrypting(ownKeys) ? undefined : lacks.passphrase) : lacks.secret_key
  if (lack === undefined) return target
  const open = () => Promise.reject(new Error(lack))
  return { ...target, isEncrypted: true, isReadable: false, open }
}

const lacks = {
  secret_key:
    'its secret key is not there, or cannot be opened any more: enter it again under Backups in the admin area',
  passphrase:
    'it has no passphrase, and nothing is copied there without one: make one under Backups in the admin area',
}

function formerOf({ former_passphrases = '' }: Pick<BackupSettings, 'former_passphrases'>): string[] {
  return former_passphrases.split('\n').filter(Boolean)
}

type PlaceOptions = { temporaryFolder?: string; access?: BucketAccess }

export function openPlaceAt(
  address: string,
  keys: EncryptionKeys,
  { temporaryFolder, access }: PlaceOptions = {},
) {
  const storage = openStorageAt(address, temporaryFolder, access)
  const isEncrypted = isEncrypting(keys)
  const readEncryption = createEncryption(storage, keys)
  return {
    storage,
    isEncrypted,
    isReadable: !isEncrypted || canDecrypt(keys),
    /** Names of backups, newest first: also where their content cannot be decrypted. */
    list: (signal?: AbortSignal) => listBackupNames(storage, isEncrypted, signal),
    listOthers: (signal?: AbortSignal) => listBackupNames(storage, !isEncrypted, signal),
    open: async (record?: ObjectRecord) =>
      openBackupStore(storage, isEncrypted ? await readEncryption() : undefined, record),
  }
}

async function isOnDiskOf(dataDir: string, address: string): Promise<boolean> {
  if (new URL(address).protocol !== 'file:') return false
  return (await deviceOf(fileURLToPath(address))) === (await deviceOf(dataDir))
}

async function deviceOf(path: string): Promise<number> {
  const parent = dirname(path)
  if (parent === path) return (await stat(path)).dev
  const result = await stat(path).catch(() => undefined)
  return result?.dev ?? deviceOf(parent)
}

function placeLabel(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return protocol === 's3:' ? `s3://${host}${pathname}` : decodeURIComponent(pathname)
}
