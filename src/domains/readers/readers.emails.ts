// The emails that answer a message, and tell that a purchase has moved to another address.
import { formatDayIn } from '#contract/intl.ts'
import { eq, and, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { paragraphs, quiet, quotation, button, help, paragraph } from '#domains/mail/email-blocks.ts'
import type { Email } from '#platform/mail.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import { plainLine } from '#domains/mail/plain-line.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { contact_messages, message_replies, purchase_moves } from '#tables/readers.ts'
import type { Db } from '#platform/db/client.ts'
import { hashOf, newToken } from '#platform/mailed-token.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/orders.ts'
import { products } from '#tables/catalog.ts'

/** The writer's answer goes to the author's mailbox. */
export const replyJob = defineMailJob({
  name: 'mail.reply',
  kinds: ['reply'],
  payload: z.object({ reply_id: z.uuid() }),
  async compose({ db }, { reply_id }, branding) {
    const [row] = await db
      .select({ reply: message_replies, message: contact_messages })
      .from(message_replies)
      .innerJoin(contact_messages, eq(contact_messages.id, message_replies.message_id))
      .where(eq(message_replies.id, reply_id))
    return row && { kind: 'reply', email: await replyEmail(row.message, row.reply.body, branding) }
  },
})

type AnsweredMessage = Pick<
  typeof contact_messages.$inferSelect,
  'email' | 'subject' | 'message' | 'created_at'
>

export async function replyEmail(
  { email, subject, message, created_at }: AnsweredMessage,
  reply: string,
  branding: MailBranding,
): Promise<Email> {
  const date = formatDayIn(created_at, branding.timeZone)
  const rendered = await renderEmail({
    subject: fill(emailsTexts.reply.subject, { subject: plainLine(subject, 150) }),
    preview: reply.slice(0, 120),
    title: emailsTexts.reply.title,
    branding,
    children: [
      ...paragraphs(reply),
      quiet(fill(emailsTexts.reply.youWrote, { date })),
      quotation(message),
      quiet(emailsTexts.reply.answer),
    ],
  })
  return { ...rendered, to: email, replyTo: branding.authorEmail }
}

export const objectionDays = 30

/** The only time that the token itself is seen; a later email ends the link of the one before. */
async function makeObjectionToken(db: Db, move_id: string): Promise<string> {
  const token = newToken()
  const isOpen = and(eq(purchase_moves.id, move_id), isNull(purchase_moves.objected_at))
  await db
    .update(purchase_moves)
    .set({ objection_hash: hashOf(token) })
    .where(isOpen)
  return token
}

/** Writes to the address from before and does not name the other. Often the mailbox does not exist, which needs no attention. */
export const movedAwayJob = defineMailJob({
  name: 'mail.moved_away',
  kinds: ['moved_away'],
  payload: z.object({ move_id: z.uuid() }),
  async compose({ db }, { move_id }, branding) {
    const [row] = await db
      .select({
        to: purchase_moves.from_email,
        is_by_buyer: purchase_moves.is_by_buyer,
        number: purchases.number,
        product: products.name,
      })
      .from(purchase_moves)
      .innerJoin(purchases, eq(purchases.id, purchase_moves.purchase_id))
      .innerJoin(products, eq(products.id, purchases.product_id))
      .where(eq(purchase_moves.id, move_id))
    if (!row) return undefined
    const token = await makeObjectionToken(db, move_id)
    const { to, product, is_by_buyer } = row
    const order = formatOrderNumber(row.number)
    const texts = emailsTexts.movedAway
    const rendered = await renderEmail({
      subject: fill(texts.subject, { order }),
      preview: texts.preview,
      title: texts.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(is_by_buyer ? texts.textByBuyer : texts.text, { order, product })),
        paragraph(texts.object),
        // Browsers send the fragment to no server.
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
