// Ends checkouts that failed attempts have made all the same. No buyer is sent there: only a stored one is shown.
import type { Services } from '../../services.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { checkouts } from './schema.ts'
import { defineJob } from '#platform/job.ts'
import { Problem } from '../../problems.ts'

/** Clocks differ. */
const skewMs = 10 * 60_000

/** A job, as the list is of the whole account and may be long: no buyer waits for it. */
export const endOthersJob = defineJob({
  name: 'payments.end_others',
  /** `until`: when the last attempt had its response. */
  payload: z.object({ purchase_id: z.uuid(), until: z.iso.datetime() }),
  async run({ db, ...services }: Pick<Services, 'db' | 'payments'>, { purchase_id, until }) {
    const payments = services.payments.current()
    if (!payments) throw new Problem('payments.not_set')
    const [stored] = await db
      .select({ session_id: checkouts.session_id, created_at: checkouts.created_at })
      .from(checkouts)
      .where(eq(checkouts.purchase_id, purchase_id))
    if (!stored) return
    const from = new Date(stored.created_at.getTime() - skewMs)
    const to = new Date(new Date(until).getTime() + skewMs)
    const open = await payments.listOpenCheckouts({ purchase_id, from, to })
    for (const id of open) if (id !== stored.session_id) await payments.endCheckout(id)
  },
})
