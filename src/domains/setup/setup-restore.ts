// A restore by screen: in the setup of a new shop, by its link. The process closes the shop, swaps the data and opens it again.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import { readPassphrase } from '#contract/backup/passphrase.ts'
import type { BucketPlace, OpenBackupRequest, RestoreState } from '#contract/setup/setup-restore.ts'
import { countProcesses, isShopRunning } from '#domains/accounts/secrets.ts'
import type { BucketAccess } from '#platform/bucket-client.ts'
import { isOutage, openDatabase, type Db } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { failureReason } from '#platform/errors.ts'
import { findSecret, knownSecrets, putBeside, secretFrom } from '#platform/secret.ts'
import { findFingerprint } from '#platform/secrets.ts'
import { openUploadsAt, type Uploads } from '#platform/uploads.ts'
import { backup_runs } from '#tables/backup.ts'
import type { Config } from '../../config.ts'
import { swapDatabases, restoredName } from '#domains/backup/side-databases.ts'
import type { Manifest } from '#domains/backup/manifest.ts'
import { isBackupLocked } from '#domains/backup/backup-lock.ts'
import { findAdvice } from '#domains/backup/target-trial.ts'
import { bucketAddress } from '#domains/backup/bucket-address.ts'
import { prepareData } from './prepare-data.ts'
import { noRestore, type Restoring } from './restoring.ts'
import { readShopFacts } from '#domains/backup/backup-facts.ts'
import { findBackup, type FoundBackup } from '#domains/backup/find-backup.ts'
import { prepareRestore, type PreparedRestore } from '#domains/backup/restore.ts'
import { hasAdmin, isLinkOfMachine, requireSetupLink } from './first-admin.ts'
import { backupProblem } from '#domains/backup/shop.ts'
import { type SetupShop, setupProblem } from './shop.ts'
import { WrongPassphrase } from '#domains/backup/place-key.ts'
import { requireRoom, unpackBackup } from '#domains/backup/uploaded-backup.ts'

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'restore')
const unpackedFolder = (config: Pick<Config, 'dataDir'>) => join(folderOf(config), 'unpacked')

const restoreUploadsPath = '/api/setup/restore/uploads'
/** The disk is the limit. */
const maxUploadBytes = 1024 ** 4

export function openRestoreUploads({ config, settings }: Pick<SetupShop, 'config' | 'settings'>): Uploads {
  const folder = join(folderOf(config), 'uploads')
  // The file, what is in it, and what the shop stores of it.
  return openUploadsAt({ path: restoreUploadsPath, folder, maxBytes: maxUploadBytes, copies: 3 }, settings)
}

type OpenedBackup = NonNullable<Restoring['opened']>

/** Throws unless the shop is new: nothing of an author or a reader is lost by a restore. */
export async function requireRestore(
  services: SetupShop,
  token: string,
  { hasBegun = true } = {},
): Promise<void> {
  await requireSetupLink(services, token, { hasBegun })
  await requireUnused(services.db)
}

async function requireUnused(db: Db): Promise<void> {
  if (await hasAdmin(db)) throw setupProblem('setup.finished')
  const used = z.object({ is_used: z.boolean() })
  const query = sql`select exists (select from purchases) or exists (select from book_versions) as is_used`
  if ((await queryOne(db, used, query)).is_used) throw setupProblem('setup.in_use')
}

/** The link that has begun the restore may read it, too, though another secret than the restored one has signed it. */
export async function readRestore(services: SetupShop, token: string): Promise<RestoreState> {
  if (!isLinkOfMachine(services, token)) throw setupProblem('setup.link_invalid')
  const { db, restoring, clock } = services
  if (!(await hasAdmin(db))) return restoring.state
  const since = new Date(clock().getTime() - shownMs)
  const isOfScreen = and(eq(backup_runs.kind, 'restore'), eq(backup_runs.started_by, startedBy))
  const [run] = await db
    .select({ backup: backup_runs.backup })
    .from(backup_runs)
    .where(and(isOfScreen, gt(backup_runs.finished_at, since)))
    .orderBy(desc(backup_runs.finished_at))
    .limit(1)
  if (!run) throw setupProblem('setup.finished')
  return { ...noRestore, state: 'restored' }
}

const startedBy = 'setup link'
const shownMs = dayMs

/** The state says what comes of it. One at a time: a key from a passphrase takes a second and 256 MB. */
export async function openBackup(services: SetupShop, request: OpenBackupRequest): Promise<RestoreState> {
  const { restoring } = services
  await requireRestore(services, request.token)
  if (isBusy(restoring)) throw setupProblem('setup.restore_busy')
  restoring.opened = undefined
  restoring.state = { ...noRestore, state: 'opening', step: 'reading' }
  void openInBackground(services, request)
  return restoring.state
}

async function openInBackground(services: SetupShop, request: OpenBackupRequest): Promise<void> {
  const { restoring } = services
  try {
    restoring.opened = await find(services, request)
    restoring.state = { ...noRestore, state: 'opened', backup: restoring.opened.shown }
  } catch (error) {
    await fail(services, error)
  }
}

const isBusy = ({ state: { state } }: Restoring) => state === 'opening' || state === 'restoring'

const databaseAway = 'The database did not respond. Nothing was changed: try again in a minute.'

/** Removes what was unpacked; the upload stays for another try. */
async function fail({ restoring, log, config }: SetupShop, error: unknown): Promise<void> {
  await rm(unpackedFolder(config), { recursive: true, force: true }).catch(() => undefined)
  const reason = failureReason(error)
  log.warn({ reason }, 'a restore by screen has failed, and changed nothing')
  const problem = isOutage(error) ? databaseAway : reason
  restoring.state = { ...noRestore, state: 'failed', backup: restoring.state.backup, problem }
}

async function find(services: SetupShop, { source, passphrase }: OpenBackupRequest): Promise<OpenedBackup> {
  const { config, restoring, secret } = services
  const backup =
    source.kind === 'bucket'
      ? await findInBucket(services, source, passphrase)
      : await findInFile(services, source.upload_id, passphrase)
  const { name, manifest, store } = backup
  const { created_at, version, sums, files, tables } = manifest
  const obstacle = findObstacle(config, manifest)
  // AUTH_SECRET can be taken out of the environment then: this shop has it, too.
  if (obstacle) putBeside(config.dataDir, secret)
  restoring.state = { ...restoring.state, step: 'checking', done: 0, total: 0 }
  const shown = {
    name,
    created_at,
    version,
    ...(await readShopFacts(store, manifest)),
    orders: sums.orders,
    users: sums.users,
    files: files.length,
    size: [...files, ...tables].reduce((sum, { size }) => sum + size, 0),
    obstacle,
  }
  return { shown, prepare: () => prepare(services, backup) }
}

async function findInFile(
  { config, restoreUploads, restoring }: SetupShop,
  upload_id: string,
  passphrase: string,
): Promise<FoundBackup> {
  const file = await restoreUploads.find(upload_id)
  if (!file) throw new Error('This upload is not there, or not whole. Please upload the file again.')
  const folder = unpackedFolder(config)
  const onProgress = (done: number, total: number) => {
    restoring.state = { ...restoring.state, done, total }
  }
  await unpackBackup({ file, folder, onProgress })
  return openWith(passphrase, pathToFileURL(folder).href, { source: 'this file' })
}

async function findInBucket(
  { config: { dataDir }, settings }: Pick<SetupShop, 'config' | 'settings'>,
  { access_key, secret_key, ...place }: BucketPlace,
  passphrase: string,
): Promise<FoundBackup> {
  const access: BucketAccess = {
    credentials: { accessKeyId: access_key, secretAccessKey: secret_key },
    isPublicOnly: settings.get().backups.is_public_only,
  }
  await mkdir(folderOf({ dataDir }), { recursive: true, mode: 0o700 })
  const source = `the bucket ${place.bucket}`
  return openWith(passphrase, bucketAddress(place), { source, access }).catch((cause: unknown) => {
    const advice = findAdvice(cause, 'list')
    throw advice ? new Error(`${failureReason(cause)}. ${advice}`, { cause }) : cause
  })
}

async function openWith(
  passphrase: string,
  address: string,
  options: { source: string; access?: BucketAccess },
): Promise<FoundBackup> {
  try {
    return await findBackup(address, readPassphrase(passphrase), { ...options, wanted: undefined })
  } catch (cause) {
    if (!(cause instanceof Error && cause.cause instanceof WrongPassphrase)) throw cause
    throw new Error(`This is not the passphrase of ${options.source}. Nothing was changed.`, { cause })
  }
}

/** The shop would start with another secret than that of its data. */
function findObstacle(config: Config, { secret }: Manifest): string | null {
  const { authSecret } = config
  if (secret === undefined)
    return authSecret === undefined
      ? 'This backup is not encrypted, so the shop’s secret is not in it. Start this shop with the secret of the other one as AUTH_SECRET, and open the setup link again; or restore it with the command “lectern restore”.'
      : null
  if (authSecret === undefined || authSecret === secret) return null
  return 'AUTH_SECRET is set on this machine, and is not the secret of this shop, which comes with the backup. Take AUTH_SECRET out of the environment (the file .env, or the service), start the shop again, and open the setup link again. What you uploaded stays.'
}

export async function startRestore(services: SetupShop, token: string, name: string): Promise<RestoreState> {
  const { restoring, database } = services
  await requireRestore(services, token)
  const { opened } = restoring
  if (isBusy(restoring)) throw setupProblem('setup.restore_busy')
  if (!opened || opened.shown.name !== name) throw setupProblem('setup.restore_not_open')
  if (opened.shown.obstacle !== null)
    throw setupProblem('setup.restore_obstacle', { detail: opened.shown.obstacle })
  if ((await countProcesses(services.db)) > 1) throw setupProblem('setup.several_processes')
  const isLocked = await isBackupLocked(database.pool)
  // Two calls may have come here together: the lock is then that of the other one's restore.
  if (isBusy(restoring)) throw setupProblem('setup.restore_busy')
  if (isLocked) throw backupProblem('backups.busy')
  restoring.state = { ...noRestore, state: 'restoring', step: 'checking', backup: opened.shown }
  void restoreInBackground(services, opened)
  return restoring.state
}

async function restoreInBackground(services: SetupShop, opened: OpenedBackup): Promise<void> {
  const { restoring } = services
  try {
    const whileClosed = await opened.prepare()
    restoring.state = { ...restoring.state, step: 'closed', done: 0, total: 0 }
    restoring.close(whileClosed)
  } catch (error) {
    await fail(services, error)
  }
}

async function prepare(services: SetupShop, backup: FoundBackup): Promise<() => Promise<void>> {
  const { config, database, storage, clock, restoring } = services
  const { name, manifest, store, storage: place } = backup
  // Nothing is known of another machine's disks.
  const ofRows = config.databaseUrl ? [] : manifest.tables.map(({ bytes }) => bytes)
  const ofFiles = config.storageUrl ? [] : manifest.files.map(({ size }) => size)
  await requireRoom(
    config.dataDir,
    [...ofRows, ...ofFiles].reduce((sum, bytes) => sum + bytes, 0),
  )
  const run = { started_by: startedBy, started_at: clock() }
  const takeSecret = (db: Db) => requireKnownSecret(db, config, manifest)
  const prepared = await prepareRestore(
    {
      databaseUrl: database.url,
      storage,
      clock,
      ...(!config.databaseUrl && { requireRoom: () => requireRoom(config.dataDir, 0) }),
      prepare: (url, lost) => prepareData(url, config, { name, manifest, place, run, lost, takeSecret }),
    },
    store,
    manifest,
    (step, done, total) => {
      restoring.state = { ...restoring.state, step, done, total }
    },
  )
  return () => swap(services, prepared)
}

/** The shop's secret stays that of the backup, so that links which were given out go on leading to it. */
async function requireKnownSecret(db: Db, config: Config, { secret: text }: Manifest): Promise<void> {
  const fingerprint = await findFingerprint(db)
  const own = text === undefined ? [] : [secretFrom(text)]
  const secret = fingerprint && findSecret([...own, ...knownSecrets(config)], fingerprint)
  if (fingerprint && !secret)
    throw new Error(
      'The shop’s secret is neither in the backup nor on this machine, and the shop does not start without it. Nothing was changed: restore it with the command “lectern restore”, which says what to do.',
    )
  if (secret) putBeside(config.dataDir, secret)
  if (!(await hasAdmin(db)))
    throw new Error('Nobody in this backup is an admin, so nobody could sign in. Nothing was changed.')
}

/**
 * The shop is closed meanwhile. Killed before the swap, the next start finds the former shop; after it, the restored
 * one.
 */
async function swap(services: SetupShop, prepared: PreparedRestore): Promise<void> {
  const { database, restoring } = services
  const { url } = database
  try {
    await using _prepared = prepared
    await requireStillUnused(url)
    const { old } = await prepared.swap()
    restoring.goBack = async (failure) => {
      restoring.goBack = undefined
      const reason = failureReason(failure)
      await fail(
        services,
        new Error(`The shop did not start with the restored data, so nothing was changed: ${reason}`),
      )
      const moment = old.slice(-14)
      await swapDatabases(url, old, restoredName(url, moment))
    }
    restoring.opened = undefined
    restoring.state = noRestore
  } catch (error) {
    await fail(services, error)
  }
}

/** Somebody may have made an account between the start of the restore and the end of the last request. */
async function requireStillUnused(url: string): Promise<void> {
  await using database = openDatabase(url, { max: 1 })
  await requireUnused(database.db)
  // PostgreSQL lists a connection for a moment after its end.
  for (let left = 20; await isShopRunning(database.db); left -= 1) {
    if (left === 0) throw setupProblem('setup.several_processes')
    await sleep(100)
  }
}

/** Removes what restores have left: all once there is an admin, and uploads that nobody came back for. */
export async function sweepRestore({
  db,
  config,
  restoreUploads,
  restoring,
  clock,
}: SetupShop): Promise<void> {
  if (isBusy(restoring)) return
  if (await hasAdmin(db)) await rm(folderOf(config), { recursive: true, force: true })
  else await restoreUploads.sweep(clock())
}
