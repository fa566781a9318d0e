import { button, paragraph, quotation } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'
import type { BackupRunKind } from './contract/backups.ts'

type Run = { kind: BackupRunKind; place: string | null; problems: string[]; letterhead: Letterhead }

const titles = {
  backup: 'Your shop’s backup needs you',
  rehearsal: 'Your newest backup cannot be restored',
  restore: 'The restore did not finish',
} satisfies Record<BackupRunKind, string>

export function backupFailedEmail({ kind, place, problems, letterhead }: Run): Promise<Rendered> {
  const title = titles[kind]
  return renderEmail({
    subject: title,
    preview: problems[0] ?? title,
    title,
    letterhead,
    children: [
      paragraph(
        kind === 'backup'
          ? 'The backup of your shop has failed, or is not complete:'
          : `Your shop has rehearsed a restore of its newest backup${place ? ` in ${place}` : ''}, as it does every week, and found this:`,
      ),
      quotation(problems.join('\n')),
      paragraph(
        'The shop goes on selling. Look at Backups in the admin area, put it right, and make a backup there: it writes again what is damaged in a place of backups.',
      ),
      button('Open Backups', `${letterhead.siteUrl}/admin/backups`),
    ],
  })
}
