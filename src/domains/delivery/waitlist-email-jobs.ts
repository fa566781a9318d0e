import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { givesProduct } from '#domains/orders/orders-of-product.ts'
import { hashOf } from '#domains/orders/purchase-access.ts'
import { defineBulkMailJob } from '#domains/mail/bulk-mails.ts'
import { button, help, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { release_waitlist } from '#tables/releases.ts'

const payload = z.object({ id: z.uuid() })

export const waitlistConfirmJob = defineMailJob({
  name: 'mail.waitlist_confirm',
  kinds: ['waitlist_confirm'],
  payload,
  async compose({ db }, { id }, letterhead) {
    const entry = await findEntry(db, id)
    if (!entry || entry.is_confirmed) return undefined
    const token = randomBytes(32).toString('base64url')
    await db
      .update(release_waitlist)
      .set({ hash: hashOf(token) })
      .where(eq(release_waitlist.id, id))
    const texts = emailsTexts.releaseWaitlist
    const product = entry.product_name
    const rendered = await renderEmail({
      subject: fill(texts.subject, { product }),
      preview: texts.preview,
      title: texts.title,
      letterhead,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(texts.text, { product })),
        // In the fragment, which browsers send to no server.
        button(texts.button, `${letterhead.siteUrl}/tell-me/${entry.product_id}#${token}`),
        quiet(texts.unknown),
      ],
    })
    return { kind: 'waitlist_confirm', email: { ...rendered, to: entry.email }, isUnimportant: true }
  },
})

/** Nothing to who has bought it meanwhile, and gets the email of its buyers. */
export const waitlistOutJob = defineBulkMailJob({
  name: 'mail.release_waitlist',
  kind: 'release_out',
  payload,
  async compose({ db }, { id }, letterhead) {
    const entry = await findEntry(db, id)
    if (!entry?.is_out || entry.is_owner) return undefined
    const { releaseOut, releaseWaitlist } = emailsTexts
    const product = entry.product_name
    const rendered = await renderEmail({
      subject: fill(releaseOut.subject, { product }),
      preview: releaseWaitlist.outPreview,
      title: releaseOut.title,
      letterhead,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(releaseWaitlist.out, { product })),
        button(releaseWaitlist.outButton, `${letterhead.siteUrl}/#book-sales`),
        quiet(releaseWaitlist.forgotten),
        help(),
      ],
    })
    return { ...rendered, to: entry.email, replyTo: letterhead.authorEmail }
  },
  async save(db, { id }, state) {
    const forgotten = 'outcome' in state ? { email: '', hash: null } : {}
    await db
      .update(release_waitlist)
      .set({ ...state, ...forgotten })
      .where(eq(release_waitlist.id, id))
  },
})

const entry = z.object({
  product_id: z.string(),
  email: z.string(),
  product_name: z.string(),
  is_confirmed: z.boolean(),
  is_out: z.boolean(),
  is_owner: z.boolean(),
})

function findEntry(db: Db, id: string) {
  return queryFirst(
    db,
    entry,
    sql`
      select w.product_id, w.email, product.name as product_name, w.confirmed_at is not null as is_confirmed,
        is_released(product) as is_out, exists (
          select from purchases p join profiles u on u.user_id = p.user_id
          where lower(u.email) = w.email and ${givesProduct(sql`product.id`)} and ${isEntitled(sql`p`)}) as is_owner
      from release_waitlist w join products product on product.id = w.product_id
      where w.id = ${id} and w.email <> ''`,
  )
}
