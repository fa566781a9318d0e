// Another process that owns an embedded PostgreSQL, there to be killed, and the processes that are left in a folder.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess, untilPrinted } from './start-process.ts'

const LAUNCHER = join(import.meta.dirname, '../packages/postgres/src/embedded.ts')

/** `launcher` may be a copy elsewhere; `uid` makes the process another user's. */
export async function startPostgresOwner(options: { dataDir: string; launcher?: string; uid?: number }) {
  const { dataDir, launcher = LAUNCHER, uid } = options
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(launcher)})
    const log = { info() {}, warn() {}, error: console.error }
    const options = { dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } }
    const postgres = await startEmbeddedPostgres(options)
    process.on('SIGTERM', () => postgres.stop())
    console.log(postgres.url)`
  const owner = startProcess(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    ...(uid && { uid, gid: uid }),
  })
  const kill = () => void owner.stop('SIGKILL')
  return {
    url: await untilPrinted(owner),
    stop: async () => (await owner.stop()).code,
    kill,
    [Symbol.dispose]: kill,
  }
}

export function processesIn(folder: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  return pids.filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

export const killAll = (pids: readonly number[]) => signalAll(pids, 'SIGKILL')

/** One that has ended by itself in the meantime is passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
