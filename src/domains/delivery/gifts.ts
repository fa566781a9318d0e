import { and, eq, inArray, sql, desc } from 'drizzle-orm'
import type { Services } from '#platform/services.ts'
import { profiles } from '#tables/accounts.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import type { WithLetterhead } from '#domains/mail/letterhead.ts'
import { purchases } from '#tables/purchases.ts'
import {
  type GiftCheck,
  type GiftOutcome,
  type GiftRequest,
  type Present,
  type Recipient,
  maxListedGifts,
  type Gift,
} from '#contract/delivery/gifts.ts'
import { findPresent, isOfPresent, pageOf } from './gift-email-job.ts'
import { readRecipients } from './read-recipients.ts'
import { gifts } from '#tables/gifts.ts'
import type { Db } from '#platform/db/client.ts'
import { discount_codes } from '#tables/discounts.ts'
import { products } from '#tables/products.ts'

export async function checkGifts(
  { db, mail, composeMail }: Services & WithLetterhead,
  { present, list, message }: GiftRequest,
): Promise<GiftCheck> {
  const shown = await findPresent(db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const { giftEmail } = await import('./gift-email.ts')
  const { email: to, name } = recipients[0] ?? { email: '', name: null }
  const { subject, text } = await composeMail((letterhead) =>
    giftEmail({ letterhead, to, name, message, page: pageOf(letterhead.siteUrl), present: shown }),
  )
  const known = await findKnown(db, present, recipients)
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

async function findKnown(db: Db, present: Present, recipients: Recipient[]) {
  const emails = recipients.map(({ email }) => email)
  const given = await db
    .select({ email: gifts.email })
    .from(gifts)
    .where(and(isOfPresent(present), inArray(gifts.email, emails)))
  const known = new Map<string, GiftOutcome>(given.map(({ email }) => [email, 'given_before']))
  if (present.kind === 'code') return known
  const isOwner = and(eq(purchases.product_id, present.product_id), isEntitled(sql`${purchases}`))
  const owners = await db
    .select({ email: profiles.email })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(and(isOwner, inArray(profiles.email, emails)))
  for (const { email } of owners) if (!known.has(email)) known.set(email, 'has_it')
  return known
}

export async function listGifts(db: Db): Promise<Gift[]> {
  const { id, email, purchase_id, code_id, created_at } = gifts
  const present = sql<string>`coalesce(${products.name}, ${discount_codes.code})`
  const rows = await db
    .select({ id, email, purchase_id, code_id, created_at, present })
    .from(gifts)
    .leftJoin(products, eq(products.id, gifts.product_id))
    .leftJoin(discount_codes, eq(discount_codes.id, gifts.code_id))
    .orderBy(desc(created_at), desc(id))
    .limit(maxListedGifts)
  return rows.map(toGift)
}

type GiftRow = Omit<Gift, 'kind' | 'created_at'> & { code_id: string | null; created_at: Date }

function toGift({ code_id, created_at, ...row }: GiftRow): Gift {
  return { ...row, kind: code_id ? 'code' : 'copy', created_at: created_at.toISOString() }
}
