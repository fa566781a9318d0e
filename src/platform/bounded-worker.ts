// A worker for content that may be hostile: each task has limits of time, each thread or process one of memory.
import type { Serializable } from 'node:child_process'
import { parentPort, type Transferable } from 'node:worker_threads'
import { type WorkerHost, outOfMemory, startOwnProcess, startThread, watchCpu } from './worker-hosts.ts'

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
  /**
   * Any error but a WorkerLimitError is a bug in the worker. An aborted `signal` is a limit of time of this task. The
   * streams of `transfer`, which the task has, are moved to the thread.
   */
  run(task: Task, signal?: AbortSignal, transfer?: readonly Transferable[]): Promise<Result>
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
    // The listener stays after its task was settled: an error without one would end the process.
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

  function runIn(
    worker: WorkerHost,
    task: Task,
    signal: AbortSignal | undefined,
    transfer: readonly Transferable[] | undefined,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const finished = new AbortController()
      const finish = (report: () => void) => {
        finished.abort()
        clearTimeout(deadline)
        signal?.removeEventListener('abort', onLate)
        worker.events.off('message', onReply).off('error', onError).off('exit', onExit)
        report()
      }
      // Rejects when nothing of the task is done any more, so that what it leaves can be removed.
      const stop = (limit: 'time' | 'cpu') =>
        finish(() => void worker.end().finally(() => reject(new WorkerLimitError(limit))))
      const onLate = () => stop('time')
      const deadline = setTimeout(onLate, taskMs)
      signal?.addEventListener('abort', onLate)
      if (cpuMs !== undefined)
        watchCpu(worker, cpuMs, finished.signal).then(
          () => stop('cpu'),
          () => undefined,
        )
      const onReply = (reply: WorkerReply<Result> | object) => {
        // Node reports here what a thread imports under `node --watch`.
        if ('result' in reply) finish(() => resolve(reply.result))
        else if ('failure' in reply) finish(() => reject(new Error(reply.failure)))
        else return
        rest(worker)
      }
      const onError = (error: NodeJS.ErrnoException) =>
        finish(() => reject(error.code === outOfMemory ? new WorkerLimitError('memory') : error))
      const onExit = (code: number | null) => {
        const Failure = code === null ? WorkerCrashError : Error
        finish(() => reject(new Failure('the worker ended before its task')))
      }
      worker.events.on('message', onReply).on('error', onError).on('exit', onExit)
      worker.setHolding(true)
      worker.send(task, transfer)
    })
  }

  return {
    async run(task, signal, transfer) {
      if (signal?.aborted) throw new WorkerLimitError('time')
      if (running < threads) running += 1
      else if (waiting.length >= maxQueued) throw new WorkerLimitError('queue')
      else await waitForTurn(signal)
      try {
        return await runIn(takeIdle([...idle.keys()].at(-1)) ?? start(), task, signal, transfer)
      } finally {
        const next = waiting.shift()
        if (next) next.begin()
        else running -= 1
      }
    },
    async close() {
      // A task that waits would begin a thread or process, which could outlive the shop.
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
