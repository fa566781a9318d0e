// Words and dates that several mails about a purchase share.
import { book } from '#content/book.ts'
import { paragraph, quiet } from './letter.ts'
import { plainName } from './plain-text.ts'

export const greeting = (name: string | null) => paragraph(name ? `Dear ${plainName(name)},` : 'Dear reader,')

export const help = () => quiet('Questions? Answer this mail, or write from the contact form on the site.')

export function longDate(moment: string): string {
  return new Date(moment).toLocaleDateString(book.language, { dateStyle: 'long', timeZone: 'UTC' })
}
