// Another process that owns an embedded PostgreSQL, there to be killed, and a look at who is left in a folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

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
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid && { uid, gid: uid }),
  })
  const exit = once(child, 'exit')
  const [url] = await Promise.race([once(child.stdout, 'data'), exit])
  if (child.exitCode !== null) throw new Error(`The owner of PostgreSQL ended with ${child.exitCode}`)

  async function stop() {
    child.kill('SIGTERM')
    const [code] = await exit
    return code
  }
  const kill = () => void child.kill('SIGKILL')
  return { url: String(url).trim(), stop, kill, [Symbol.dispose]: kill }
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

/** One that has gone by itself in the meantime is as dead as wanted. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
