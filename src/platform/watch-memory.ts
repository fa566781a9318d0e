// Watches the resident memory of a child process, from outside: one that is busy can neither report nor end itself.
import { execFile, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const isLinux = process.platform === 'linux'
/** In 20 ms a process can fill some 40 MB. Elsewhere each look starts a process. */
const pauseMs = isLinux ? 20 : 100

/** Calls `onExceeded` once, when the child has more MiB resident than `maxMb`. Ends with the child. */
export function watchMemory(child: ChildProcess, maxMb: number, onExceeded: () => void): void {
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  async function watch(pid: number): Promise<void> {
    while ((await residentMb(pid)) <= maxMb)
      await sleep(pauseMs, undefined, { ref: false, signal: ended.signal })
    if (!ended.signal.aborted) onExceeded()
  }
  // A child that has ended has no memory to be read.
  if (child.pid !== undefined) watch(child.pid).catch(() => undefined)
}

async function residentMb(pid: number): Promise<number> {
  // Not asynchronous on Linux: it takes 30 µs, and the threads that read files may be busy.
  const kilobytes = isLinux
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
  return Number(kilobytes) / 1024
}
