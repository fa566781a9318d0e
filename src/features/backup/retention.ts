// Which backups stay.

export type Retention = { newest: number; daily: number; weekly: number; monthly: number }

/** On the shop's own disk. */
export const localRetention: Retention = { newest: 3, daily: 0, weekly: 0, monthly: 0 }

/** In a place of its own: the newest of each of the last days, weeks and months that have one. */
export const remoteRetention: Retention = { newest: 1, daily: 7, weekly: 4, monthly: 12 }

/**
 * Of names as `2026-11-22T03-00-00-000Z`, those that stay: `written`, too, where others are younger by a
 * clock that was ahead. Weeks begin on Monday, days at midnight UTC.
 */
export function chooseRetained(names: readonly string[], retention: Retention, written?: string): string[] {
  const newestFirst = names.toSorted().toReversed()
  const retained = new Set(newestFirst.slice(0, retention.newest))
  if (written) retained.add(written)
  const retain = (periods: number, periodOf: (name: string) => string) => {
    const seen = new Set<string>()
    for (const name of newestFirst) {
      const period = periodOf(name)
      if (seen.has(period)) continue
      if (seen.size === periods) return
      seen.add(period)
      retained.add(name)
    }
  }
  retain(retention.daily, (name) => name.slice(0, 10))
  retain(retention.weekly, mondayOf)
  retain(retention.monthly, (name) => name.slice(0, 7))
  return newestFirst.filter((name) => retained.has(name))
}

function mondayOf(name: string): string {
  const day = new Date(`${name.slice(0, 10)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}
