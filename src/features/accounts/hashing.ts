// Threads that hash and do nothing else. In Node's own pool of four, hashes would hold up every file and DNS look-up;
// and there must be a bound on how many run, for each takes 19 MiB, and on how many wait.
import { Worker } from 'node:worker_threads'
import { ownFile } from '#platform/own-file.ts'
import { Problem } from '../../problems.ts'

/** Without `password_hash` the password is hashed, with it compared. */
export type Task = { password: string; password_hash?: string }
export type Answer = { result: string | boolean } | { error: string }

export type Hashing = (task: Task) => Promise<string | boolean>

/** Throws auth.request_timeout when `maxQueued` others already wait. */
export function openHashing({ threads, maxQueued }: { threads: number; maxQueued: number }): Hashing {
  const all = Array.from({ length: threads }, createThread)

  return async (task) => {
    const unfinished = all.reduce((sum, thread) => sum + thread.unfinished(), 0)
    if (unfinished >= threads + maxQueued) throw new Problem('auth.request_timeout', { retryAfter: 2 })
    const idlest = all.reduce((best, thread) => (thread.unfinished() < best.unfinished() ? thread : best))
    return idlest.run(task)
  }
}

/** Started by its first task, and again after a crash. Keeps the process alive only while it works. */
function createThread() {
  let worker: Worker | undefined
  const inTurn: PromiseWithResolvers<string | boolean>[] = []

  function start(): Worker {
    const started = new Worker(ownFile('#features/accounts/hashing-thread.ts'), { name: 'hashing' })
    started.on('message', (response: Answer | object) => {
      // Under `node --watch` Node tells here what a thread imports.
      if (!('result' in response || 'error' in response)) return
      const task = inTurn.shift()
      if ('error' in response) task?.reject(new Error(response.error))
      else task?.resolve(response.result)
      if (inTurn.length === 0) started.unref()
    })
    started.on('error', (error) => {
      worker = undefined
      for (const task of inTurn.splice(0)) task.reject(error)
    })
    return started
  }

  return {
    unfinished: () => inTurn.length,
    run(task: Task): Promise<string | boolean> {
      const response = Promise.withResolvers<string | boolean>()
      inTurn.push(response)
      worker ??= start()
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(task)
      return response.promise
    },
  }
}
