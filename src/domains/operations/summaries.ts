import { dayIn } from '#platform/db/days.ts'
import type { Services } from '#platform/services.ts'
import { notifyAuthor } from '#domains/mail/author-emails.ts'

const morningHour = 7
const dayMs = 86_400_000

/** Hourly, from seven in the morning on: of the day before, and on Mondays of the week before. */
export async function sendSummaries(services: Services): Promise<void> {
  const { db, clock, settings } = services
  const { time_zone } = settings.get().shop
  const now = clock()
  const hour = Number(now.toLocaleString('en-GB', { timeZone: time_zone, hour: '2-digit', hourCycle: 'h23' }))
  if (hour < morningHour) return
  const today = dayIn(time_zone, now)
  const yesterday = new Date(Date.parse(today) - dayMs).toISOString().slice(0, 10)
  for (const name of ['daily_sales', 'parcels', 'failures'] as const)
    await notifyAuthor(db, services, name, yesterday)
  if (new Date(today).getUTCDay() === 1) await notifyAuthor(db, services, 'weekly_summary', today)
}
