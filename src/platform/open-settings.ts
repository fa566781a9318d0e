import { isDeepStrictEqual } from 'node:util'
import { cached } from './cached.ts'
import type { Settings } from './settings.ts'
import type { Services } from './services.ts'
import { mergeSettings, readSettings } from './stored-settings.ts'

type Needs = Pick<Services, 'config' | 'db' | 'secrets' | 'log'>

export async function openSettings({ config, db, secrets, log }: Needs): Promise<Settings> {
  const listeners = new Set<() => void>()
  let isStale = false
  const merged = cached(
    async () => {
      const values = mergeSettings(config, await readSettings(db, secrets))
      isStale = false
      return values
    },
    (error) => {
      if (!isStale)
        log.warn({ err: error }, 'the settings could not be read; the last known ones are in force')
      isStale = true
    },
  )
  let current = await merged.get()
  let isRefreshing = false

  async function refresh(): Promise<void> {
    merged.drop()
    const next = await merged.get()
    if (isDeepStrictEqual(next, current)) return
    current = next
    for (const listener of listeners) listener()
  }

  return {
    get() {
      if (isStale && !isRefreshing) {
        isRefreshing = true
        void refresh().finally(() => (isRefreshing = false))
      }
      return current
    },
    onChange: (listener) => void listeners.add(listener),
    refresh,
  }
}
