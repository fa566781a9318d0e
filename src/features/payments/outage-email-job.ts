// The email to the author after a time in which nobody could pay.
import { z } from 'zod'
import { defineJob } from '#platform/job.ts'
import type { Services } from '../../services.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { post } from '../mails/send-mail.ts'
import { readOutage } from './read-outage.ts'

export const outageMailJob = defineJob({
  name: 'mail.payment-outage',
  payload: z.object({ outage_id: z.uuid() }),
  async run(services: Services & WithLetterhead, { outage_id }, attempt) {
    const outage = await readOutage(services.db, outage_id)
    if (!outage) return
    const letterhead = await services.letterhead()
    const { time_zone } = services.settings.get().shop
    const { outageEmail } = await import('./outage-email.ts')
    const email = await outageEmail({ ...outage, time_zone }, letterhead)
    await post(services, attempt, { kind: 'payment_outage', email: { ...email, to: letterhead.authorEmail } })
  },
})
