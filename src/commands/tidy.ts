// The command `lectern tidy`: lists databases and files that restores and upgrades have left, and deletes old ones.
import { parseArgs } from 'node:util'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { dayMs } from '#contract/durations.ts'
import { tryBackupLock } from '#domains/backup/backup-lock.ts'
import { dropLeftDatabase, listLeftDatabases, momentOf } from '#domains/backup/side-databases.ts'
import { listLeftSampleFiles } from '#domains/catalog/seed.ts'
import { backup_runs } from '#tables/backup.ts'
import { copyOf } from './server.ts'
import { fail, openShell, type Shell, sizeOf } from './shell.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { retentionDays } from '#domains/mail/mail-retention.ts'
import { failureReason } from '#platform/errors.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import { StorageUnavailableError } from '#platform/storage.ts'
import { outboxFolder } from '#platform/mail.ts'
import { outgoingFolder, outgoingMs } from '#platform/data-folders.ts'
import { abandonedMs } from '#platform/uploads.ts'

const minDays = 14

type LeftFile = { name: string; what: string; bytes: number; at: Date }

/** A file without a `reason` to stay may go. */
type Left = LeftFile & { reason: string | undefined; remove: () => Promise<void> }

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } })
  await using shell = await openShell()
  await using lock = await tryBackupLock(shell.url)
  if (!lock)
    throw new Error('A backup, a rehearsal or a restore is under way: wait for its end. Nothing was deleted.')
  const left = await listLeft(shell)
  for (const each of left) console.log(lineOf(each))
  const removable = left.filter(({ reason }) => !reason)
  const size = sizeOf(removable.reduce((sum, { bytes }) => sum + bytes, 0))
  if (removable.length === 0) return console.log('There is nothing to delete.')
  if (!values.yes) return console.log(`Run it again with --yes to delete ${removable.length}, of ${size}.`)
  for (const { remove } of removable) await remove()
  console.log(`Deleted ${removable.length}, of ${size}.`)
}

function lineOf({ name, what, bytes, at, reason }: Left): string {
  const day = at.toISOString().slice(0, 10)
  return `${reason ? 'stays ' : 'delete'} ${sizeOf(bytes).padStart(8)}  ${day}  ${name}: ${what}${reason ? `; ${reason}` : ''}`
}

async function listLeft(shell: Shell): Promise<Left[]> {
  const { config, clock } = shell.services
  const now = clock()
  const goodBackup = await findGoodBackup(shell)
  const whyStays = (at: Date) => {
    const end = new Date(at.getTime() + minDays * dayMs)
    if (now < end) return `until ${end.toISOString().slice(0, 10)}`
    return goodBackup && goodBackup > at ? undefined : 'until there is a later good backup'
  }
  const databases = (await listLeftDatabases(shell.url)).map(({ name, kind, bytes, at, isInUse }) => ({
    name,
    what: kind === 'before' ? 'the data before a restore' : 'data of a restore that did not end',
    bytes,
    at,
    reason: isInUse ? 'something is connected to it' : kind === 'before' ? whyStays(at) : undefined,
    remove: () => dropLeftDatabase(shell.url, name),
  }))
  const toLeft = (file: LeftFile, reason?: string): Left => {
    const remove = () => rm(file.name, { recursive: true, force: true })
    return { ...file, reason, remove }
  }
  const clusters = (await listLeftClusters(config.dataDir)).map((each) => toLeft(each, whyStays(each.at)))
  const files = (await listLeftFiles(config.dataDir, now)).map((each) => toLeft(each))
  const copies = (await listLeftCopies(config.dataDir)).map((each) => {
    const isNew = now.getTime() - each.at.getTime() < dayMs
    return toLeft(each, isNew ? 'an upgrade may be under way' : undefined)
  })
  // The data before a restore may be those of the new shop that the sample came with.
  const staysWith = databases.some(({ reason }) => reason)
    ? 'as long as data before a restore stay'
    : undefined
  const samples = await listSamples(shell, staysWith)
  return [...databases, ...clusters, ...copies, ...samples, ...files]
}

async function listSamples({ services }: Shell, staysWith: string | undefined): Promise<Left[]> {
  const { storage, clock } = services
  const left = await listLeftSampleFiles(services).catch((error: unknown) => {
    if (!(error instanceof StorageUnavailableError)) throw error
    console.error(`The files of products could not be looked at: ${failureReason(error)}`)
    return []
  })
  return left.map(({ name, size: bytes, modified: at }) => {
    const isNew = clock().getTime() - at.getTime() < dayMs
    const reason = staysWith ?? (isNew ? 'a new shop may be starting' : undefined)
    const remove = () => storage.remove(name)
    return { name, what: 'file of the sample, which no product has', bytes, at, reason, remove }
  })
}

async function findGoodBackup({ services }: Shell): Promise<Date | undefined> {
  const { kind, backup, problems, started_at } = backup_runs
  const runs = await services.db
    .select({ backup, started_at })
    .from(backup_runs)
    .where(and(eq(kind, 'backup'), isNotNull(backup), eq(problems, [])))
    .orderBy(desc(started_at))
  const listed = await Promise.all(services.backupTargets().map((place) => place.list().catch(() => [])))
  const present = new Set(listed.flat())
  return runs.find((run) => run.backup !== null && present.has(run.backup))?.started_at
}

const partMs = 2 * dayMs

async function listLeftFiles(dataDir: string, now: Date): Promise<LeftFile[]> {
  const kinds = [
    { folder: join(dataDir, 'uploads'), what: 'upload that nobody came back for', ms: abandonedMs },
    { folder: join(dataDir, 'restore', 'uploads'), what: 'backup that was uploaded', ms: abandonedMs },
    { folder: outgoingFolder(dataDir), what: 'copy on its way to a bucket', ms: outgoingMs },
    { folder: join(dataDir, 'files', incomingFolder), what: 'part of a file', ms: partMs },
    { folder: join(dataDir, 'backups', incomingFolder), what: 'part of a backup', ms: partMs },
    { folder: outboxFolder({ dataDir }), what: 'unsent mail', ms: retentionDays * dayMs },
    { folder: dataDir, what: 'part of a secret', ms: partMs, pattern: /^secret(\.next)?\.\d+\.new$/ },
  ]
  const result: LeftFile[] = []
  for (const { folder, what, ms, pattern } of kinds)
    for (const { at, ...file } of await listFolder(folder, pattern))
      if (now.getTime() - at.getTime() > ms) result.push({ ...file, at, what })
  return result
}

async function listFolder(folder: string, pattern = /^/): Promise<Omit<LeftFile, 'what'>[]> {
  const result: Omit<LeftFile, 'what'>[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const file = pattern.test(name) ? await stat(path).catch(() => undefined) : undefined
    if (file?.isFile()) result.push({ name: path, bytes: file.size, at: file.mtime })
  }
  return result
}

const formerCluster = /^cluster-\d+-(\d{14})$/

async function listLeftClusters(dataDir: string): Promise<LeftFile[]> {
  const folder = join(dataDir, 'postgres')
  const result: LeftFile[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const [, moment] = formerCluster.exec(name) ?? []
    if (!moment) continue
    const path = join(folder, name)
    const bytes = await sizeOfFolder(path)
    result.push({ name: path, what: 'PostgreSQL before an upgrade', bytes, at: momentOf(moment) })
  }
  return result
}

/** Lists the copy that a killed upgrade has left. The next upgrade removes it, too. */
async function listLeftCopies(dataDir: string): Promise<LeftFile[]> {
  const { folder } = copyOf(dataDir)
  const about = await stat(folder).catch(() => undefined)
  if (!about) return []
  const what = 'copy of the shop, to try an upgrade on'
  return [{ name: folder, what, bytes: await sizeOfFolder(folder), at: about.mtime }]
}

/** Counts what removing it would free: a file that has a second name elsewhere frees nothing. */
async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = entry.isFile()
      ? await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
      : undefined
    if (file?.nlink === 1) bytes += file.size
  }
  return bytes
}

await main().then(() => process.exit(0), fail)
