// The places that backups are written to.
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openStorageAt } from '#platform/open-storage.ts'
import type { BucketAccess } from '#platform/bucket-client.ts'
import { outgoingFolder } from '#platform/data-folders.ts'
import type { BackupSettings } from '#contract/backup/second-place.ts'
import type { Config } from '../../config.ts'
import { bucketAddress } from './bucket-address.ts'
import { createEncryptionReader, type Passphrases } from './place-key.ts'
import { listBackupNames, openBackupStore } from './backup-store.ts'
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
  { dataDir, backup: { url, passphrase } }: Pick<Config, 'dataDir' | 'backup'>,
  settings?: BackupSettings,
): BackupTargets {
  const folder = join(dataDir, 'backups')
  const own: BackupTarget = {
    label: folder,
    isOwn: true,
    isByScreen: false,
    isSameDisk: async () => true,
    retention: localRetention,
    ...openPlaceAt(pathToFileURL(folder).href),
  }
  const temporaryFolder = outgoingFolder(dataDir)
  if (url) {
    const place = openPlaceAt(url, { passphrase, temporaryFolder })
    const isSameDisk = () => isOnDiskOf(dataDir, url)
    return [own, { ...elsewhere(url), isSameDisk, ...place }]
  }
  return settings?.bucket ? [own, openBucketTarget(settings, temporaryFolder)] : [own]
}

function elsewhere(address: string) {
  return { label: placeLabel(address), isOwn: false, isByScreen: false, retention: remoteRetention }
}

/**
 * Nothing is written there, and nothing plain above all, where an entry is missing, as after a change of the shop's
 * secret.
 */
function openBucketTarget(settings: BackupSettings, temporaryFolder: string): BackupTarget {
  const { access_key, secret_key, passphrase, is_public_only } = settings
  const credentials = { accessKeyId: access_key, secretAccessKey: secret_key ?? '' }
  const access = { credentials, isPublicOnly: is_public_only }
  const address = bucketAddress(settings)
  const formerPassphrases = formerOf(settings)
  const place = openPlaceAt(address, { passphrase, formerPassphrases, temporaryFolder, access })
  const target = { ...elsewhere(address), isByScreen: true, isSameDisk: async () => false, ...place }
  const lack = secret_key ? (passphrase ? undefined : lacks.passphrase) : lacks.secret_key
  if (lack === undefined) return target
  const open = () => Promise.reject(new Error(lack))
  return { ...target, isEncrypted: true, open }
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

type PlaceOptions = Passphrases & { temporaryFolder?: string; access?: BucketAccess | undefined }

/** Backups there are encrypted only where there is a passphrase. */
export function openPlaceAt(
  address: string,
  { passphrase, formerPassphrases, temporaryFolder, access }: PlaceOptions = {},
) {
  const storage = openStorageAt(address, temporaryFolder, access)
  const isEncrypted = passphrase !== undefined
  const readEncryption = isEncrypted
    ? createEncryptionReader(storage, passphrase, formerPassphrases)
    : async () => undefined
  return {
    storage,
    isEncrypted,
    /** Names of backups, newest first: also where their content cannot be decrypted. */
    list: (signal?: AbortSignal) => listBackupNames(storage, isEncrypted, signal),
    listOthers: (signal?: AbortSignal) => listBackupNames(storage, !isEncrypted, signal),
    open: async (damaged?: Set<string>) => openBackupStore(storage, await readEncryption(), damaged),
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
