// For content that may be hostile: each task has a limit of time, each thread or process one of memory.
import type { Serializable } from 'node:child_process'
import { outOfMemory, startOwnProcess, startThread, type WorkerHost } from './worker-host.ts'

export type WorkerLimits = {
  threads: number
  maxQueued: number
  /** Milliseconds for one task, with the start of its thread. */
  taskMs: number
  /** MiB of JavaScript heap. Buffers and native memory are not counted. */
  memoryMb: number
  idleMs?: number
  /** MiB that a process may have resident. Without it, the tasks run in threads. */
  maxProcessMb?: number
}

export type WorkerReply<Result> = { result: Result } | { failure: string }

export type BoundedWorker<Task, Result> = {
  /** Any error but a WorkerLimitError is a bug in the worker. */
  run(task: Task): Promise<Result>
  close(): Promise<void>
}

export class WorkerLimitError extends Error {
  readonly limit: 'time' | 'memory' | 'queue'

  constructor(limit: WorkerLimitError['limit']) {
    super(`a task exceeded the worker's limit of ${limit}`)
    this.limit = limit
  }
}

export class WorkerCrashError extends Error {}

export function openBoundedWorker<Task extends Serializable, Result>(
  script: URL,
  { threads, maxQueued, taskMs, memoryMb, idleMs = 30_000, maxProcessMb }: WorkerLimits,
): BoundedWorker<Task, Result> {
  const all = new Set<WorkerHost>()
  const idle = new Map<WorkerHost, NodeJS.Timeout>()
  const waiting: (() => void)[] = []
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

  function runIn(worker: WorkerHost, task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(deadline)
        worker.events.off('message', onReply).off('error', onError).off('exit', onExit)
        finish()
      }
      const deadline = setTimeout(() => {
        settle(() => reject(new WorkerLimitError('time')))
        void worker.end()
      }, taskMs)
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
    async run(task) {
      if (running < threads) running += 1
      else if (waiting.length >= maxQueued) throw new WorkerLimitError('queue')
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await runIn(takeIdle([...idle.keys()].at(-1)) ?? start(), task)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
    async close() {
      await Promise.all([...all].map((worker) => worker.end()))
    },
  }
}
