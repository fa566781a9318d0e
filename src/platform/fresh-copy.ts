// A copy in memory of what another process may change: read again when it is older than `copyMs`.
import { copyMs } from './key-rotation.ts'

/** Concurrent callers share one reading. One that fails is not stored. */
export function freshCopy<Value>(read: () => Promise<Value>, clock: () => Date): () => Promise<Value> {
  let copy: { value: Promise<Value>; readAt: number } | undefined
  return () => {
    const now = clock().getTime()
    if (copy && Math.abs(now - copy.readAt) < copyMs) return copy.value
    const made = { value: read(), readAt: now }
    copy = made
    made.value.catch(() => {
      if (copy === made) copy = undefined
    })
    return made.value
  }
}
