import { byLocale } from './by-locale.ts'

const day = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))

/** "November 5, 2026" for "2026-11-05": a day of the calendar, wherever it is read. */
export function formatDay(iso: string): string {
  return day().format(new Date(`${iso}T00:00:00Z`))
}
