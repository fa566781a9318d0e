// A value in memory that is expensive to make: for good, or until it is dropped.

export type Cached<Value> = {
  get: () => Promise<Value>
  /** The next `get` makes it anew. */
  drop: () => void
}

/**
 * Concurrent callers share one making. A caller never gets a value whose making began before the last drop that
 * preceded the call, and waits for at most two makings. When making fails, the last good value is returned, and the
 * next call tries again.
 */
export function cached<Value>(make: () => Promise<Value>, onError: (error: unknown) => void): Cached<Value> {
  let last: { value: Value } | undefined
  let fresh: Promise<Value> | undefined
  let running: Promise<Value> | undefined
  let queued: Promise<Value> | undefined

  function run(): Promise<Value> {
    const promise = make().then(
      (value) => {
        last = { value }
        return value
      },
      (error: unknown) => {
        if (fresh === promise) fresh = undefined
        if (!last) throw error
        onError(error)
        return last.value
      },
    )
    fresh = running = promise
    const end = () => {
      if (running === promise) running = undefined
    }
    promise.then(end, end)
    return promise
  }

  async function runAfter(earlier: Promise<Value>): Promise<Value> {
    await earlier.catch(() => undefined)
    queued = undefined
    return run()
  }

  return {
    get: () => queued ?? fresh ?? (running ? (queued = runAfter(running)) : run()),
    drop() {
      fresh = undefined
    },
  }
}

/** Made by the first caller, for all of them; a failure is not cached. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
