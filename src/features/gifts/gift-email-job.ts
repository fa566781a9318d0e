// The mail that says what was given.
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '#platform/job.ts'
import type { Services } from '../../services.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { post } from '../mails/send-mail.ts'
import { retentionDays } from '../mails/sweep-mails.ts'
import { findGiven } from './find-present.ts'
import { gifts } from './schema.ts'

export const giftMailJob = defineJob({
  name: 'mail.gift',
  retentionDays,
  payload: z.object({ gift_id: z.uuid() }),
  async run(services: Services & WithLetterhead, { gift_id }, attempt) {
    const { db, log } = services
    const [gift] = await db.select().from(gifts).where(eq(gifts.id, gift_id))
    const present = gift && (await findGiven(db, gift))
    if (!present) return log.warn({ gift_id }, 'no mail: the gift does not exist')
    const { email: to, name, message, purchase_id } = gift
    const letterhead = await services.letterhead()
    // Loaded with the first mail, as the receipt is.
    const { giftEmail } = await import('./gift-email.ts')
    const email = await giftEmail({ letterhead, to, name, message, present })
    const about = purchase_id ? { purchase_id } : {}
    await post(services, attempt, {
      kind: 'gift',
      email: { ...email, replyTo: letterhead.authorEmail },
      ...about,
    })
  },
})
