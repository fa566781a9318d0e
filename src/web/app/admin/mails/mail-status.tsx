import type { MailStatus } from '#contract/mail/mails.ts'
import { Badge, type BadgeLook } from '../../../components/note.tsx'

export const mailStatusLooks: Record<MailStatus, { label: string; look: BadgeLook }> = {
  sent: { label: 'Sent', look: 'highlighted' },
  waiting: { label: 'Waiting', look: 'toned' },
  failed: { label: 'Failed', look: 'danger' },
  unsent: { label: 'Unsent', look: 'plain' },
}

export function MailStatusBadge({ status }: { status: MailStatus }) {
  const { label, look } = mailStatusLooks[status]
  return <Badge look={look}>{label}</Badge>
}
