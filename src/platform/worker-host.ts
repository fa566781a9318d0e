// What runs the tasks of a bounded worker: a thread, or a process of its own for native code, which cannot be stopped in
// a thread and whose crash would end the shop, and for what allocates buffers, which no limit of a thread counts.
import { fork, type Serializable } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { watchMemory } from './watch-memory.ts'

/** Emits `message`, `error` and `exit` with its code, or for a process null and the signal that ended it. */
export type WorkerHost = {
  events: EventEmitter
  send(task: Serializable): void
  /** Resolves once it has ended. */
  end(): Promise<void>
  /** Whether it keeps the shop's process alive. */
  setHolding(isHolding: boolean): void
}

/** The code of the error of a host that exceeds its limit of memory. Node's own, for a thread. */
export const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

export function startThread(script: URL, memoryMb: number): WorkerHost {
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  return {
    events: worker,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    send: (task) => worker.postMessage(task),
    end: async () => void (await worker.terminate()),
    setHolding: (isHolding) => (isHolding ? worker.ref() : worker.unref()),
  }
}

/** It gets nothing of the shop's environment. */
export function startOwnProcess(
  script: URL,
  { memoryMb, maxProcessMb }: { memoryMb: number; maxProcessMb: number },
): WorkerHost {
  const child = fork(fileURLToPath(script), [], {
    // One heap of glibc for all of its threads: a picture of 20 MB then takes 135 MB instead of 192.
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  watchMemory(child, maxProcessMb, () => {
    const error = Object.assign(new Error('the process has too much memory'), { code: outOfMemory })
    // Once its memory is free: the next task may start another process. Before others hear of the exit.
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
  }
}
