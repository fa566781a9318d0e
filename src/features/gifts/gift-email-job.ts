// The mail that says what was given.
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineMailJob } from '../mails/send-mail.ts'
import { findGiven } from './find-present.ts'
import { gifts } from './schema.ts'

export const giftMailJob = defineMailJob({
  name: 'mail.gift',
  kinds: ['gift'],
  payload: z.object({ gift_id: z.uuid() }),
  async compose({ db, log }, { gift_id }, letterhead) {
    const [gift] = await db.select().from(gifts).where(eq(gifts.id, gift_id))
    const present = gift && (await findGiven(db, gift))
    if (!present) {
      log.warn({ gift_id }, 'no mail: the gift does not exist')
      return undefined
    }
    const { email: to, name, message, purchase_id } = gift
    // Loaded with the first mail, as the receipt is.
    const { giftEmail } = await import('./gift-email.ts')
    const email = await giftEmail({ letterhead, to, name, message, present })
    return {
      kind: 'gift',
      email: { ...email, replyTo: letterhead.authorEmail },
      purchase_id: purchase_id ?? undefined,
    }
  },
})
