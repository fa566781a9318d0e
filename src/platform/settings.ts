// The settings in memory, as all domains read them.
import { isDeepStrictEqual } from 'node:util'
import type { SettingValues } from '../config.ts'

export type Settings = {
  /** From memory, at most a second old. A copy would stay old. */
  get(): SettingValues
  onChange(listener: () => void): void
  /** While the database is away the last values stay. Never throws. */
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
