// A purchase leads to its file by a signed link that lives minutes and is checked again whenever it is used.
import { dayMs } from '#contract/durations.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { and, between, desc, eq, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { dashboardTexts } from '#words/dashboard.ts'
import { responsesTexts } from '#words/refusals.ts'
import { fill } from '#words/texts.ts'
import { formatDay } from '#contract/intl.ts'
import { type Release, fileFormat, mediaTypes, type FileFormat } from '#contract/catalog/products.ts'
import { platformProblem, Problem } from '#platform/problem.ts'
import { deliveryProblem } from './problem.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { deleteBatches, queryFirst } from '#platform/db/query.ts'
import { requireAccess } from '#domains/orders/guest-orders.ts'
import {
  accessClaim,
  linkSeconds,
  readClaim,
  readSigned,
  requireHolder,
  sessionClaim,
  writeLink,
  type AccessHolder,
  type LinkHolder,
} from '#platform/signed-links.ts'
import { wasCompleted, isEntitled } from '#domains/orders/entitlements.ts'
import { evidenceDays } from '#contract/delivery/editions.ts'
import { downloads } from '#tables/delivery.ts'
import type { Db } from '#platform/db/client.ts'
import { isOfProduct, isReleased, newestFiles, pendingRelease } from '#domains/catalog/product-sql.ts'
import { products } from '#tables/catalog.ts'
import { purchases } from '#tables/orders.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

/** Selects for a row of purchases each edition that was the newest of its format then, or came later. */
export const ownedEditions = sql`(
  select f.product_id, f.file_path, f.file_format, f.title, f.edition, f.changes, f.created_at,
    f.lost_at is not null as is_lost
  from product_files f join products source on source.id = f.product_id
  where source.is_digital and is_released(source) and is_released(${products}) and ${isOfProduct} and not exists (
    select from product_files newer where newer.product_id = f.product_id and newer.file_format = f.file_format
      and newer.edition > f.edition and newer.created_at <= ${purchases.created_at})
)`

type Caller = { ip: string | undefined; user_agent: string | undefined }

/** A link to the newest file. For one that is stored elsewhere, this is the first use: the shop does not see the next. */
export async function requestDownload(
  services: CommerceShop,
  request: (LinkHolder | AccessHolder) & WantedFile,
  caller: Caller,
) {
  const { db, storage, clock, log } = services
  if ('access' in request) await requireAccess(services, accessOf(request))
  const isOwn = 'access' in request ? sql`true` : eq(purchases.user_id, request.user_id)
  const boughtFile = await findBoughtFile(db, request, isOwn)
  if (!boughtFile) throw orderProblem('purchases.not_found')
  if (!boughtFile.is_entitled) throw notEntitled(boughtFile)
  if (!boughtFile.is_digital) throw deliveryProblem('downloads.unavailable')
  const id = uuidv7()
  const { purchase_id } = request
  const { file_path, title, download_url: url } = boughtFile
  const expires_in = linkSeconds.downloads
  if (!file_path || !title) {
    if (boughtFile.release) throw notReleased(boughtFile.release)
    if (!url || request.edition !== undefined) throw deliveryProblem('downloads.unavailable')
    await db.insert(downloads).values({ id, purchase_id, file_path: url, started_at: clock(), ...caller })
    return { url, file_name: boughtFile.name, file_size: 0, expires_in }
  }
  if (boughtFile.is_lost) throw catalogProblem('downloads.lost')
  const file = await storage.stat(file_path)
  if (!file) {
    log.error({ purchase_id, file_path }, 'a sold file is not in storage')
    throw deliveryProblem('downloads.unavailable')
  }
  await db.insert(downloads).values({ id, purchase_id, file_path, sent_bytes: 0 })
  const link = writeLink(services, 'downloads', request, id)
  const file_name = `${title}.${boughtFile.file_format}`
  return { url: `/api/files/${link}`, file_name, file_size: file.size, expires_in }
}

function notEntitled({ was_completed }: { was_completed: boolean }): Problem {
  return orderProblem(
    'purchases.not_completed',
    was_completed ? { detail: responsesTexts.downloadEnded } : {},
  )
}

function notReleased({ on }: Release): Problem {
  const detail = fill(dashboardTexts.release.waits, { date: formatDay(on) })
  return deliveryProblem('downloads.not_released', { detail })
}

type OpenedFile = Awaited<ReturnType<typeof openDownload>>

const content = { content: z.uuid() }
const downloadClaim = z.union([sessionClaim.extend(content), accessClaim.extend(content)])

const wantedFile = z.object({
  is_entitled: z.boolean(),
  was_completed: z.boolean(),
  file_path: z.string(),
  file_format: fileFormat,
  title: z.string(),
  is_lost: z.boolean(),
  is_first: z.boolean(),
})

export async function openDownload(services: CommerceShop, token: string, caller: Caller) {
  const { db, storage, clock } = services
  const claim = readClaim(services, 'downloads', token, downloadClaim)
  const id = claim.content
  const isOwn = await requireOwn(services, claim)
  const query = sql`
    select ${isEntitled(sql`p`)} as is_entitled, ${wasCompleted(sql`p`)} as was_completed, d.file_path, f.file_format, f.title, f.lost_at is not null as is_lost, d.started_at is null as is_first
    from downloads d join purchases p on p.id = d.purchase_id join product_files f on f.file_path = d.file_path
    where d.id = ${id} and ${isOwn}`
  const row = await queryFirst(db, wantedFile, query)
  if (!row) throw platformProblem('request.not_found')
  if (!row.is_entitled) throw notEntitled(row)
  if (row.is_lost) throw catalogProblem('downloads.lost')
  const { file_path, file_format, title } = row
  const file = await storage.stat(file_path)
  if (!file) throw deliveryProblem('downloads.unavailable')
  if (row.is_first) {
    const isUnused = and(eq(downloads.id, id), isNull(downloads.started_at))
    const set = { started_at: clock(), ...caller }
    await db.update(downloads).set(set).where(isUnused)
  }
  const file_name = `${title}.${file_format}`
  return { ...file, id, file_path, file_name, media_type: mediaTypes[file_format] }
}

const linkedPurchase = z.object({ id: z.uuid(), product: z.string() })

/** The purchase that a link was made for, whether the link still works or not. Undefined where it cannot be read. */
export async function findLinkedPurchase(services: CommerceShop, token: string) {
  const claim = downloadClaim.safeParse(findSigned(services, token)).data
  if (!claim) return undefined
  const query = sql`
    select p.id, products.name as product
    from downloads d join purchases p on p.id = d.purchase_id join products on products.id = p.product_id
    where d.id = ${claim.content}`
  const row = await queryFirst(services.db, linkedPurchase, query)
  return row && { ...row, isOfGuest: 'access' in claim }
}

function findSigned(services: CommerceShop, token: string): unknown {
  try {
    return readSigned(services, 'downloads', token)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** A transfer that broke off counts, too: the next one goes on from there. */
export async function countSent(
  { db, clock }: CommerceShop,
  { id, size }: Pick<OpenedFile, 'id' | 'size'>,
  bytes: number,
): Promise<void> {
  const sent = sql`${downloads.sent_bytes} + ${bytes}::bigint`
  await db
    .update(downloads)
    .set({
      sent_bytes: sent,
      finished_at: sql`case when ${sent} >= ${size}::bigint then coalesce(${downloads.finished_at}, ${clock().toISOString()}::timestamptz) end`,
    })
    .where(eq(downloads.id, id))
}

/** The condition is on the purchase `p`. */
async function requireOwn(services: CommerceShop, holder: LinkHolder | AccessHolder): Promise<SQL> {
  if ('access' in holder) {
    await requireAccess(services, accessOf(holder))
    return sql`p.id = ${holder.purchase_id}`
  }
  return sql`p.user_id = ${(await requireHolder(services, holder)).id}`
}

function accessOf({ purchase_id, access }: AccessHolder) {
  return { purchase_id, hash: Buffer.from(access, 'hex') }
}

/** A link works for 15 minutes, and one that was not followed is shown nowhere. */
const unusedDays = 1
/** Unused links are looked for this far back; those of a shop that was off for longer go with the old ones. */
const lookBackDays = 7

/** The primary key finds the rows, since it begins with the time: the table has no other index for it. */
export async function sweepDownloads({ db, clock }: CommerceShop): Promise<void> {
  const { id, started_at } = downloads
  const firstId = (days: number) =>
    uuidv7({ msecs: clock().getTime() - days * dayMs, seq: 0, random: new Uint8Array(16) })
  await deleteBatches(db, id, lt(id, firstId(evidenceDays)))
  const isRecent = between(id, firstId(unusedDays + lookBackDays), firstId(unusedDays))
  await deleteBatches(db, id, and(isRecent, isNull(started_at)))
}

export type WantedFile = {
  purchase_id: string
  file_format?: FileFormat | undefined
  product_id?: string | undefined
  /** Undefined for the newest. */
  edition?: number | undefined
}

export async function findBoughtFile(
  db: Db,
  { purchase_id, file_format, product_id, edition }: WantedFile,
  isOwn: SQL,
) {
  const editions = sql`(select *, row_number() over (order by product_id, file_format) as nth
    from ${ownedEditions} owned where owned.edition = ${edition ?? null})`
  const [row] = await db
    .select({
      is_entitled: isEntitled(sql`${purchases}`),
      was_completed: wasCompleted(sql`${purchases}`),
      name: products.name,
      is_digital: products.is_digital,
      download_url: sql<string | null>`case when ${isReleased} then ${products.download_url} end`,
      release: pendingRelease,
      file_path: sql<string | null>`file.file_path`,
      file_format: sql`file.file_format`.mapWith((value) => fileFormat.nullable().parse(value)),
      title: sql<string | null>`file.title`,
      is_lost: sql<boolean | null>`file.is_lost`,
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(
      sql`lateral (select * from ${edition === undefined ? newestFiles : editions} files
        where (${file_format ?? null}::text is null or files.file_format = ${file_format ?? null})
          and (${product_id ?? null}::uuid is null or files.product_id = ${product_id ?? null})
        order by files.is_lost, files.nth limit 1) file`,
      sql`true`,
    )
    .where(and(eq(purchases.id, purchase_id), isOwn))
  return row
}

export async function findNewestWithFile(db: Db) {
  const hasFile = sql`exists (select from ${newestFiles} files where not files.is_lost)`
  const [purchase] = await db
    .select({ purchase_id: purchases.id, number: purchases.number })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .where(and(eq(products.is_digital, true), isEntitled(sql`${purchases}`), hasFile))
    .orderBy(desc(purchases.created_at), desc(purchases.id))
    .limit(1)
  return purchase
}
