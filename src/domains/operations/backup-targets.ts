import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BucketAccess } from '#platform/bucket-client.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { outgoingFolder } from '#platform/outgoing-files.ts'
import type { Config } from '../../config.ts'
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
import { backup_runs } from '#tables/operations.ts'

export type BackupTarget = ReturnType<typeof openPlaceAt> & {
  label: string
  isOwn: boolean
  isSameDisk: () => Promise<boolean>
  retention: Retention
}

export type BackupTargets = [BackupTarget, ...BackupTarget[]]

export function openBackupTargets({
  dataDir,
  backup: { url, keys },
}: Pick<Config, 'dataDir' | 'backup'>): BackupTargets {
  const folder = join(dataDir, 'backups')
  const own: BackupTarget = {
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
  access?: BucketAccess,
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
        : 'If they are of another shop: set BACKUP_URL to a new folder.',
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

type Retention = { newest: number; daily: number; weekly: number; monthly: number }

export const localRetention: Retention = { newest: 3, daily: 0, weekly: 0, monthly: 0 }

export const remoteRetention: Retention = { newest: 1, daily: 7, weekly: 4, monthly: 12 }

/** `written` stays, too, where others are newer by a clock that was ahead. Weeks begin on Monday, days at midnight UTC. */
export function chooseRetained(names: readonly string[], retention: Retention, written?: string): string[] {
  const newestFirst = names.toSorted().toReversed()
  const retained = new Set(newestFirst.slice(0, retention.newest))
  if (written) retained.add(written)
  const retain = (periods: number, periodOf: (name: string) => string) => {
    const seen = new Set<string>()
    for (const name of newestFirst) {
      const period = periodOf(name)
      if (seen.has(period)) continue
      if (seen.size === periods) return
      seen.add(period)
      retained.add(name)
    }
  }
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
