// The settings that can change while the shop runs, as every feature asks for them. features/settings reads them.
import { isDeepStrictEqual } from 'node:util'
import type { SettingValues } from '../config.ts'

export type Settings = {
  /**
   * The values now, from memory; what another process has changed is there within a second. To be called wherever a
   * value is needed: a copy would keep the old one.
   */
  get(): SettingValues
  /** Called after any value has changed. */
  onChange(listener: () => void): void
  /** Reads them again. While the database is away the last ones stay. Never throws. */
  refresh(): Promise<void>
}

/** For what is expensive to make of settings, as a connection: made again when what it is made of has changed. */
export function memoized<From, Made>(read: () => From, make: (from: From) => Made): () => Made {
  let last: { from: From; made: Made } | undefined
  return () => {
    const from = read()
    if (!last || !isDeepStrictEqual(last.from, from)) last = { from, made: make(from) }
    return last.made
  }
}
