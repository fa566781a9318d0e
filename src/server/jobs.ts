// Every job there is, and how one is run.
import { contactForwardJob, contactNoticeJob } from './shop/contact.ts'
import { endOthersJob } from './shop/payments/end-others.ts'
import { paymentEventJob } from './shop/payments/events.ts'
import { refundMailJob } from './shop/payments/refund-mail.ts'
import { refundJob } from './shop/payments/refunds.ts'
import { receiptJob } from './shop/receipts.ts'
import { shippedMailJob } from './shop/shipments/mail.ts'
import type { Job } from './job.ts'
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
