import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill, currentLocale } from '#words/texts.ts'
import { paragraphs, quiet, quotation, renderEmail, plainLine } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { contact_messages, message_replies } from '#tables/readers.ts'

/** What the writer sends back goes to the author's mailbox. */
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
    if (!row) return undefined
    const { reply, message } = row
    const date = message.created_at.toLocaleDateString(currentLocale(), {
      dateStyle: 'long',
      timeZone: 'UTC',
    })
    const rendered = await renderEmail({
      subject: fill(emailsTexts.reply.subject, { subject: plainLine(message.subject, 150) }),
      preview: reply.body.slice(0, 120),
      title: emailsTexts.reply.title,
      branding,
      children: [
        ...paragraphs(reply.body),
        quiet(fill(emailsTexts.reply.youWrote, { date })),
        quotation(message.message),
        quiet(emailsTexts.reply.answer),
      ],
    })
    return {
      kind: 'reply',
      email: { ...rendered, to: message.email, replyTo: branding.authorEmail },
    }
  },
})
