// Addresses that a visitor enters, and whose mailbox confirms: how often one is written to, and how long it is stored.
import { sql, type SQL } from 'drizzle-orm'
import { dayMs, minuteMs } from '#contract/durations.ts'

const pauseMinutes = 10
const maxMails = 3
/** An address that has not confirmed by then is deleted. */
export const unconfirmedDays = 7

export const unconfirmedSince = (now: Date) => new Date(now.getTime() - unconfirmedDays * dayMs)

/** Of several requests for one address the first in ten minutes sends an email, and three altogether. */
export function mayMailAgain(mailedAt: SQL, mails: SQL, now: Date): SQL {
  const pauseAgo = new Date(now.getTime() - pauseMinutes * minuteMs)
  return sql`(${mailedAt} is null or ${mailedAt} < ${pauseAgo}) and ${mails} < ${maxMails}`
}
