// Every job there is, and how one is run.
import { contactForwardJob, contactNoticeJob } from '#features/messages/contact.ts'
import { endOthersJob } from '#features/payments/end-others.ts'
import { paymentEventJob } from '#features/payments/events.ts'
import { refundMailJob } from '#features/payments/refund-mail.ts'
import { refundJob } from '#features/payments/refunds.ts'
import { receiptJob } from '#features/purchases/receipts.ts'
import { shippedMailJob } from '#features/shipping/shipped-mail.ts'
import type { Job } from '#platform/job.ts'
import type { Services } from './services.ts'

export function allJobs({ auth }: Pick<Services, 'auth'>): Job<never>[] {
  return [
    receiptJob,
    contactNoticeJob,
    contactForwardJob,
    paymentEventJob,
    refundJob,
    endOthersJob,
    shippedMailJob,
    refundMailJob,
    ...auth.jobs,
  ] as Job<never>[]
}

/** Takes jobs until the queue is stopped. A job that throws is tried again, later and later. */
export async function startWorkers(services: Services): Promise<void> {
  await services.queue.work(async (job, payload, attempt) => {
    try {
      await job.run(services, payload, attempt)
    } catch (error) {
      const level = attempt.isLast ? 'error' : 'warn'
      services.log[level](
        { err: error, job: job.name, id: attempt.id, attempt: attempt.number },
        'a job failed',
      )
      throw error
    }
  })
}
