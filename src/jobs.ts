import { accountMailJob } from '#features/accounts/account-mail.ts'
import { addressMailJob } from '#features/accounts/address-mail.ts'
import { backupFailedJob } from '#features/backup/backup-failed-email-job.ts'
import { editionMailJob } from '#features/editions/edition-email-job.ts'
import { giftMailJob } from '#features/gifts/gift-email-job.ts'
import { authorEmailJob } from '#features/author-emails/author-emails.ts'
import { contactForwardJob, contactNoticeJob } from '#features/messages/contact.ts'
import { replyJob } from '#features/messages/reply-email.ts'
import { endOthersJob } from '#features/payments/open-checkout.ts'
import { paymentEventJob } from '#features/payments/events.ts'
import { outageMailJob } from '#features/payments/outages.ts'
import { refundMailJob } from '#features/payments/refund-email-job.ts'
import { refundJob } from '#features/payments/refunds.ts'
import { movedAwayJob } from '#features/purchase-moves/moved-away-email.ts'
import { purchaseGiftMailJob } from '#features/purchase-gifts/purchase-gift-mail-job.ts'
import { receiptJob } from '#features/purchases/receipts.ts'
import { releaseMailJobs } from '#features/releases/release-email-job.ts'
import { waitlistConfirmJob, waitlistOutJob } from '#features/releases/waitlist-email-jobs.ts'
import { shippedMailJob } from '#features/shipping/ship.ts'
import { declarationMailJob } from '#features/payments/declaration-email-job.ts'
import { withdrawalMailJob } from '#features/payments/withdrawal-email-job.ts'
import { bindJob, type BoundJob } from '#platform/job.ts'
import type { Shop } from './shop.ts'

export function allJobs(shop: Shop): BoundJob[] {
  return [
    bindJob(receiptJob, shop),
    bindJob(contactNoticeJob, shop),
    bindJob(replyJob, shop),
    bindJob(authorEmailJob, shop),
    bindJob(contactForwardJob, shop),
    bindJob(paymentEventJob, shop),
    bindJob(refundJob, shop),
    bindJob(endOthersJob, shop),
    bindJob(giftMailJob, shop),
    bindJob(editionMailJob, shop),
    bindJob(releaseMailJobs.out, shop),
    bindJob(releaseMailJobs.moved, shop),
    bindJob(waitlistConfirmJob, shop),
    bindJob(waitlistOutJob, shop),
    bindJob(shippedMailJob, shop),
    bindJob(movedAwayJob, shop),
    bindJob(purchaseGiftMailJob, shop),
    bindJob(refundMailJob, shop),
    bindJob(outageMailJob, shop),
    bindJob(withdrawalMailJob, shop),
    bindJob(declarationMailJob, shop),
    bindJob(accountMailJob, shop),
    bindJob(addressMailJob, shop),
    bindJob(backupFailedJob, shop),
  ]
}

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
