// The email to the author after a time in which nobody could pay.
import { z } from 'zod'
import { defineMailJob } from '../mails/send-mail.ts'
import { readOutage } from './read-outage.ts'

export const outageMailJob = defineMailJob({
  name: 'mail.payment-outage',
  kinds: ['payment_outage'],
  payload: z.object({ outage_id: z.uuid() }),
  async compose({ db, settings }, { outage_id }, letterhead) {
    const outage = await readOutage(db, outage_id)
    if (!outage) return undefined
    const { time_zone } = settings.get().shop
    const { outageEmail } = await import('./outage-email.ts')
    const email = await outageEmail({ ...outage, time_zone }, letterhead)
    return { kind: 'payment_outage', email: { ...email, to: letterhead.authorEmail } }
  },
})
