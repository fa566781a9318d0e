import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '#platform/job.ts'
import type { Services } from '../../services.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { post } from '../mails/send-mail.ts'
import { backup_runs } from './schema.ts'

export const backupFailedJob = defineJob({
  name: 'mail.backup-failed',
  payload: z.object({ run_id: z.uuid() }),
  async run(services: Services & WithLetterhead, { run_id }, attempt) {
    const [run] = await services.db.select().from(backup_runs).where(eq(backup_runs.id, run_id))
    if (!run) return
    const letterhead = await services.letterhead()
    const { backupFailedEmail } = await import('./backup-failed-email.ts')
    const email = await backupFailedEmail({ ...run, letterhead })
    await post(services, attempt, { kind: 'backup_failed', email: { ...email, to: letterhead.authorEmail } })
  },
})
