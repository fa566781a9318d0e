// The places that backups are written to, and which backups each of them retains.
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openStorageAt, type BucketAccess } from '#platform/storage.ts'
import { outgoingFolder } from '#platform/data-folders.ts'
import type { BackupSettings } from '#contract/backup/second-place.ts'
import type { Config } from '../../config.ts'
import { bucketAddress } from './bucket-address.ts'
import { listBackupNames, openBackupStore, type BackupStore, momentOf } from './backup-store.ts'
import {
  type ObjectRecord,
  openObjectRecord,
  canDecrypt,
  createEncryption,
  isEncrypting,
  type EncryptionKeys,
} from './encryption.ts'
import type { Db } from '#platform/db/client.ts'
import { failureReason } from '#platform/errors.ts'
import { and, eq, inArray, lte, or } from 'drizzle-orm'
import { users } from '#tables/accounts.ts'
import { products } from '#tables/catalog.ts'
import { backup_runs } from '#tables/backup.ts'

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

export async function openTargets(db: Db, places: readonly BackupTarget[]) {
  const opened: (BackupTarget & { store: BackupStore })[] = []
  const failed = new Map<string, string>()
  for (const place of places) {
    try {
      await refuseForeignTarget(db, place)
      opened.push({ ...place, store: await place.open(await openObjectRecord(db, place.label)) })
    } catch (error) {
      failed.set(place.label, `${place.label} cannot be opened: ${failureReason(error)}`)
    }
  }
  return { opened, failed }
}

/** A new shop would remove the backups of other data as its own older ones. */
export async function refuseForeignTarget(db: Db, place: BackupTarget): Promise<void> {
  const names = [...(await place.list()), ...(await place.listOthers())].toSorted().toReversed()
  const [newest] = names
  if (!newest || (await hasMade(db, names))) return
  // An upgrade's backup is in no list of runs.
  if (place.isOwn && (await isOlder(db, names))) return
  throw new Error(
    [
      `there are backups of other data (the newest of ${momentOf(newest)}), which this shop has neither made nor restored. Nothing was written.`,
      'If they are yours and the data were lost: stop the shop and restore them, see docs/recovery.md.',
      place.isOwn
        ? `If nobody needs them any more: move all that is in ${place.label} elsewhere.`
        : 'If they are of another shop: name a new folder, in BACKUP_URL or under Backups.',
    ].join(' '),
  )
}

/** Any restore counts: it may have come from another place. A killed run has no name, and began before what it left. */
async function hasMade(db: Db, names: string[]): Promise<boolean> {
  const { kind, backup, started_at } = backup_runs
  const oldest = oldestOf(names)
  const [row] = await db
    .select({ backup })
    .from(backup_runs)
    .where(or(eq(kind, 'restore'), inArray(backup, names), and(eq(kind, 'backup'), lte(started_at, oldest))))
    .limit(1)
  return row !== undefined
}

async function isOlder(db: Db, names: readonly string[]): Promise<boolean> {
  const oldest = oldestOf(names)
  const counts = [
    await db.$count(users, lte(users.created_at, oldest)),
    await db.$count(products, lte(products.created_at, oldest)),
  ]
  return counts.some((count) => count > 0)
}

const oldestOf = (names: readonly string[]) => new Date(momentOf(names.at(-1) ?? ''))

type Retention = { newest: number; hourly: number; daily: number; weekly: number; monthly: number }

export const localRetention: Retention = { newest: 3, hourly: 0, daily: 0, weekly: 0, monthly: 0 }

export const remoteRetention: Retention = { newest: 1, hourly: 24, daily: 7, weekly: 4, monthly: 12 }

/**
 * `hourly` counts within a day of the newest. `written` stays, too, where others are newer by a clock that was ahead. Weeks
 * begin on Monday, days at midnight UTC.
 */
export function chooseRetained(names: readonly string[], retention: Retention, written?: string): string[] {
  const newestFirst = names.toSorted().toReversed()
  const retained = new Set(newestFirst.slice(0, retention.newest))
  if (written) retained.add(written)
  const retain = (periods: number, periodOf: (name: string) => string, among = newestFirst) => {
    const seen = new Set<string>()
    for (const name of among) {
      const period = periodOf(name)
      if (seen.has(period)) continue
      if (seen.size === periods) return
      seen.add(period)
      retained.add(name)
    }
  }
  const dayBefore = Date.parse(momentOf(newestFirst[0] ?? '')) - 86_400_000
  const latest = newestFirst.filter((name) => Date.parse(momentOf(name)) > dayBefore)
  retain(retention.hourly, (name) => name.slice(0, 13), latest)
  retain(retention.daily, (name) => name.slice(0, 10))
  retain(retention.weekly, mondayOf)
  retain(retention.monthly, (name) => name.slice(0, 7))
  return newestFirst.filter((name) => retained.has(name))
}

function mondayOf(name: string): string {
  const day = new Date(`${name.slice(0, 10)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}
