// The email whose link gives the excerpt.
import { z } from 'zod'
import { excerptPath } from '#contract/paths.ts'
import { postponeUnknownMail } from '#domains/accounts/mail-limits.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { findExcerpt } from '#domains/catalog/excerpt-file.ts'
import { button, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { findExcerptRequest, writeExcerptToken } from '#domains/mail/excerpt-requests.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'

export const excerptJob = defineMailJob({
  name: 'mail.excerpt_link',
  kinds: ['excerpt_link'],
  /** `network`: of who entered the address. */
  payload: z.object({ id: z.uuid(), network: z.string() }),
  async before(services: CommerceShop, { id, network }) {
    const request = await findExcerptRequest(services.db, id, services.clock())
    if (request) await postponeUnknownMail(services, request.email, network)
  },
  async compose({ db, clock, secret }: CommerceShop, { id }, branding) {
    const request = await findExcerptRequest(db, id, clock())
    if (!request || !(await findExcerpt(db))) return undefined
    const texts = emailsTexts.excerpt
    const link = `${branding.siteUrl}${excerptPath}#${await writeExcerptToken({ db, secret }, id)}`
    const rendered = await renderEmail({
      subject: fill(texts.subject, { book: branding.title }),
      preview: texts.preview,
      title: texts.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(texts.text, { book: branding.title })),
        button(texts.button, link),
        request.words !== null && paragraph(texts.letters),
        quiet(texts.unknown),
      ],
    })
    return { kind: 'excerpt_link', email: { ...rendered, to: request.email }, isUnimportant: true }
  },
})
