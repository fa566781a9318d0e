// Decides which backups a place retains.
import { momentOf } from './backup-store.ts'
import { dayMs } from '#contract/durations.ts'

export type Retention = { newest: number; hourly: number; daily: number; weekly: number; monthly: number }

export const localRetention: Retention = { newest: 3, hourly: 0, daily: 0, weekly: 0, monthly: 0 }

export const remoteRetention: Retention = { newest: 1, hourly: 24, daily: 7, weekly: 4, monthly: 12 }

/**
 * `hourly` counts within a day of the newest. `written` stays, too, where others are newer by a clock that was ahead. Weeks
 * begin on Monday, days at midnight UTC.
 */
export function chooseRetained(names: readonly string[], retention: Retention, written?: string): string[] {
  const newestFirst = names.toSorted().toReversed()
  const retained = new Set(newestFirst.slice(0, retention.newest))
  if (written) retained.add(written)
  const retain = (periods: number, periodOf: (name: string) => string, among = newestFirst) => {
    const seen = new Set<string>()
    for (const name of among) {
      const period = periodOf(name)
      if (seen.has(period)) continue
      if (seen.size === periods) return
      seen.add(period)
      retained.add(name)
    }
  }
  const dayBefore = Date.parse(momentOf(newestFirst[0] ?? '')) - dayMs
  const latest = newestFirst.filter((name) => Date.parse(momentOf(name)) > dayBefore)
  retain(retention.hourly, (name) => name.slice(0, 13), latest)
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
