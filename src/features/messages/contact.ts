// Messages to the author: stored first, then mailed (and posted to an outside form service, when one is set).
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { contactMessage } from './contract/contact.ts'
import { contact_messages } from './schema.ts'
import { defineJob } from '#platform/job.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { post } from '../mails/send-mail.ts'

type Message = z.output<typeof contactMessage>

/** Once it returns, the message is safe. Throws contact.not_accepted for a robot that filled the hidden field. */
export async function receiveMessage(
  { db, queue, config }: Pick<Services, 'db' | 'queue' | 'config'>,
  { website, ...message }: Message,
): Promise<void> {
  if (website) throw new Problem('contact.not_accepted')
  const id = uuidv7()
  await db.transaction(async (tx) => {
    await tx.insert(contact_messages).values({ id, ...message })
    await queue.enqueue(tx, contactNoticeJob, { message_id: id })
    if (config.contactFormUrl) await queue.enqueue(tx, contactForwardJob, { message_id: id })
  })
}

const payload = z.object({ message_id: z.uuid() })

export const contactNoticeJob = defineJob({
  name: 'mail.contact',
  payload,
  async run(services: Services & WithLetterhead, { message_id }, attempt) {
    const message = await findMessage(services, message_id)
    if (!message) return
    const letterhead = await services.letterhead()
    const { contactNoticeEmail } = await import('./contact-notice-email.ts')
    const email = await contactNoticeEmail({ ...message, letterhead })
    await post(services, attempt, {
      kind: 'contact',
      email: { ...email, to: letterhead.authorEmail, replyTo: message.email },
    })
  },
})

export const contactForwardJob = defineJob({
  name: 'contact.forward',
  payload,
  async run(services: Services, { message_id }) {
    const message = await findMessage(services, message_id)
    const url = services.config.contactFormUrl
    if (!message || !url) return
    const { name, email, subject, message: body } = message
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ name, email, subject, message: body }),
      signal: AbortSignal.timeout(15_000),
    })
    if (!response.ok) throw new Error(`the form service answered ${response.status}`)
  },
})

async function findMessage({ db }: Pick<Services, 'db'>, id: string) {
  const [message] = await db.select().from(contact_messages).where(eq(contact_messages.id, id))
  return message
}
