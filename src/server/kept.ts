// Values made at great cost, kept in memory: for good, or until dropped.

export type Kept<Value> = {
  get(): Promise<Value>
  /** What `get` would give, when that is at hand. */
  peek(): Value | undefined
  /** The next `get` makes it anew. */
  drop(): void
}

/**
 * Many callers wait for one making. A value dropped while it was being made is made again, so nobody gets an older
 * one than they asked for. When making fails, the last good value is served, and the next call tries again.
 */
export function keep<Value>(make: () => Promise<Value>, onError: (error: unknown) => void): Kept<Value> {
  let last: { value: Value } | undefined
  let making: Promise<Value> | undefined
  let fresh: { value: Value; promise: Promise<Value> } | undefined
  let drops = 0

  async function makeLatest(): Promise<Value> {
    for (;;) {
      const before = drops
      const value = await make()
      last = { value }
      if (before !== drops) continue
      fresh = { value, promise: Promise.resolve(value) }
      return value
    }
  }

  return {
    get() {
      if (fresh) return fresh.promise
      making ??= makeLatest()
        .catch((error: unknown) => {
          if (!last) throw error
          onError(error)
          return last.value
        })
        .finally(() => {
          making = undefined
        })
      return making
    },
    drop() {
      drops += 1
      fresh = undefined
    },
    peek: () => fresh?.value,
  }
}

/** Made by the first caller, for all of them; a failure is not kept. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
