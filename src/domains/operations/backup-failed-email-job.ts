import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { backup_runs } from '#tables/backup.ts'

export const backupFailedJob = defineMailJob({
  name: 'mail.backup-failed',
  kinds: ['backup_failed'],
  payload: z.object({ run_id: z.uuid() }),
  async compose({ db, settings }, { run_id }, letterhead) {
    const [run] = await db.select().from(backup_runs).where(eq(backup_runs.id, run_id))
    if (!run || !settings.get().author_emails.failures) return undefined
    const { backupFailedEmail } = await import('./backup-failed-email.ts')
    const email = await backupFailedEmail({ ...run, letterhead })
    return { kind: 'backup_failed', email: { ...email, to: letterhead.authorEmail } }
  },
})
