// The day of a product. Until then it is a pre-order: paid at once, and to be had on the day.
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { deliveryProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import { countOrdered, ownersOf } from '#domains/orders/orders-of-product.ts'
import type { WithCatalogue } from '#domains/catalog/catalogue.ts'
import { changeCatalogue, lockProduct, recordProductEvent } from '#domains/catalog/change-products.ts'
import { products } from '#tables/products.ts'
import { queueReleaseMails, startRelease } from './queue-release-mails.ts'

const maxDaysAhead = 731

const facts = z.object({
  today: z.string(),
  is_too_late: z.boolean(),
  is_future: z.boolean(),
  is_released: z.boolean(),
  ordered: z.number(),
  is_awaited: z.boolean(),
})

type Facts = z.output<typeof facts>

/** Who has ordered it is told of each new day. Without a day, or with one that has begun, it is out now. */
export async function setRelease(
  services: Services & WithCatalogue,
  actor: Actor,
  id: string,
  wanted: string | null,
): Promise<void> {
  await changeCatalogue(services, async (tx) => {
    const before = await lockProduct(tx, id)
    const found = await readFacts(tx, id, wanted)
    if (found.is_too_late) throw deliveryProblem('releases.too_late')
    if (found.is_future && found.is_released && found.ordered > 0)
      throw deliveryProblem('releases.already_out')
    const day = found.is_future ? wanted : dayOfNow(found, before)
    if (day === before.release_on) return
    const set = { release_on: day, release_queued_at: null, updated_at: services.clock() }
    await tx.update(products).set(set).where(eq(products.id, id))
    const detail = { release_on: { from: before.release_on, to: day } }
    await recordProductEvent(tx, actor, before, { action: 'products.changed', detail })
    if (found.is_future && !found.is_released)
      await tx.execute(sql`
        insert into release_mails (product_id, user_id, news, release_on)
        select ${id}, owners.user_id, 'moved', ${day} from ${ownersOf(sql`${id}::uuid`)} owners
        on conflict (product_id, user_id, news, release_on) do update set queued_at = null, mail_id = null, outcome = null`)
    if (day !== null && !found.is_future) await startRelease(tx, services)
  })
  await queueReleaseMails(services)
}

/** What was ordered or is awaited keeps a day: the money-back period and the emails begin with it. */
function dayOfNow({ ordered, is_awaited, is_released, today }: Facts, before: { release_on: string | null }) {
  if (ordered === 0 && !is_awaited) return null
  return is_released ? before.release_on : today
}

function readFacts(tx: Transaction, id: string, wanted: string | null) {
  const query = sql`
    select shop_day()::text as today, coalesce(${wanted}::date > shop_day(), false) as is_future,
      coalesce(${wanted}::date > shop_day() + ${maxDaysAhead}::int, false) as is_too_late,
      is_released(products) as is_released, ${countOrdered(sql`products.id`)} as ordered,
      exists (select from release_waitlist w where w.product_id = products.id and w.queued_at is null) as is_awaited
    from products where id = ${id}`
  return queryOne(tx, facts, query)
}
