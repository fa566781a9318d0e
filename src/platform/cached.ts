// Values in memory that are expensive to make: until dropped (`cached`), until the input changes (`memoizeLast`), or for good.
import { isDeepStrictEqual } from 'node:util'

export type Cached<Value> = {
  get: () => Value | Promise<Value>
  /** Works as `get`; when a read takes longer than 50 ms, returns `instead()`, or else the last value. */
  getOrStale: (instead?: () => Promise<Value>) => Value | Promise<Value>
  drop: () => void
  /** Must be called after a change by this process: returns once the value is made again, or could not be. */
  refresh: () => Promise<void>
}

export type Read = <Data>(data: Promise<Data>) => Promise<Data>

const lateMs = 50

/** No two values are made at once, and no caller gets one begun before the last drop. A failure returns the last good value. */
export function cached<Value>(
  make: (read: Read) => Promise<Value>,
  onError: (error: unknown) => void,
): Cached<Value> {
  const lateness = watchReading()
  let last: { value: Value } | undefined
  let fresh: Value | Promise<Value> | undefined
  let next: Promise<Value> | undefined
  let underWay: Promise<void> | undefined

  function begin(): Promise<Value> {
    const making: Promise<Value> = make(lateness.read).then(
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

  const get = () => fresh ?? next ?? (underWay ? (next = beginNext(underWay)) : begin())

  function drop(): void {
    fresh = undefined
  }

  return {
    get,
    getOrStale(instead) {
      const value = get()
      if (!(value instanceof Promise)) return value
      const other = () => instead?.() ?? last?.value ?? value
      if (!lateness.isLate()) return Promise.race([value, lateness.untilLate().then(other)])
      value.catch(() => undefined)
      return other()
    },
    drop,
    async refresh() {
      drop()
      await Promise.resolve(get()).catch(() => undefined)
    },
  }
}

/** A making that failed by one read may leave others under way, which end while the next making reads. */
function watchReading() {
  let lateReads = 0
  let late = Promise.withResolvers<void>()
  const read: Read = async (data) => {
    let isRead = false
    let isLate = false
    function report(): void {
      if (isRead) return
      isLate = true
      lateReads += 1
      late.resolve()
    }
    // A blocked event loop delays the timer too: a response that has arrived meanwhile comes first.
    const timer = setTimeout(() => setImmediate(report), lateMs)
    try {
      return await data
    } finally {
      isRead = true
      clearTimeout(timer)
      if (isLate) lateReads -= 1
      if (isLate && lateReads === 0) late = Promise.withResolvers()
    }
  }
  return { read, isLate: () => lateReads > 0, untilLate: () => late.promise }
}

/** Returns what the last call made, for as long as the calls are about the same; a failure is not cached. */
export function memoizeLast<Input, Value>(
  make: (input: Input) => Promise<Value>,
): (input: Input) => Promise<Value> {
  let last: { input: Input; value: Promise<Value> } | undefined
  return (input) => {
    if (last && isDeepStrictEqual(last.input, input)) return last.value
    const entry = { input, value: make(input) }
    last = entry
    entry.value.catch(() => {
      if (last === entry) last = undefined
    })
    return entry.value
  }
}

/** Returns what was made last, for as long as the text is the same: for what each request reads. */
export function rememberLast<Value>(make: (text: string) => Value): (text: string) => Value {
  let last: { text: string; value: Value } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: make(text) }
    return last.value
  }
}

/** Made by the first caller, for all of them; a failure is not cached. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let cached: Promise<Value> | undefined
  return () =>
    (cached ??= make().catch((error: unknown) => {
      cached = undefined
      throw error
    }))
}
