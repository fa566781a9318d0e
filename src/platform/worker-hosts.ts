// The thread or process that a bounded worker runs in. A process serves native code, which no thread can stop and whose
// crash would end the shop, and for buffers.
import { fork, type Serializable, execFile, type ChildProcess } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker, type Transferable } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** An `exit` of a process has the code null after a signal. */
export type WorkerHost = {
  events: EventEmitter
  /** `transfer` is moved to a thread; a process takes none. */
  send(task: Serializable, transfer?: readonly Transferable[]): void
  end(): Promise<void>
  setHolding(isHolding: boolean): void
  /** Milliseconds of processor time since its start; 0 before it runs and after its end. */
  cpuMs(): Promise<number>
}

export const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

export function startThread(script: URL, memoryMb: number): WorkerHost {
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  return {
    events: worker,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    send: (task, transfer) => worker.postMessage(task, transfer),
    end: async () => void (await worker.terminate()),
    setHolding: (isHolding) => (isHolding ? worker.ref() : worker.unref()),
    // Node answers also while the thread is in a loop or in native code. Work that it leaves to Node's thread pool is not counted.
    cpuMs: () =>
      worker.cpuUsage().then(
        ({ user, system }) => (user + system) / 1000,
        () => 0,
      ),
  }
}

/** Leaves out the shop's environment. */
export function startOwnProcess(
  script: URL,
  { memoryMb, maxProcessMb }: { memoryMb: number; maxProcessMb: number },
): WorkerHost {
  const child = fork(fileURLToPath(script), [], {
    // One heap of glibc for all threads: a picture of 20 MB takes 135 MB instead of 192.
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  watchMemory(child, maxProcessMb, () => {
    const error = Object.assign(new Error('the process has too much memory'), { code: outOfMemory })
    // The listener precedes others of the exit: the next task may start another process.
    child.prependOnceListener('exit', () => child.emit('error', error))
    child.kill('SIGKILL')
  })
  return {
    events: child,
    send: (task) => child.send(task, () => undefined),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => resolve()).ref()
      child.kill('SIGKILL')
      await promise
    },
    setHolding(isHolding) {
      if (isHolding) {
        child.ref()
        child.channel?.ref()
      } else {
        child.unref()
        child.channel?.unref()
      }
    },
    cpuMs: async () => (child.pid === undefined ? 0 : readCpuMs(child.pid).catch(() => 0)),
  }
}

const isLinux = process.platform === 'linux'
/** A process can fill some 40 MB in 20 ms. Systems other than Linux need a process for each look. */
const pauseMs = isLinux ? 20 : 100

function watchMemory(child: ChildProcess, maxMb: number, onExceeded: () => void): void {
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  async function watch(pid: number): Promise<void> {
    while ((await residentMb(pid)) <= maxMb)
      await sleep(pauseMs, undefined, { ref: false, signal: ended.signal })
    if (!ended.signal.aborted) onExceeded()
  }
  if (child.pid !== undefined) watch(child.pid).catch(() => undefined)
}

/** 0 of a process that has ended and whose end Node has not noticed yet: Linux names no memory of it. */
async function residentMb(pid: number): Promise<number> {
  // Linux is read synchronously: it takes 30 µs, and the threads that read files may be busy.
  const kilobytes = isLinux
    ? (/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
  return Number(kilobytes) / 1024
}

/** The unit of /proc/PID/stat: 100 clock ticks a second on every machine that runs Node. */
const tickMs = 10

async function readCpuMs(pid: number): Promise<number> {
  if (isLinux) {
    // The second field, a name in brackets, may hold spaces. Behind it, fields 14 and 15 are user and system time.
    const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user, system] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * tickMs
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(pid)])
  // “[[days-]hours:]minutes:seconds”
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = stdout.trim().split(/[-:]/).map(Number).toReversed()
  return (seconds + 60 * (minutes + 60 * (hours + 24 * days))) * 1000
}

const cpuPauseMs = 1_000

/** Returns once the task has used more. What the thread or process had used before does not count. */
export async function watchCpu(worker: WorkerHost, maxMs: number, signal: AbortSignal): Promise<void> {
  const before = await worker.cpuMs()
  do await sleep(cpuPauseMs, undefined, { ref: false, signal })
  while ((await worker.cpuMs()) - before <= maxMs)
  // The task may have ended meanwhile.
  signal.throwIfAborted()
}
