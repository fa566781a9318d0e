// Values made at great cost, kept in memory: for good, or until dropped.

export type Kept<Value> = {
  get(): Promise<Value>
  /** The next `get` makes it anew. */
  drop(): void
}

/**
 * Many callers wait for one making. A caller never gets a value whose making began before the last drop that preceded
 * the call, and waits for at most two makings, however often it is dropped meanwhile. When making fails, the last good
 * value is served, and the next call tries again.
 */
export function keep<Value>(make: () => Promise<Value>, onError: (error: unknown) => void): Kept<Value> {
  let last: { value: Value } | undefined
  let fresh: Promise<Value> | undefined
  let current: { drops: number; promise: Promise<Value> } | undefined
  let next: Promise<Value> | undefined
  let drops = 0

  async function makeOnce(before: number): Promise<Value> {
    try {
      const value = await make()
      last = { value }
      if (before === drops) fresh = Promise.resolve(value)
      return value
    } catch (error) {
      if (!last) throw error
      onError(error)
      return last.value
    }
  }

  function begin(): Promise<Value> {
    const promise = makeOnce(drops)
    const begun = { drops, promise }
    current = begun
    const end = () => {
      if (current === begun) current = undefined
    }
    promise.then(end, end)
    return promise
  }

  async function beginAfter(earlier: Promise<Value>): Promise<Value> {
    await earlier.catch(() => undefined)
    next = undefined
    return begin()
  }

  return {
    get() {
      if (fresh) return fresh
      if (!current) return begin()
      if (current.drops === drops) return current.promise
      return (next ??= beginAfter(current.promise))
    },
    drop() {
      drops += 1
      fresh = undefined
    },
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
