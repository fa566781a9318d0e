// A bound on how much hashing runs and waits. Unbounded, it starves Node's four pool threads (files, DNS) and eats memory.
import { Problem } from '../problem.ts'

export type HashingQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Throws auth.request_timeout when `waiting` others already wait. */
export function createHashingQueue({ running, waiting }: { running: number; waiting: number }): HashingQueue {
  const queue: (() => void)[] = []
  let free = running

  return async (work) => {
    if (free > 0) free -= 1
    else if (queue.length < waiting) await new Promise<void>((go) => queue.push(go))
    else throw new Problem('auth.request_timeout', { retryAfter: 2 })
    try {
      return await work()
    } finally {
      // A freed place passes straight to the next in line.
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
