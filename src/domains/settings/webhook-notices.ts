// Emails tell all admins what was changed of the webhook. They name its host alone: who knows the address can write to it.
import { z } from 'zod'
import { listAdminEmails } from '#domains/accounts/admin-rights.ts'
import { button, paragraph } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import type { Transaction } from '#platform/db/client.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import type { SettingsShop } from './shop.ts'

const notice = z.enum(['set', 'secret', 'removed'])
export type WebhookNotice = z.infer<typeof notice>

const payload = z.object({ notice, email: z.string(), admin: z.string(), host: z.string() })

export const webhookNoticeJob = defineMailJob({
  name: 'mail.webhook-notice',
  kinds: ['webhook_changed'],
  payload,
  async compose(_services, { notice: name, email: to, admin, host }, branding) {
    const { title, notMeant, button: label, notices } = emailsTexts.webhookNotice
    const { subject, text } = notices[name]
    const email = await renderEmail({
      subject,
      preview: emailsTexts.backupNotice.preview,
      title,
      branding,
      children: [
        paragraph(fill(text, { admin, host })),
        paragraph(notMeant),
        button(label, `${branding.siteUrl}/admin/settings/webhook`),
      ],
    })
    return { kind: 'webhook_changed', email: { ...email, to, replyTo: branding.authorEmail } }
  },
})

export async function sendWebhookNotice(
  tx: Transaction,
  { queue, clock }: Pick<SettingsShop, 'queue' | 'clock'>,
  sent: Omit<z.infer<typeof payload>, 'email'>,
): Promise<void> {
  for (const email of await listAdminEmails(tx, clock))
    await queue.enqueue(tx, webhookNoticeJob, { ...sent, email })
}
