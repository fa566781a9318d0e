import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { hashOf } from '#domains/orders/guest-orders.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/orders.ts'
import { purchase_moves } from '#tables/readers.ts'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { button, help, paragraph, quiet, renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { products } from '#tables/catalog.ts'

export const objectionDays = 30

/** The only time that the token itself is seen; a later email ends the link of the one before. */
async function makeObjectionToken(db: Db, move_id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const isOpen = and(eq(purchase_moves.id, move_id), isNull(purchase_moves.objected_at))
  await db
    .update(purchase_moves)
    .set({ objection_hash: hashOf(token) })
    .where(isOpen)
  return token
}

/** To the address from before; it does not name the other. Often the mailbox does not exist, which needs no attention. */
export const movedAwayJob = defineMailJob({
  name: 'mail.moved_away',
  kinds: ['moved_away'],
  payload: z.object({ move_id: z.uuid() }),
  async compose({ db }, { move_id }, branding) {
    const [row] = await db
      .select({ to: purchase_moves.from_email, number: purchases.number, product: products.name })
      .from(purchase_moves)
      .innerJoin(purchases, eq(purchases.id, purchase_moves.purchase_id))
      .innerJoin(products, eq(products.id, purchases.product_id))
      .where(eq(purchase_moves.id, move_id))
    if (!row) return undefined
    const token = await makeObjectionToken(db, move_id)
    const { to, product } = row
    const order = formatOrderNumber(row.number)
    const texts = emailsTexts.movedAway
    const rendered = await renderEmail({
      subject: fill(texts.subject, { order }),
      preview: texts.preview,
      title: texts.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(texts.text, { order, product })),
        paragraph(texts.object),
        // In the fragment, which browsers send to no server.
        button(texts.button, `${branding.siteUrl}/purchase-moved#${token}`),
        quiet(fill(texts.days, { days: objectionDays })),
        help(),
      ],
    })
    return {
      kind: 'moved_away',
      email: { ...rendered, to, replyTo: branding.authorEmail },
      isUnimportant: true,
    }
  },
})
