import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import type { Services } from '#platform/services.ts'
import { ownersOf } from '#domains/orders/orders-of-product.ts'
import { queueBulkMails, type BulkList } from '#domains/mail/bulk-mails.ts'
import { waitlistOutJob } from './waitlist-email-jobs.ts'
import { releaseMail, releaseMailJobs } from './release-email-job.ts'

/** Puts those who have ordered what is out now on the list, once: not before there is a file. */
export async function startRelease(tx: Transaction, { clock }: Pick<Services, 'clock'>): Promise<void> {
  await tx.execute(sql`
    with out as (
      update products set release_queued_at = ${clock()}
      where release_on <= shop_day() and release_queued_at is null and delivery_gap(products) is null
      returning id, release_on)
    insert into release_mails (product_id, user_id, news, release_on)
    select out.id, owners.user_id, 'out', out.release_on from out, lateral ${ownersOf(sql`out.id`)} owners
    on conflict do nothing`)
}

export async function releaseProducts(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await services.db.transaction((tx) => startRelease(tx, services))
}

const taken = releaseMail.extend({ mail_id: z.string() })

export const releaseMailList: BulkList = {
  async take(tx, { queue, clock }, limit) {
    const next = await queryAll(
      tx,
      taken,
      sql`
        update release_mails m set queued_at = ${clock()}, mail_id = gen_random_uuid()
        from (
          select product_id, user_id, news, release_on from release_mails
          where queued_at is null order by product_id, user_id limit ${limit}) next
        where (m.product_id, m.user_id, m.news, m.release_on) = (next.product_id, next.user_id, next.news, next.release_on)
        returning m.product_id, m.user_id, m.news, m.release_on::text, m.mail_id`,
    )
    for (const { mail_id, ...payload } of next)
      await queue.enqueue(tx, releaseMailJobs[payload.news], payload, mail_id)
    return next.length
  },
}

const waitlistEntry = z.object({ id: z.string(), mail_id: z.string() })

export const waitlistMailList: BulkList = {
  async take(tx, { queue, clock }, limit) {
    const next = await queryAll(
      tx,
      waitlistEntry,
      sql`
        update release_waitlist w set queued_at = ${clock()}, mail_id = gen_random_uuid()
        from (
          select w.id from release_waitlist w join products p on p.id = w.product_id
          where p.release_queued_at is not null and w.confirmed_at is not null and w.queued_at is null
          order by w.product_id, w.id limit ${limit}) next
        where w.id = next.id
        returning w.id, w.mail_id`,
    )
    for (const { mail_id, id } of next) await queue.enqueue(tx, waitlistOutJob, { id }, mail_id)
    return next.length
  },
}

export const queueReleaseMails = (services: Parameters<typeof queueBulkMails>[0]) =>
  queueBulkMails(services, [releaseMailList, waitlistMailList])
