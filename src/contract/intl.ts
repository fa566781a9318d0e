// Formats and lists of `Intl`, each made once: opening its data takes 10 ms and more.
import { currentLocale } from '#words/texts.ts'

/** Makes a value once for each language of a page. */
export function byLocale<Value>(make: (locale: string) => Value): () => Value {
  const values = new Map<string, Value>()
  return () => {
    const locale = currentLocale()
    const value = values.get(locale) ?? make(locale)
    values.set(locale, value)
    return value
  }
}

/** Makes a value once, for one language. */
export function lazy<Value>(make: () => Value): () => Value {
  let cached: { value: Value } | undefined
  return () => (cached ??= { value: make() }).value
}

const percent = byLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
)

/** "5.9%", "5,9 %" for 0.059. */
export function formatPercent(ratio: number): string {
  return percent().format(ratio)
}

const day = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))

/** "November 5, 2026 at 4:07 PM UTC": a moment that the law counts, with its clock. */
export function formatDeclared(at: string | Date, timeZone: string): string {
  return new Date(at).toLocaleString(currentLocale(), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
}

/** "November 5, 2026" for "2026-11-05", a day of the calendar, wherever it is read. Of a moment it is the day in UTC. */
export function formatDay(at: string | Date): string {
  return day().format(new Date(at))
}

/** "November 5, 2026": the day of a moment in a time zone. */
export function formatDayIn(at: string | Date, timeZone: string): string {
  return new Date(at).toLocaleDateString(currentLocale(), { dateStyle: 'long', timeZone })
}
