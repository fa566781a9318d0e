// The receipts of an address, mailed again to a reader who looks for a purchase. Only the job finds out whether there are
// any: the response does the same work for every address.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { defineJob } from '#platform/queue.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { isMailable } from './entitlements.ts'
import { sendReceipt } from './receipts.ts'

export const maxReceipts = 3

export const receiptsAgainJob = defineJob({
  name: 'orders.receipts_again',
  payload: z.object({ email: z.string(), count: z.int() }),
  async run(services: CommerceShop, { email, count }) {
    for (const { id } of await findNewest(services.db, email, count))
      await sendReceipt(services, { purchase_id: id })
  },
})

type Request = { email: string; isLastOfDay: boolean }

/** The last email of a day is one alone (accounts/mail-limits.ts). */
export function requestReceipts({ db, queue }: CommerceShop, { email, isLastOfDay }: Request): Promise<void> {
  return queue.enqueue(db, receiptsAgainJob, { email, count: isLastOfDay ? 1 : maxReceipts })
}

/** Leaves out copies that were given, which have no receipt. */
function findNewest(db: Db, email: string, count: number) {
  return queryAll(
    db,
    z.object({ id: z.string() }),
    sql`
      select b.id from auth.users a join purchases b on b.user_id = a.id
      where lower(a.email) = ${email} and not b.is_given and b.gift_of is null and ${isMailable(sql`b`)}
      order by b.created_at desc, b.id desc limit ${count}`,
  )
}
