// The waitlist of a product: addresses that get one email on its release, once their mailbox has confirmed it.
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { queryFirst } from '#platform/db/query.ts'
import { deliveryProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { hashOf } from '#domains/orders/purchase-access.ts'
import { isOnSale } from '#domains/catalog/product-columns.ts'
import { waitlistConfirmJob } from './waitlist-email-jobs.ts'

const pauseMinutes = 10
const unconfirmedDays = 7
/** A product may be brought back. */
const archivedDays = 30
/** To an address that has not confirmed. */
const maxRequests = 3

/** Of several calls for one address, the first in ten minutes sends an email, and three altogether. */
export async function joinWaitlist(
  { db, mail, queue, clock }: Pick<Services, 'db' | 'mail' | 'queue' | 'clock'>,
  product_id: string,
  email: string,
): Promise<void> {
  const isAwaited = sql`select from products where id = ${product_id} and not is_released(products) and ${isOnSale}`
  const { rowCount } = await db.execute(isAwaited)
  if (mail.isKept() || !rowCount) throw deliveryProblem('releases.not_awaited')
  const now = clock()
  const pauseAgo = new Date(now.getTime() - pauseMinutes * 60_000)
  await db.transaction(async (tx) => {
    const requested = await queryFirst(
      tx,
      z.object({ id: z.string() }),
      sql`
        insert into release_waitlist (id, product_id, email, requested_at, created_at)
        values (${uuidv7()}, ${product_id}, ${email}, ${now}, ${now})
        on conflict (product_id, email) where email <> '' do update
          set requested_at = ${now}, requests = release_waitlist.requests + 1
          where release_waitlist.confirmed_at is null and release_waitlist.requested_at < ${pauseAgo}
            and release_waitlist.requests < ${maxRequests}
        returning id`,
    )
    if (requested) await queue.enqueue(tx, waitlistConfirmJob, requested)
  })
}

const found = z.object({ product_name: z.string() })

export async function confirmWaitlistEntry({ db, clock }: Pick<Services, 'db' | 'clock'>, token: string) {
  const entry = await queryFirst(
    db,
    found,
    sql`
      update release_waitlist w set confirmed_at = coalesce(w.confirmed_at, ${clock()}) from products p
      where p.id = w.product_id and w.hash = ${hashOf(token)} returning p.name as product_name`,
  )
  if (!entry) throw deliveryProblem('releases.link_over')
  return entry
}

export async function leaveWaitlist({ db }: Pick<Services, 'db'>, token: string) {
  const entry = await queryFirst(
    db,
    found,
    sql`
      delete from release_waitlist w using products p
      where p.id = w.product_id and w.hash = ${hashOf(token)} returning p.name as product_name`,
  )
  if (!entry) throw deliveryProblem('releases.link_over')
  return entry
}

/** Addresses that never confirmed, rows whose email is sent, and the waitlists of what is not offered any more. */
export async function sweepWaitlist({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * 86_400_000)
  await db.execute(sql`
    delete from release_waitlist w using products p where p.id = w.product_id and (
      w.confirmed_at is null and w.created_at < ${before(unconfirmedDays)}
      or w.outcome is not null and w.queued_at < ${before(1)}
      or p.archived_at < ${before(archivedDays)})`)
}
