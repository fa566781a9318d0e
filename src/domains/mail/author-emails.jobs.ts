// The job of emails that notify the author of what happened in the shop, but for the message that a visitor writes. What each
// says comes from the domain that knows it: the worker has all of them as `authorEmails`.
import type { Transaction, Db } from '#platform/db/client.ts'
import { renderEmail } from './email-layout.ts'
import { link, quiet } from './email-blocks.ts'
import type { MailShop } from './shop.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { authorEmailNames, type AuthorEmailName } from '#contract/settings/author-emails.ts'
import { defineMailJob } from './sending.ts'

export const authorEmailJob = defineMailJob({
  name: 'mail.author',
  kinds: ['author'],
  payload: z.object({ name: z.enum(authorEmailNames), id: z.string() }),
  async compose(services: MailShop, { name, id }, branding) {
    const { setting, compose } = services.authorEmails[name]
    if (!services.settings.get().author_emails[setting]) return undefined
    const content = await compose(services, id, branding.siteUrl)
    if (!content) return undefined
    const settings = link(emailsTexts.author.choose, `${branding.siteUrl}/admin/mails/to-you`)
    const email = await renderEmail({
      ...content,
      branding,
      children: [...content.children, quiet(settings)],
    })
    return { kind: 'author', email: { ...email, to: branding.authorEmail } }
  },
})

/** Once for each name, id and occasion, however often it is called. */
export function notifyAuthor(
  db: Db | Transaction,
  { queue }: Pick<MailShop, 'queue'>,
  name: AuthorEmailName,
  id: string,
  occasion = '',
): Promise<void> {
  const hash = createHash('sha256').update(`${authorEmailJob.name} ${name} ${id}${occasion}`).digest('hex')
  // A UUID of version 8 (RFC 9562): its bits are the application's.
  const jobId = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
  return queue.enqueue(db, authorEmailJob, { name, id }, { id: jobId })
}
