// Values in memory that are expensive to make: until they are dropped (`cached`), or for good (`once`).

export type Cached<Value> = {
  /** The value itself when it is made, otherwise a promise of it. */
  get: () => Value | Promise<Value>
  /** The next `get` makes the value again. */
  drop: () => void
}

/**
 * Concurrent callers share one making, and no two makings run at the same time. A caller never gets a value whose
 * making began before the last drop that preceded the call, and waits for at most two makings. When making fails, the
 * last good value is returned, and the next call tries again.
 */
export function cached<Value>(make: () => Promise<Value>, onError: (error: unknown) => void): Cached<Value> {
  let last: { value: Value } | undefined
  /** The value, or the making that began after the last drop. */
  let fresh: Value | Promise<Value> | undefined
  /** The making that begins after the one under way. */
  let next: Promise<Value> | undefined
  let underWay: Promise<void> | undefined

  function begin(): Promise<Value> {
    const making: Promise<Value> = make().then(
      (value) => {
        last = { value }
        if (fresh === making) fresh = value
        return value
      },
      (error: unknown) => {
        if (fresh === making) fresh = undefined
        if (!last) throw error
        onError(error)
        return last.value
      },
    )
    fresh = making
    const end = () => void (underWay = undefined)
    underWay = making.then(end, end)
    return making
  }

  async function beginNext(earlier: Promise<void>): Promise<Value> {
    await earlier
    next = undefined
    return begin()
  }

  return {
    get: () => fresh ?? next ?? (underWay ? (next = beginNext(underWay)) : begin()),
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
