// The email that asks whether an address wants the author's letters, and the one that says how an address leaves them.
import { z } from 'zod'
import type { CommerceShop } from '#domains/book/shop.ts'
import { postponeUnknownMail } from '#domains/accounts/mail-limits.ts'
import { button, paragraph, quiet, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { addSubscriberLink, findOnList, findRequest } from '#domains/mail/subscribers.ts'
import { emailsTexts } from '#words/emails.ts'
import { lettersTexts } from '#words/letters.ts'

export const lettersConfirmJob = defineMailJob({
  name: 'mail.letters_confirm',
  kinds: ['letters_confirm'],
  /** `network`: of who entered the address. */
  payload: z.object({ id: z.uuid(), network: z.string() }),
  async before(services: CommerceShop, { id, network }) {
    const { db, clock } = services
    const request = (await findRequest(db, id, clock())) ?? (await findOnList(db, id))
    if (request) await postponeUnknownMail(services, request.email, network)
  },
  async compose({ db, clock }: CommerceShop, { id }, branding) {
    const request = await findRequest(db, id, clock())
    if (!request) {
      const subscriber = await findOnList(db, id)
      return subscriber && leaveMail(subscriber, branding)
    }
    const texts = emailsTexts.letters
    const rendered = await renderEmail({
      subject: texts.subject,
      preview: texts.preview,
      title: texts.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(texts.text),
        quotation(request.words),
        button(texts.button, await addSubscriberLink(db, id, branding.siteUrl, clock())),
        quiet(texts.unknown),
      ],
    })
    return { kind: 'letters_confirm', email: { ...rendered, to: request.email }, isUnimportant: true }
  },
})

/** To an address that is on the list, whose page ends and deletes it. */
async function leaveMail({ email, token }: { email: string; token: string }, branding: MailBranding) {
  const texts = emailsTexts.letters.leave
  const rendered = await renderEmail({
    subject: texts.subject,
    preview: texts.preview,
    title: texts.subject,
    branding,
    children: [
      paragraph(emailsTexts.shared.hello),
      paragraph(texts.text),
      button(lettersTexts.end, `${branding.siteUrl}/emails/${token}`, { isSecret: true }),
      quiet(texts.unknown),
    ],
  })
  return { kind: 'letters_confirm' as const, email: { ...rendered, to: email }, isUnimportant: true }
}
