// The announcement of an edition: who gets its email, when it is sent, and how it is paused.
import { sql, type SQL } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { platformProblem } from '#platform/problem.ts'
import type { Announcement } from '#contract/delivery/editions.ts'
import { edition_announcements } from '#tables/delivery.ts'
import { z } from 'zod'
import { queryFirst, isoTime, queryOne } from '#platform/db/query.ts'
import { hasNoPassword, isGuestAccount } from '#domains/accounts/accounts.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { countEmails, queueScheduledEmails, scheduleEmails, setDue } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmailKind } from '#domains/mail/shop.ts'
import { fileFormat } from '#contract/catalog/products.ts'
import { deliveryProblem } from './problem.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { product_files, products } from '#tables/catalog.ts'
import { setChanges } from '#domains/catalog/products.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { findChoicesToken } from './edition-choices.ts'
import { previewEmail } from '#domains/mail/mail-previews.ts'
import type { MailPreview } from '#contract/mail/mail-preview.ts'

export const edition: ScheduledEmailKind = {
  isBulk: true,
  async compose(db, { about: file_id, user_id }, branding) {
    const mail = user_id && (await findEditionMail(db, { file_id, user_id }))
    if (!mail) return undefined
    const { editionEmail } = await import('./editions.emails.ts')
    const choicesUrl = `${branding.siteUrl}/emails/${await findChoicesToken(db, user_id)}`
    const email = await editionEmail({ ...mail, choicesUrl }, branding)
    return { kind: 'edition', email, isUnimportant: true }
  },
}

const editionOfFile = {
  product_name: z.string(),
  edition: z.number(),
  changes: z.string(),
  files: z.array(z.object({ file_format: fileFormat, edition: z.number() })),
}
const editionMail = z.object({
  to: z.string(),
  name: z.string().nullable(),
  is_guest: z.boolean(),
  has_no_password: z.boolean(),
  is_buyer: z.boolean(),
  ...editionOfFile,
})

const columnsOfFile = sql`
  product.name as product_name, f.edition, f.changes, (
    select jsonb_agg(jsonb_build_object('file_format', file_format, 'edition', edition) order by file_format) from (
      select file_format, max(edition) as edition from product_files
      where product_id = f.product_id group by file_format) newest) as files`

/** A purchase `p` gives the product of a file `f`, and was there before the file. */
const isOwnerBefore: SQL = sql`(p.user_id is not null and p.created_at < f.created_at and (p.product_id = f.product_id
  or p.product_id in (select i.bundle_id from bundle_items i where i.product_id = f.product_id)))`

/** The owner of the purchase `p` has paid for it. */
const isBought: SQL = sql`(p.amount > 0 and not p.is_given and p.gift_of is null)`

/** The reader with this user_id gets these emails. */
const wantsEditions = (user_id: SQL): SQL => sql`(
  exists (select from profiles where profiles.user_id = ${user_id} and profiles.email <> '')
  and not exists (select from mail_choices c where c.user_id = ${user_id} and not c.has_editions))`

/** Undefined for who has no right to it any more, has turned these emails off or is told of a newer one. */
async function findEditionMail(db: Db, { file_id, user_id }: { file_id: string; user_id: string }) {
  return queryFirst(
    db,
    editionMail,
    sql`
      select owner.email as to, reader_name(owner.user_id) as name, ${isGuestAccount(sql`owner.user_id`)} as is_guest,
        ${hasNoPassword(sql`owner.user_id`)} as has_no_password,
        exists (select from purchases p where p.user_id = owner.user_id and ${isOwnerBefore} and ${isEntitled(sql`p`)}
          and ${isBought}) as is_buyer,
        ${columnsOfFile}
      from product_files f join products product on product.id = f.product_id
        join profiles owner on owner.user_id = ${user_id}
      where f.id = ${file_id} and ${wantsEditions(sql`owner.user_id`)}
        and exists (select from purchases p where p.user_id = owner.user_id and ${isOwnerBefore} and ${isEntitled(sql`p`)})
        and not exists (select from product_files newer join edition_announcements a on a.file_id = newer.id
          where newer.product_id = f.product_id and newer.file_format = f.file_format and newer.edition > f.edition)`,
  )
}

const shownEdition = z.object({
  ...editionOfFile,
  product_id: z.string(),
  file_format: fileFormat,
  is_newest: z.boolean(),
})

async function findEdition(db: Db, file_id: string) {
  return queryFirst(
    db,
    shownEdition,
    sql`
      select ${columnsOfFile}, f.product_id, f.file_format, f.edition = (select max(edition) from product_files newest
        where newest.product_id = f.product_id and newest.file_format = f.file_format) as is_newest
      from product_files f join products product on product.id = f.product_id
      where f.id = ${file_id}`,
  )
}

const toldOf = (file_id: string) => sql`
  from purchases p, product_files f
  where f.id = ${file_id} and ${isOwnerBefore} and ${isEntitled(sql`p`)} and ${wantsEditions(sql`p.user_id`)}`

/** Selects who is to be told of a file, as `scheduleEmails` takes them. */
const ownersOf = (file_id: string) => sql`select distinct f.id, p.user_id, '' ${toldOf(file_id)}`

/** Selects the same readers, and whether they are buyers. */
const readersOf = (file_id: string) => sql`
  select p.user_id, bool_or(${isBought}) as is_buyer ${toldOf(file_id)} group by p.user_id`

const announcement = z.object({ created_at: isoTime, is_paused: z.boolean() })

export async function getAnnouncement(services: CommerceShop, file_id: string): Promise<Announcement> {
  const { db, mail, settings } = services
  const sample = await findEdition(db, file_id)
  if (!sample) throw platformProblem('request.not_found')
  const announced = await queryFirst(
    db,
    announcement,
    sql`
      select created_at, paused_at is not null as is_paused from edition_announcements where file_id = ${file_id}`,
  )
  const counts = await countEmails(db, 'edition', file_id)
  const isOver = counts.waiting + counts.under_way === 0
  const { product_id, product_name, file_format, edition, changes, is_newest } = sample
  const told = isOver ? 'done' : announced?.is_paused ? 'paused' : 'under_way'
  return {
    product: { id: product_id, name: product_name },
    file_format,
    edition,
    changes,
    is_newest,
    state: announced ? told : 'none',
    announced_at: announced?.created_at ?? null,
    ...(await countReaders(db, file_id)),
    ...(announced && { owners: sumOf(counts) }),
    counts,
    is_mail_unsent: !mail.sendsMail(),
    per_hour: settings.get().mail.bulk_per_hour,
  }
}

const sumOf = (counts: Announcement['counts']) => Object.values(counts).reduce((sum, count) => sum + count, 0)

const readerCounts = z.object({ owners: z.number(), buyers: z.number() })

function countReaders(db: Db, file_id: string) {
  const query = sql`
    select count(*) as owners, count(*) filter (where is_buyer) as buyers from (${readersOf(file_id)}) readers`
  return queryOne(db, readerCounts, query)
}

const firstReader = editionMail.pick({ to: true, name: true, is_guest: true, has_no_password: true })

/** Makes the email of the first reader, with what is typed about the changes; its links open nothing. */
export async function previewAnnouncement(
  services: CommerceShop,
  user: { id: string; session_id: string },
  file_id: string,
  { changes, is_buyer }: { changes: string; is_buyer: boolean },
): Promise<MailPreview> {
  const { db } = services
  const edition = await findEdition(db, file_id)
  if (!edition) throw platformProblem('request.not_found')
  const first = await queryFirst(
    db,
    firstReader,
    sql`
      select owner.email as to, reader_name(owner.user_id) as name, ${isGuestAccount(sql`owner.user_id`)} as is_guest,
        ${hasNoPassword(sql`owner.user_id`)} as has_no_password
      from (${readersOf(file_id)}) reader join profiles owner on owner.user_id = reader.user_id
      where reader.is_buyer = ${is_buyer} order by owner.created_at, owner.user_id limit 1`,
  )
  const reader = first ?? { to: '', name: null, is_guest: false, has_no_password: false }
  const { editionEmail } = await import('./editions.emails.ts')
  return previewEmail(services, user, (branding) =>
    editionEmail(
      { ...edition, ...reader, is_buyer, changes, choicesUrl: `${branding.siteUrl}/emails/…` },
      branding,
    ),
  )
}

/** Once for each edition: a repeated call changes nothing. */
export async function announce(
  services: CommerceShop,
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
    await setChanges(tx, file_id, changes)
    await scheduleEmails(tx, 'edition', ownersOf(file_id), now)
    await recordEditionEvent(tx, actor, file, 'editions.announced')
  })
  await queueScheduledEmails(services)
}

export async function setPaused(
  services: CommerceShop,
  actor: Actor,
  file_id: string,
  isPaused: boolean,
): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const file = await lockFile(tx, file_id)
    const isOther = isPaused ? sql`paused_at is null` : sql`paused_at is not null`
    const now = clock()
    const { rowCount } = await tx
      .update(edition_announcements)
      .set({ paused_at: isPaused ? now : null })
      .where(sql`file_id = ${file_id} and ${isOther}`)
    if (!rowCount) return
    await setDue(tx, 'edition', file_id, isPaused ? null : now)
    await recordEditionEvent(tx, actor, file, isPaused ? 'editions.paused' : 'editions.resumed')
  })
  if (!isPaused) await queueScheduledEmails(services)
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
