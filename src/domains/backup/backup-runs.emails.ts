// Emails about a backup or a rehearsal that failed, and about what an admin has changed of backups.
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { button, paragraph, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type Rendered, type MailBranding } from '#domains/mail/email-layout.ts'
import type { BackupRunKind } from '#contract/backup/backups.ts'

type FailedRun = { kind: BackupRunKind; place: string | null; problems: string[]; branding: MailBranding }

export function backupFailedEmail({ kind, place, problems, branding }: FailedRun): Promise<Rendered> {
  const title = emailsTexts.backup.titles[kind]
  const rehearsed = place ? fill(emailsTexts.backup.rehearsedIn, { place }) : emailsTexts.backup.rehearsed
  return renderEmail({
    subject: title,
    preview: problems[0] ?? title,
    title,
    branding,
    children: [
      paragraph(kind === 'backup' ? emailsTexts.backup.failed : rehearsed),
      quotation(problems.join('\n')),
      paragraph(emailsTexts.backup.next),
      button(emailsTexts.backup.button, `${branding.siteUrl}/admin/backups`),
    ],
  })
}

export type BackupNotice = 'place' | 'no_place' | 'passphrase' | 'download'

type Notice = { notice: BackupNotice; admin: string; place: string; branding: MailBranding }

export function backupNoticeEmail({ notice, admin, place, branding }: Notice): Promise<Rendered> {
  const { preview, title, notMeant } = emailsTexts.backupNotice
  const { subject, text } = emailsTexts.backupNotice.notices[notice]
  return renderEmail({
    subject,
    preview,
    title,
    branding,
    children: [
      paragraph(fill(text, { admin, place })),
      paragraph(notMeant),
      button(emailsTexts.backup.button, `${branding.siteUrl}/admin/backups`),
    ],
  })
}
