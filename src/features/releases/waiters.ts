// Visitors who want to be told, once, that a product is out. Their address counts when its mailbox has confirmed it.
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { queryFirst } from '#platform/db/query.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { hashOf } from '../guest-checkout/purchase-access.ts'
import { isOnSale } from '../products/product-columns.ts'
import { waiterAskJob } from './waiter-email-jobs.ts'
import { release_waiters } from './schema.ts'

const pauseMinutes = 10
const unconfirmedDays = 7

/** Of several calls for one address, the first in ten minutes sends an email. */
export async function askToBeTold(
  { db, mail, queue, clock }: Pick<Services, 'db' | 'mail' | 'queue' | 'clock'>,
  product_id: string,
  email: string,
): Promise<void> {
  const isAwaited = sql`select from products where id = ${product_id} and not is_released(products) and ${isOnSale}`
  const { rowCount } = await db.execute(isAwaited)
  if (mail.isKept() || !rowCount) throw new Problem('releases.nothing_to_wait_for')
  const now = clock()
  const pauseAgo = new Date(now.getTime() - pauseMinutes * 60_000)
  await db.transaction(async (tx) => {
    const asked = await queryFirst(
      tx,
      z.object({ id: z.string() }),
      sql`
        insert into release_waiters (id, product_id, email, asked_at, created_at)
        values (${uuidv7()}, ${product_id}, ${email}, ${now}, ${now})
        on conflict (product_id, email) where email <> '' do update set asked_at = ${now}
          where release_waiters.confirmed_at is null and release_waiters.asked_at < ${pauseAgo}
        returning id`,
    )
    if (asked) await queue.enqueue(tx, waiterAskJob, asked)
  })
}

const found = z.object({ product_name: z.string() })

export async function confirmWait({ db, clock }: Pick<Services, 'db' | 'clock'>, token: string) {
  const waiter = await queryFirst(
    db,
    found,
    sql`
      update release_waiters w set confirmed_at = coalesce(w.confirmed_at, ${clock()}) from products p
      where p.id = w.product_id and w.hash = ${hashOf(token)} returning p.name as product_name`,
  )
  if (!waiter) throw new Problem('releases.link_over')
  return waiter
}

export async function endWait({ db }: Pick<Services, 'db'>, token: string) {
  const waiter = await queryFirst(
    db,
    found,
    sql`
      delete from release_waiters w using products p
      where p.id = w.product_id and w.hash = ${hashOf(token)} returning p.name as product_name`,
  )
  if (!waiter) throw new Problem('releases.link_over')
  return waiter
}

/** Those who never confirmed, and what is left of those who were told. */
export async function sweepWaiters({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * 86_400_000)
  const { confirmed_at, created_at, outcome, queued_at } = release_waiters
  await db
    .delete(release_waiters)
    .where(
      sql`${confirmed_at} is null and ${created_at} < ${before(unconfirmedDays)} or ${outcome} is not null and ${queued_at} < ${before(1)}`,
    )
}
