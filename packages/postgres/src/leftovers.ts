// The leftovers of an earlier PostgreSQL in a cluster: processes that outlived their owner, and files that name the dead. Only
// the holder of the cluster's lock may call these: every PostgreSQL in it is then nobody's, or our own.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const SOCKET_FILE = '.s.PGSQL.5432'
/** Postmaster and initdb by their path, backends by the title they give themselves, the guard by its name. */
const COMMAND = /^(?:[^\0]*\/(?:postgres|initdb)\0|postgres: |[^\0]*\0-c\0[^\0]*\0postgres-guard\0)/
const PATIENCE_MS = 2_000

export async function clearLeftovers(dir: string) {
  const pids = findServerProcesses(dir)
  const postmaster = findPostmaster(dir)
  if (postmaster && pids.includes(postmaster)) signal(postmaster, 'SIGINT')
  else killServer(dir)
  if (!(await areGone(dir))) killServer(dir)
  if (!(await areGone(dir))) throw new Error(`An earlier PostgreSQL on ${dir} cannot be stopped.`)
  // PostgreSQL believes such a file when any process has its number by now, or a zombie still has.
  rmSync(join(dir, 'postmaster.pid'), { force: true })
  rmSync(join(dir, `${SOCKET_FILE}.lock`), { force: true })
}

/** Loses nothing: what was committed is in the write-ahead log, and the next start reads it. */
export function killServer(dir: string) {
  for (const pid of findServerProcesses(dir)) signal(pid, 'SIGKILL')
}

async function areGone(dir: string): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 20) {
    if (findServerProcesses(dir).length === 0) return true
    await sleep(20)
  }
  return false
}

/** Every process of PostgreSQL, backends too, works inside its cluster; that says more than any number in a file. */
function findServerProcesses(dir: string): number[] {
  if (!existsSync(dir)) return []
  if (process.platform !== 'linux') return findPostmasterByName(dir)
  const { dev, ino } = statSync(dir)
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  return pids.filter((pid) => {
    try {
      if (!COMMAND.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return false
      const cwd = statSync(`/proc/${pid}/cwd`)
      return cwd.dev === dev && cwd.ino === ino
    } catch {
      return false
    }
  })
}

function findPostmasterByName(dir: string): number[] {
  const pid = findPostmaster(dir)
  if (!pid) return []
  try {
    const command = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
    return basename(command.trim()) === 'postgres' ? [pid] : []
  } catch {
    return []
  }
}

function findPostmaster(dir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dir, 'postmaster.pid'), 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // Gone in the meantime, which is what was wanted.
  }
}
