// Emails tell all admins where copies of the shop go, what opens them, and that one was downloaded.
import { z } from 'zod'
import { isDeepStrictEqual } from 'node:util'
import { listAdminEmails } from '#domains/accounts/admin-rights.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import type { SettingsChange } from '#domains/settings/shop.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { SettingValues } from '../../config.ts'
import type { BackupNotice } from './backup-runs.emails.ts'
import { bucketLabel } from './bucket-address.ts'
import type { BackupShop } from './shop.ts'

const backupNotices = [
  'place',
  'no_place',
  'passphrase',
  'download',
] as const satisfies readonly BackupNotice[]

const payload = z.object({
  notice: z.enum(backupNotices),
  email: z.string(),
  admin: z.string(),
  place: z.string(),
})

export const backupNoticeJob = defineMailJob({
  name: 'mail.backup-notice',
  kinds: ['backups_changed'],
  payload,
  async compose(_services, { email: to, ...notice }, branding) {
    const { backupNoticeEmail } = await import('./backup-runs.emails.ts')
    const email = await backupNoticeEmail({ ...notice, branding })
    return { kind: 'backups_changed', email: { ...email, to, replyTo: branding.authorEmail } }
  },
})

type Sent = { notice: BackupNotice; admin: string; place?: string }

export async function sendBackupNotice(
  tx: Transaction,
  { queue, clock }: Pick<BackupShop, 'queue' | 'clock'>,
  { notice, admin, place = '' }: Sent,
): Promise<void> {
  for (const email of await listAdminEmails(tx, clock))
    await queue.enqueue(tx, backupNoticeJob, { notice, email, admin, place })
}

export async function notifyAdminsOfBackups(
  tx: Transaction,
  services: Pick<BackupShop, 'queue' | 'clock'>,
  { actor, before, next }: SettingsChange,
): Promise<void> {
  const admin = actor.email
  const place = next.backups
  const isNew = place.passphrase !== before.backups.passphrase
  if (isNew) await sendBackupNotice(tx, services, { notice: 'passphrase', admin })
  if (isDeepStrictEqual(withoutPassphrase(before.backups), withoutPassphrase(place))) return
  const notice = place.bucket ? 'place' : 'no_place'
  await sendBackupNotice(tx, services, { notice, admin, place: place.bucket && bucketLabel(place) })
}

function withoutPassphrase(backups: SettingValues['backups']) {
  return { ...backups, passphrase: undefined, former_passphrases: undefined }
}
