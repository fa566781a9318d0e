// A message is saved first, then mailed (and posted to an outside form service, when one is set).
import { z } from 'zod'
import { and, eq } from 'drizzle-orm'
import type { contactMessage } from '#contract/readers/messages.ts'
import type { Transaction } from '#platform/db/client.ts'
import { contact_messages } from '#tables/readers.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { v7 as uuidv7 } from 'uuid'
import { defineJob } from '#platform/queue.ts'
import { facts, quiet, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { plainLine, plainName } from '#domains/mail/plain-line.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { readerProblem } from './problem.ts'

export async function receiveMessage(
  services: CommerceShop,
  { website, key, ...message }: z.output<typeof contactMessage>,
): Promise<void> {
  if (website) throw readerProblem('contact.not_accepted')
  await services.db.transaction((tx) => insertMessage(tx, services, message, key))
}

type NewMessage = Pick<typeof contact_messages.$inferInsert, 'name' | 'email' | 'subject' | 'message'>

/** The same words under the same key are stored once; other words under it are another message. */
export async function insertMessage(
  tx: Transaction,
  shop: CommerceShop,
  message: NewMessage,
  id: string = uuidv7(),
): Promise<void> {
  const { queue, config } = shop
  const values = { id, ...message }
  const [stored] = await tx.insert(contact_messages).values(values).onConflictDoNothing().returning()
  if (!stored && (await isStored(tx, id, message))) return
  if (!stored) return insertMessage(tx, shop, message)
  await queue.enqueue(tx, contactNoticeJob, { message_id: id })
  if (config.contactFormUrl) await queue.enqueue(tx, contactForwardJob, { message_id: id })
}

async function isStored(tx: Transaction, key: string, written: NewMessage): Promise<boolean> {
  const { id, name, email, subject, message } = contact_messages
  const isSame = and(
    eq(id, key),
    eq(name, written.name),
    eq(email, written.email),
    eq(subject, written.subject),
    eq(message, written.message),
  )
  return (await tx.$count(contact_messages, isSame)) > 0
}

const payload = z.object({ message_id: z.uuid() })

/** A reply to this email goes to the visitor. */
export const contactNoticeJob = defineMailJob({
  name: 'mail.contact',
  kinds: ['contact'],
  payload,
  async compose(services: CommerceShop, { message_id }, branding) {
    const loaded = await findMessage(services, message_id)
    if (!loaded || !services.settings.get().author_emails.message) return undefined
    const { email, message } = loaded
    const [name, subject] = [plainName(loaded.name), plainLine(loaded.subject, 150)]
    const rendered = await renderEmail({
      subject: fill(emailsTexts.contact.subject, { name, subject }),
      preview: message.slice(0, 120),
      title: emailsTexts.contact.title,
      branding,
      children: [
        facts([
          [emailsTexts.contact.from, name],
          [emailsTexts.contact.email, email],
          [emailsTexts.contact.subjectLabel, subject],
        ]),
        quotation(message),
        quiet(replyText(name, branding.replyTime)),
      ],
    })
    return { kind: 'contact', message_id, email: { ...rendered, to: branding.authorEmail, replyTo: email } }
  },
})

function replyText(name: string, time: string): string {
  const { reply, replyPromised } = emailsTexts.contact
  return time ? fill(replyPromised, { name, time }) : fill(reply, { name })
}

export const contactForwardJob = defineJob({
  name: 'contact.forward',
  payload,
  async run(services: CommerceShop, { message_id }) {
    const message = await findMessage(services, message_id)
    const url = services.config.contactFormUrl
    if (!message || !url) return
    const { name, email, subject, message: text } = message
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ name, email, subject, message: text }),
      signal: AbortSignal.timeout(15_000),
    })
    if (!response.ok) throw new Error(`the form service answered ${response.status}`)
  },
})

async function findMessage({ db }: CommerceShop, id: string) {
  const [message] = await db.select().from(contact_messages).where(eq(contact_messages.id, id))
  return message
}
