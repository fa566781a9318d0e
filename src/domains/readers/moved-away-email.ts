import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { button, help, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { products } from '#tables/products.ts'
import { purchases } from '#tables/purchases.ts'
import { makeObjectionToken, objectionDays } from './objections.ts'
import { purchase_moves } from '#tables/purchase-moves.ts'

/** To the address from before; it does not name the other. Often the mailbox does not exist, which needs no attention. */
export const movedAwayJob = defineMailJob({
  name: 'mail.moved_away',
  kinds: ['moved_away'],
  payload: z.object({ move_id: z.uuid() }),
  async compose({ db }, { move_id }, letterhead) {
    const [found] = await db
      .select({ to: purchase_moves.from_email, number: purchases.number, product: products.name })
      .from(purchase_moves)
      .innerJoin(purchases, eq(purchases.id, purchase_moves.purchase_id))
      .innerJoin(products, eq(products.id, purchases.product_id))
      .where(eq(purchase_moves.id, move_id))
    if (!found) return undefined
    const token = await makeObjectionToken(db, move_id)
    const { to, product } = found
    const order = formatOrderNumber(found.number)
    const texts = emailsTexts.movedAway
    const rendered = await renderEmail({
      subject: fill(texts.subject, { order }),
      preview: texts.preview,
      title: texts.title,
      letterhead,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(texts.text, { order, product })),
        paragraph(texts.object),
        // In the fragment, which browsers send to no server.
        button(texts.button, `${letterhead.siteUrl}/purchase-moved#${token}`),
        quiet(fill(texts.days, { days: objectionDays })),
        help(),
      ],
    })
    return {
      kind: 'moved_away',
      email: { ...rendered, to, replyTo: letterhead.authorEmail },
      isUnimportant: true,
    }
  },
})
