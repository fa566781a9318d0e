// The acknowledgement of a withdrawal that was declared on a page: the same words whether or not there is such an order.
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { Postponed } from '#platform/job.ts'
import { isMailLimit, limitMail } from '#domains/accounts/mail-limits.ts'
import { button, facts, help, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { plainLine } from '#domains/mail/plain-text.ts'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { declarationDays } from '#contract/orders/declarations.ts'
import { makeDeclarationToken } from '#domains/orders/declarations.ts'
import { withdrawal_declarations as declarations } from '#tables/withdrawals.ts'
import { formatDeclared } from './withdrawal-email.ts'

export const declarationMailJob = defineMailJob({
  name: 'mail.withdrawal_declared',
  kinds: ['withdrawal_declared'],
  /** `network`: of who declared it, where a limit of mails was reached; the job waits until it is not. */
  payload: z.object({ declaration_id: z.uuid(), network: z.string().optional() }),
  async before(services, { declaration_id, network }) {
    const email = network && (await find(services, declaration_id))?.email
    if (!email) return
    const device = { ip: '', network, user_agent: null, id_hash: undefined }
    await limitMail(services, { email, purpose: 'withdrawal' }, device).catch((error: unknown) => {
      // Hour by hour, until the limit allows it or the declaration is deleted.
      throw isMailLimit(error) ? new Postponed('A limit of emails is reached.') : error
    })
  },
  async compose(services, { declaration_id }, letterhead) {
    const declaration = await find(services, declaration_id)
    if (!declaration) return undefined
    const { name, email, number, ordered, declared_at } = declaration
    const token = await makeDeclarationToken(services, declaration_id)
    const { time_zone } = services.settings.get().shop
    const texts = emailsTexts.withdrawalDeclared
    const rendered = await renderEmail({
      subject: texts.subject,
      preview: fill(emailsTexts.withdrawal.preview, { date: formatDeclared(declared_at, time_zone) }),
      title: emailsTexts.withdrawal.title,
      letterhead,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(texts.declared),
        facts([
          [emailsTexts.withdrawal.received, formatDeclared(declared_at, time_zone)],
          [texts.name, plainLine(name, 200)],
          [texts.email, email],
          [emailsTexts.shared.order, number === null ? plainLine(ordered, 300) : formatOrderNumber(number)],
        ]),
        paragraph(texts.confirm),
        // In the fragment, which browsers send to no server.
        button(texts.button, `${letterhead.siteUrl}/withdraw#${token}`),
        quiet(fill(texts.days, { days: declarationDays })),
        quiet(texts.unknown),
        help(),
      ],
    })
    return {
      kind: 'withdrawal_declared',
      email: { ...rendered, to: email, replyTo: letterhead.authorEmail },
      isUnimportant: true,
    }
  },
})

async function find({ db }: Pick<Parameters<typeof limitMail>[0], 'db'>, id: string) {
  const [found] = await db.select().from(declarations).where(eq(declarations.id, id))
  return found
}
