import { currentLocale } from '#words/texts.ts'

/** Of a day, as 2026-11-05. */
export const dateOf = (day: string) =>
  new Date(day).toLocaleDateString(currentLocale(), { dateStyle: 'long', timeZone: 'UTC' })
