import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryFirst, queryOne } from '#platform/db/query.ts'
import { platformProblem } from '#platform/problem.ts'
import { deliveryProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import type { WithLetterhead } from '#domains/mail/letterhead.ts'
import { product_files, products } from '#tables/products.ts'
import type { Announcement } from '#contract/delivery/editions.ts'
import { findSampleMail, isOwnerBefore, wantsEditions } from './edition-email-job.ts'
import { queueEditionMails } from './queue-edition-mails.ts'
import { edition_announcements } from '#tables/editions.ts'

/** Who is to be told of a file. */
const ownersOf = (file_id: string) => sql`
  select distinct p.user_id from purchases p, product_files f
  where f.id = ${file_id} and ${isOwnerBefore} and ${isEntitled(sql`p`)} and ${wantsEditions(sql`p.user_id`)}`

const counted = z.object({
  announced_at: isoTime.nullable(),
  is_paused: z.boolean(),
  waiting: z.number(),
  under_way: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
})

export async function getAnnouncement(
  services: Services & WithLetterhead,
  file_id: string,
): Promise<Announcement> {
  const { db, mail, settings } = services
  const sample = await findSampleMail(db, file_id)
  if (!sample) throw platformProblem('request.not_found')
  const { announced_at, is_paused, ...counts } = await queryOne(
    db,
    counted,
    sql`
      select (select created_at from edition_announcements where file_id = ${file_id}) as announced_at,
        exists (select from edition_announcements where file_id = ${file_id} and paused_at is not null) as is_paused,
        count(*) filter (where queued_at is null) as waiting,
        count(*) filter (where queued_at is not null and outcome is null) as under_way,
        count(*) filter (where outcome = 'sent') as sent,
        count(*) filter (where outcome = 'skipped') as skipped,
        count(*) filter (where outcome = 'failed') as failed
      from edition_mails where file_id = ${file_id}`,
  )
  const isOver = counts.waiting + counts.under_way === 0
  const { product_id, product_name, file_format, edition, changes, is_newest } = sample
  const told = isOver ? 'done' : is_paused ? 'paused' : 'under_way'
  return {
    product: { id: product_id, name: product_name },
    file_format,
    edition,
    changes,
    is_newest,
    state: announced_at === null ? 'none' : told,
    announced_at,
    owners: announced_at === null ? await countOwners(db, file_id) : sumOf(counts),
    counts,
    is_mail_kept: mail.isKept(),
    per_hour: settings.get().mail.bulk_per_hour,
    mail: await composeSample(services, sample),
  }
}

const sumOf = (counts: Announcement['counts']) => Object.values(counts).reduce((sum, count) => sum + count, 0)

async function countOwners(db: Db, file_id: string): Promise<number> {
  const query = sql`select count(*) from (${ownersOf(file_id)}) owners`
  return (await queryOne(db, z.object({ count: z.number() }), query)).count
}

type Sample = NonNullable<Awaited<ReturnType<typeof findSampleMail>>>

async function composeSample({ composeMail }: WithLetterhead, sample: Sample) {
  const { editionEmail } = await import('./edition-email.ts')
  const { subject, text } = await composeMail((letterhead) =>
    editionEmail(
      { ...sample, to: '', name: null, is_guest: false, choicesUrl: `${letterhead.siteUrl}/emails/…` },
      letterhead,
    ),
  )
  return { subject, text }
}

/** Once for each edition: a repeated call changes nothing. */
export async function announce(
  services: Services,
  actor: Actor,
  file_id: string,
  changes: string,
): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const file = await lockFile(tx, file_id)
    const now = clock()
    const announced = await tx
      .insert(edition_announcements)
      .values({ file_id, created_at: now })
      .onConflictDoNothing()
      .returning()
    if (announced.length === 0) return
    if (!file.is_released) throw deliveryProblem('editions.not_released')
    if (!file.is_newest) throw deliveryProblem('editions.not_newest')
    await tx.update(product_files).set({ changes }).where(eq(product_files.id, file_id))
    await tx.execute(
      sql`insert into edition_mails (file_id, user_id) select ${file_id}, user_id from (${ownersOf(file_id)}) owners`,
    )
    await recordEditionEvent(tx, actor, file, 'editions.announced')
  })
  await queueEditionMails(services)
}

export async function setPaused(
  services: Services,
  actor: Actor,
  file_id: string,
  isPaused: boolean,
): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const file = await lockFile(tx, file_id)
    const isOther = isPaused ? sql`paused_at is null` : sql`paused_at is not null`
    const changed = await tx
      .update(edition_announcements)
      .set({ paused_at: isPaused ? clock() : null })
      .where(sql`file_id = ${file_id} and ${isOther}`)
      .returning()
    if (changed.length > 0)
      await recordEditionEvent(tx, actor, file, isPaused ? 'editions.paused' : 'editions.resumed')
  })
  if (!isPaused) await queueEditionMails(services)
}

const lockedFile = z.object({
  product_id: z.string(),
  name: z.string(),
  file_format: z.string(),
  edition: z.number(),
  is_newest: z.boolean(),
  is_released: z.boolean(),
})

async function lockFile(tx: Transaction, file_id: string) {
  const file = await queryFirst(
    tx,
    lockedFile,
    sql`
      select f.product_id, p.name, is_released(p) as is_released, f.file_format, f.edition, f.edition = (
        select max(edition) from ${product_files} newest
        where newest.product_id = f.product_id and newest.file_format = f.file_format) as is_newest
      from ${product_files} f join ${products} p on p.id = f.product_id where f.id = ${file_id} for update of f`,
  )
  if (!file) throw platformProblem('request.not_found')
  return file
}

async function recordEditionEvent(
  tx: Transaction,
  actor: Actor,
  { name: subject, product_id: subject_id, file_format, edition }: z.output<typeof lockedFile>,
  action: 'editions.announced' | 'editions.paused' | 'editions.resumed',
) {
  await recordAuditEvent(tx, actor, { action, subject, subject_id, detail: { file_format, edition } })
}
