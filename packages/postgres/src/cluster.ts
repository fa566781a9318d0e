// The cluster's files: created once by initdb, with a password of its own, for the user who will run PostgreSQL.
import { execFile, spawn, type SpawnOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { ownBinaries, preparePrograms } from './binaries.ts'
import { clearLeftovers } from './leftovers.ts'
import { findServerUser, type ServerUser } from './server-user.ts'

export type Cluster = { dir: string; bin: string; password: string; user: ServerUser | undefined }

/** The cluster at `folder`, whose files are of this version of PostgreSQL or not there yet. */
export async function openCluster(folder: string, log: Pick<Logger, 'info'>): Promise<Cluster> {
  const dir = join(folder, 'cluster')
  const passwordFile = join(folder, 'password')
  const user = findServerUser(dir)
  const binaries = ownBinaries()
  const bin = await preparePrograms(binaries, folder, user)
  if (!existsSync(dir)) {
    await makePassword(passwordFile, user)
    await createCluster({ dir, bin, user }, passwordFile)
    log.info(`PostgreSQL's files created in ${dir}`)
  } else {
    await giveTo(user, dir)
  }
  if (readWriter(dir) !== binaries.version) {
    writeFileSync(writerFile(dir), binaries.version)
    await giveTo(user, writerFile(dir))
  }
  return { dir, bin, user, password: readFileSync(passwordFile, 'utf8') }
}

/** Gives away all that a folder holds, too, unless it is the user's already. */
export async function giveTo(user: ServerUser | undefined, path: string) {
  if (!user || statSync(path).uid === user.uid) return
  await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, path])
}

/** Undefined where there is no cluster. */
export function readMajor(dir: string): number | undefined {
  const file = join(dir, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined
}

/** The version of the package whose programs wrote the cluster: to be installed again when a newer one has replaced it. */
export function readWriter(dir: string): string | undefined {
  const file = writerFile(dir)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** The file is inside the cluster, where PostgreSQL ignores it, so that it moves with the files. */
function writerFile(dir: string): string {
  return join(dir, 'lectern-binaries')
}

/** One that is there stays: an older cluster that was moved aside, and may come back, has it. */
async function makePassword(file: string, user: ServerUser | undefined) {
  if (!existsSync(file)) {
    const unfinished = `${file}.unfinished`
    writeFileSync(unfinished, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    renameSync(unfinished, file)
  }
  await giveTo(user, file)
}

/** Programs reach the cluster as its user, from inside, because that user need not be able to walk there. */
export function insideCluster({ dir, user }: Pick<Cluster, 'dir' | 'user'>) {
  const spawnOptions = {
    cwd: dir,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...user,
  } satisfies SpawnOptions
  return { path: user ? '/proc/self/cwd' : dir, spawnOptions }
}

/** Made under another name first: a folder called `dir` is a whole cluster, whenever we are killed. */
export async function createCluster({ dir, bin, user }: Omit<Cluster, 'password'>, passwordFile: string) {
  const unfinished = `${dir}.unfinished`
  await clearLeftovers(unfinished)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await giveTo(user, unfinished)
  await initdb({ dir: unfinished, bin, user }, passwordFile)
  await rename(unfinished, dir)
}

async function initdb({ dir, bin, user }: Omit<Cluster, 'password'>, passwordFile: string) {
  const { path, spawnOptions } = insideCluster({ dir, user })
  // The built-in locale sorts the same on every machine the folder may move to.
  const options = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=lectern', '--auth=scram-sha-256', '--pwfile=/dev/fd/3']
  const password = openSync(passwordFile, 'r')
  const child = spawn(join(bin, 'initdb'), ['-D', path, '--no-instructions', ...access, ...options], {
    ...spawnOptions,
    stdio: ['ignore', 'ignore', 'pipe', password],
  })
  closeSync(password)
  const complaint = child.stderr ? text(child.stderr) : ''
  const [failure] = await once(child, 'exit').catch((error: Error) => [error.message])
  if (failure === 0) return
  throw new Error(
    `The embedded PostgreSQL cannot be set up (${failure}), set DATABASE_URL? ${await complaint}`,
  )
}
