// Money, counts and dates as people read them.
import { byLocale, formatDeclared } from '#contract/intl.ts'

export { formatPercent } from '#contract/intl.ts'
export { currencySign, formatMoney, toDecimal } from '#contract/money.ts'

const count = byLocale((locale) => new Intl.NumberFormat(locale))
const sizeIn = (unit: 'kilobyte' | 'megabyte', digits: number) =>
  byLocale(
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false,
      }),
  )
const inKilobytes = sizeIn('kilobyte', 0)
const inMegabytes = sizeIn('megabyte', 1)
// English alone has a zero before a day of one digit.
const dayStyle = (locale: string) =>
  ({ year: 'numeric', month: 'short', day: locale.startsWith('en') ? '2-digit' : 'numeric' }) as const
const dayFormat = byLocale((locale) => new Intl.DateTimeFormat(locale, dayStyle(locale)))
const calendarDay = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { ...dayStyle(locale), timeZone: 'UTC' }),
)
/** The medium one of Japanese is for tables: "2026/11/05". */
const momentStyle = (locale: string): Intl.DateTimeFormatOptions =>
  locale.startsWith('en')
    ? { ...dayStyle(locale), hour: 'numeric', minute: '2-digit' }
    : { dateStyle: locale.startsWith('ja') ? 'long' : 'medium', timeStyle: 'short' }
const moment = byLocale((locale) => new Intl.DateTimeFormat(locale, momentStyle(locale)))

export function formatCount(amount: number): string {
  return count().format(amount)
}

const kilobyte = 1024

/** "1.2 MB", or "84 kB" below one; as the author's screens and most systems count, 1 MB is 1024 kB. */
export function formatFileSize(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / kilobyte))
  return kilobytes < kilobyte
    ? inKilobytes().format(kilobytes)
    : inMegabytes().format(bytes / kilobyte / kilobyte)
}

/** "Nov 05, 2026", "2026年11月5日", in the user's time zone. */
export function formatDate(iso: string): string {
  return dayFormat().format(new Date(iso))
}

/** "Nov 05, 2026" for "2026-11-05": a day of the shop, wherever it is read. */
export function formatCalendarDay(iso: string): string {
  return calendarDay().format(new Date(iso))
}

/** "Nov 05, 2026, 4:07 PM", in the user's time zone. */
export function formatMoment(iso: string): string {
  return moment().format(new Date(iso))
}

/** "November 5, 2026 at 4:07 PM UTC": for papers, which are read elsewhere. */
export function formatUtc(iso: string): string {
  return formatDeclared(iso, 'UTC')
}

/**
 * "November 5, 2026 at 5:07 PM GMT+1": a moment that the law counts, by the clock of who reads it. A page that the server
 * renders for a browser without scripts has UTC.
 */
export function formatWithZone(iso: string): string {
  const isBrowser = typeof document !== 'undefined'
  return formatDeclared(iso, isBrowser ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC')
}

type TimeProps = { at: string; format?: (at: string) => string; className?: string | undefined }

export function Time({ at, format = formatMoment, className }: TimeProps) {
  return (
    <time dateTime={at} className={className}>
      {format(at)}
    </time>
  )
}
