// The settings in memory, as all domains read them.
import { isDeepStrictEqual } from 'node:util'
import type { SettingValues } from '../config.ts'

export type Settings = {
  /** Reads memory, at most a second old. A copy would stay old. */
  get(): SettingValues
  onChange(listener: () => void): void
  /** Leaves the last values while the database is away. Never throws. */
  refresh(): Promise<void>
}

export function memoized<From, Made>(read: () => From, make: (from: From) => Made): () => Made {
  let last: { from: From; made: Made } | undefined
  return () => {
    const from = read()
    if (!last || !isDeepStrictEqual(last.from, from)) last = { from, made: make(from) }
    return last.made
  }
}
