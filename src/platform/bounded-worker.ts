// For content that may be hostile: each task has limits of time, each thread or process one of memory.
import { fork, type Serializable, execFile, type ChildProcess } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker, parentPort } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

// A process serves native code, which no thread can stop and whose crash would end the shop, and for buffers.

/** An `exit` of a process has the code null after a signal. */
type WorkerHost = {
  events: EventEmitter
  send(task: Serializable): void
  end(): Promise<void>
  setHolding(isHolding: boolean): void
  /** Milliseconds of processor time since its start; 0 before it runs and after its end. */
  cpuMs(): Promise<number>
}

const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

function startThread(script: URL, memoryMb: number): WorkerHost {
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  return {
    events: worker,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    send: (task) => worker.postMessage(task),
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

/** Without the shop's environment. */
function startOwnProcess(
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
    // Before others hear of the exit: the next task may start another process.
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
/** In 20 ms a process can fill some 40 MB. Elsewhere each look starts a process. */
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
  // Not asynchronous on Linux: it takes 30 µs, and the threads that read files may be busy.
  const kilobytes = isLinux
    ? (/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
  return Number(kilobytes) / 1024
}

/** Of /proc/PID/stat: 100 clock ticks a second on every machine that runs Node. */
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
async function watchCpu(worker: WorkerHost, maxMs: number, signal: AbortSignal): Promise<void> {
  const before = await worker.cpuMs()
  do await sleep(cpuPauseMs, undefined, { ref: false, signal })
  while ((await worker.cpuMs()) - before <= maxMs)
  // The task may have ended meanwhile.
  signal.throwIfAborted()
}

export type WorkerLimits = {
  threads: number
  maxQueued: number
  /** Milliseconds by the clock for one task, with the start of its thread. */
  taskMs: number
  /** Milliseconds of processor time for one task. Without it, only the clock counts, which a busy machine spends, too. */
  cpuMs?: number
  /** MiB of JavaScript heap. Buffers and native memory are not counted. */
  memoryMb: number
  idleMs?: number
  /** MiB that a process may have resident. Without it, the tasks run in threads. */
  maxProcessMb?: number
}

type WorkerReply<Result> = { result: Result } | { failure: string }

export type BoundedWorker<Task, Result> = {
  /** Any error but a WorkerLimitError is a bug in the worker. An aborted `signal` is a limit of time of this task. */
  run(task: Task, signal?: AbortSignal): Promise<Result>
  close(): Promise<void>
}

export class WorkerLimitError extends Error {
  readonly limit: 'time' | 'cpu' | 'memory' | 'queue'

  constructor(limit: WorkerLimitError['limit']) {
    super(`a task exceeded the worker's limit of ${limit}`)
    this.limit = limit
  }
}

export const isQueueFull = (error: unknown): boolean =>
  error instanceof WorkerLimitError && error.limit === 'queue'

export class WorkerCrashError extends Error {}

export function openBoundedWorker<Task extends Serializable, Result>(
  script: URL,
  { threads, maxQueued, taskMs, cpuMs, memoryMb, idleMs = 30_000, maxProcessMb }: WorkerLimits,
): BoundedWorker<Task, Result> {
  const all = new Set<WorkerHost>()
  const idle = new Map<WorkerHost, NodeJS.Timeout>()
  const waiting: { begin: () => void; leave: () => void }[] = []
  let running = 0

  function start(): WorkerHost {
    const worker =
      maxProcessMb === undefined
        ? startThread(script, memoryMb)
        : startOwnProcess(script, { memoryMb, maxProcessMb })
    all.add(worker)
    // Also after its task was settled: an error without a listener would end the process.
    worker.events.on('error', () => takeIdle(worker))
    worker.events.once('exit', () => {
      all.delete(worker)
      takeIdle(worker)
    })
    return worker
  }

  function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const turn = { begin, leave }
      function leave(): void {
        signal?.removeEventListener('abort', leave)
        waiting.splice(waiting.indexOf(turn), 1)
        reject(new WorkerLimitError('time'))
      }
      signal?.addEventListener('abort', leave)
      waiting.push(turn)
    })
  }

  function rest(worker: WorkerHost): void {
    const end = () => {
      idle.delete(worker)
      void worker.end()
    }
    idle.set(worker, setTimeout(end, idleMs).unref())
    worker.setHolding(false)
  }

  function takeIdle(worker: WorkerHost | undefined): WorkerHost | undefined {
    if (!worker) return undefined
    clearTimeout(idle.get(worker))
    return idle.delete(worker) ? worker : undefined
  }

  function runIn(worker: WorkerHost, task: Task, signal: AbortSignal | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settled = new AbortController()
      const settle = (finish: () => void) => {
        settled.abort()
        clearTimeout(deadline)
        signal?.removeEventListener('abort', onLate)
        worker.events.off('message', onReply).off('error', onError).off('exit', onExit)
        finish()
      }
      // Rejects when nothing of the task is done any more, so that what it leaves can be removed.
      const stop = (limit: 'time' | 'cpu') =>
        settle(() => void worker.end().finally(() => reject(new WorkerLimitError(limit))))
      const onLate = () => stop('time')
      const deadline = setTimeout(onLate, taskMs)
      signal?.addEventListener('abort', onLate)
      if (cpuMs !== undefined)
        watchCpu(worker, cpuMs, settled.signal).then(
          () => stop('cpu'),
          () => undefined,
        )
      const onReply = (reply: WorkerReply<Result> | object) => {
        // Under `node --watch` Node reports here what a thread imports.
        if ('result' in reply) settle(() => resolve(reply.result))
        else if ('failure' in reply) settle(() => reject(new Error(reply.failure)))
        else return
        rest(worker)
      }
      const onError = (error: NodeJS.ErrnoException) =>
        settle(() => reject(error.code === outOfMemory ? new WorkerLimitError('memory') : error))
      const onExit = (code: number | null) => {
        const Failure = code === null ? WorkerCrashError : Error
        settle(() => reject(new Failure('the worker ended before its task')))
      }
      worker.events.on('message', onReply).on('error', onError).on('exit', onExit)
      worker.setHolding(true)
      worker.send(task)
    })
  }

  return {
    async run(task, signal) {
      if (signal?.aborted) throw new WorkerLimitError('time')
      if (running < threads) running += 1
      else if (waiting.length >= maxQueued) throw new WorkerLimitError('queue')
      else await waitForTurn(signal)
      try {
        return await runIn(takeIdle([...idle.keys()].at(-1)) ?? start(), task, signal)
      } finally {
        const next = waiting.shift()
        if (next) next.begin()
        else running -= 1
      }
    },
    async close() {
      // What waits would begin a thread or process, which could outlive the shop.
      while (waiting[0]) waiting[0].leave()
      await Promise.all([...all].map((worker) => worker.end()))
    },
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what comes is what the shop sends
export function serveTasks<Task>(work: (task: Task) => Promise<unknown>): void {
  async function respond(task: Task): Promise<void> {
    const reply = await work(task).then(
      (result): WorkerReply<unknown> => ({ result }),
      (error: unknown) => ({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    if (parentPort) parentPort.postMessage(reply)
    else process.send?.(reply)
  }
  if (parentPort) {
    parentPort.on('message', (task: Task) => void respond(task))
    return
  }
  process.on('message', (task: Task) => void respond(task))
  // The whole process group gets them: this process ends with its channel, after its task.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
}
