// The list of all background jobs, and their workers.
import { accountMailJob } from '#domains/accounts/account.emails.ts'
import { addressMailJob } from '#domains/accounts/address-changes.jobs.ts'
import { backupNoticeJob } from '#domains/backup/backup-notices.ts'
import { backupFailedJob } from '#domains/backup/backup-runs.ts'
import { grantMailJob } from '#domains/delivery/grants.ts'
import { authorEmailJob } from '#domains/mail/author-emails.jobs.ts'
import { webhookJob } from '#domains/mail/webhook-deliveries.ts'
import { webhookNoticeJob } from '#domains/settings/webhook-notices.ts'
import { contactForwardJob, contactNoticeJob } from '#domains/readers/received-messages.ts'
import { excerptJob } from '#domains/readers/excerpt.emails.ts'
import { lettersConfirmJob } from '#domains/readers/letters.emails.ts'
import { replyJob, movedAwayJob } from '#domains/readers/readers.emails.ts'
import { endOthersJob } from '#domains/payments/open-checkout.ts'
import { endOldPricesJob } from '#domains/payments/old-prices.ts'
import { paymentEventJob } from '#domains/payments/events.ts'
import { outageMailJob } from '#domains/payments/outages.ts'
import { refundMailJob } from '#domains/payments/adjustments.ts'
import { refundJob } from '#domains/payments/refunds.ts'
import { scheduledEmailJob } from '#domains/mail/scheduled-emails.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import { receiptsAgainJob } from '#domains/orders/receipts-again.ts'
import { waitlistConfirmJob } from '#domains/delivery/waitlist.ts'
import { shippedMailJob } from '#domains/orders/shipments.ts'
import { declarationMailJob } from '#domains/payments/declarations.ts'
import { withdrawalMailJob } from '#domains/payments/withdrawals.ts'
import { bindJob, type BoundJob, type Job } from '#platform/queue.ts'
import type { Shop } from './shop.ts'

/** A new shop has a queue for each. */
export const jobs: readonly Job<unknown, Shop>[] = [
  receiptJob,
  receiptsAgainJob,
  contactNoticeJob,
  replyJob,
  authorEmailJob,
  contactForwardJob,
  paymentEventJob,
  refundJob,
  endOthersJob,
  endOldPricesJob,
  grantMailJob,
  waitlistConfirmJob,
  lettersConfirmJob,
  excerptJob,
  shippedMailJob,
  movedAwayJob,
  scheduledEmailJob,
  refundMailJob,
  outageMailJob,
  withdrawalMailJob,
  declarationMailJob,
  accountMailJob,
  addressMailJob,
  backupFailedJob,
  backupNoticeJob,
  webhookJob,
  webhookNoticeJob,
]

export const allJobs = (shop: Shop): BoundJob[] => jobs.map((job) => bindJob(job, shop))

export async function startWorkers({ queue, log }: Pick<Shop, 'queue' | 'log'>): Promise<void> {
  await queue.work(async (job, payload, attempt) => {
    try {
      await job.run(payload, attempt)
    } catch (error) {
      const level = attempt.isLast ? 'error' : 'warn'
      log[level]({ err: error, job: job.name, id: attempt.id, attempt: attempt.number }, 'a job failed')
      throw error
    }
  })
}
