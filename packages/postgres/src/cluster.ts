// The cluster's files: created once by initdb, with a password of its own, for the user who will run PostgreSQL.
import { execFile, spawn, type SpawnOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { prepareBinaries } from './binaries.ts'
import { clearLeftovers } from './leftovers.ts'
import { findServerUser, type ServerUser } from './server-user.ts'

export type Cluster = { dir: string; bin: string; password: string; user: ServerUser | undefined }

export async function openCluster(folder: string, log: Pick<Logger, 'info'>): Promise<Cluster> {
  const dir = join(folder, 'cluster')
  const passwordFile = join(folder, 'password')
  const user = findServerUser(dir)
  const bin = join(await prepareBinaries(folder, user), 'bin')
  if (!existsSync(dir)) {
    await createCluster({ dir, bin, user }, passwordFile)
    log.info(`PostgreSQL's files created in ${dir}`)
  } else if (user && statSync(dir).uid !== user.uid) {
    await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, dir])
  }
  return { dir, bin, user, password: readFileSync(passwordFile, 'utf8') }
}

/** How programs reach the cluster: as its user, from inside, because that user need not be able to walk there. */
export function insideCluster({ dir, user }: Pick<Cluster, 'dir' | 'user'>) {
  const spawnOptions = {
    cwd: dir,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...user,
  } satisfies SpawnOptions
  return { path: user ? '/proc/self/cwd' : dir, spawnOptions }
}

/** Made under another name first: a folder called `cluster` is a whole one, whenever we are killed. */
async function createCluster({ dir, bin, user }: Omit<Cluster, 'password'>, passwordFile: string) {
  const unfinished = `${dir}.unfinished`
  await clearLeftovers(unfinished)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
  if (user) await Promise.all([unfinished, passwordFile].map((path) => chown(path, user.uid, user.gid)))
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
