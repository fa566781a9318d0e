// Who of a list would get a gift, and the mail about it, before anything is sent.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Services } from '../../services.ts'
import { profiles } from '../accounts/schema.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { purchases } from '../purchases/schema.ts'
import type { GiftCheck, GiftOutcome, GiftRequest, Present, Recipient } from './contract/gifts.ts'
import { findPresent, isOfPresent } from './find-present.ts'
import { readRecipients } from './read-recipients.ts'
import { gifts } from './schema.ts'

/** Sends nothing. */
export async function checkGifts(
  { db, mail, letterhead }: Pick<Services, 'db' | 'mail'> & WithLetterhead,
  { present, list, message }: GiftRequest,
): Promise<GiftCheck> {
  const shown = await findPresent(db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const [first] = recipients
  const { giftEmail } = await import('./gift-email.ts')
  const to = first?.email ?? ''
  const name = first?.name ?? null
  const { subject, text } = await giftEmail({
    letterhead: await letterhead(),
    to,
    name,
    message,
    present: shown,
  })
  const known = await findKnown({ db }, present, recipients)
  const checked = recipients.map(({ line, email, name: called }) => {
    return { line, email, name: called, outcome: known.get(email) ?? 'new' }
  })
  return {
    recipients: checked,
    bad_rows,
    mail: { subject, text },
    is_mail_kept: mail.isKept(),
    uses_left: shown.kind === 'code' && shown.max_uses !== null ? shown.max_uses - shown.uses : null,
  }
}

/** Who gets nothing, and why. */
async function findKnown({ db }: Pick<Services, 'db'>, present: Present, recipients: Recipient[]) {
  const emails = recipients.map(({ email }) => email)
  const given = await db
    .select({ email: gifts.email })
    .from(gifts)
    .where(and(isOfPresent(present), inArray(gifts.email, emails)))
  const owners =
    present.kind === 'copy'
      ? await db
          .select({ email: profiles.email })
          .from(purchases)
          .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
          .where(
            and(
              eq(purchases.product_id, present.product_id),
              inArray(profiles.email, emails),
              isEntitled(sql`${purchases}`),
            ),
          )
      : []
  return new Map<string, GiftOutcome>([
    ...owners.map(({ email }) => [email, 'has_it'] as const),
    ...given.map(({ email }) => [email, 'given_before'] as const),
  ])
}
