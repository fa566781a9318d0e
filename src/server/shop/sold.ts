// Purchases as the desk finds them: each way of finding ends after a page, however many there are.
import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Page } from '#contract/paging.ts'
import type { SoldPurchase } from '#contract/sales.ts'
import type { SoldDetail, SoldListRequest } from '#contract/sold.ts'
import type { Db } from '../db/client.ts'
import { purchases } from '../db/schema/shop.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { recordDeed, type Actor } from './audit.ts'
import { containing, readCursor, toPage } from './paging.ts'
import { findPeople, isFitting } from './people-search.ts'
import { resendReceipt } from './receipts.ts'
import { findShipment } from './shipments/list.ts'
import { selectSold, toSold } from './sales.ts'

const pageSize = 50
const key = z.tuple([z.string(), z.uuid()])

type Row = Omit<SoldPurchase, 'product'> & {
  place: string
  product_id: string
  name: string
  format: SoldPurchase['product']['format']
}

/** Newest first. */
export async function listSold(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { q, after, ...filters }: SoldListRequest,
): Promise<Page<SoldPurchase>> {
  const place = readCursor(after, key)
  const isAfter = place
    ? sql`(b.created_at, b.id) < (${place[0]}::timestamptz, ${place[1]}::uuid)`
    : sql`true`
  const fits = sql`${narrowing(filters, config.timeZone)} and ${isAfter}`
  const found = q ? sql.join(await waysToFind(db, q, fits), sql` union `) : newest(sql`purchases b`, fits)
  const { rows } = await db.execute<Row>(sql`
    select b.id, b.amount, b.refunded, b.status, b.created_at, b.created_at::text as place, b.user_id,
      u.email, u.display_name, b.product_id, p.name, p.format
    from (select * from (${found}) found order by created_at desc, id desc limit ${pageSize + 1}) f
    join purchases b on b.id = f.id join products p on p.id = b.product_id join profiles u on u.user_id = b.user_id
    order by b.created_at desc, b.id desc`)
  return toPage(rows, pageSize, { item: toItem, key: (row) => [row.place, row.id] })
}

function toItem({ place: _place, product_id, name, format, created_at, ...row }: Row): SoldPurchase {
  return { ...row, created_at: new Date(created_at).toISOString(), product: { id: product_id, name, format } }
}

/** Days begin where the shop is at home. */
function narrowing(
  { status, format, from, to }: Omit<SoldListRequest, 'q' | 'after'>,
  timeZone: string,
): SQL {
  const midnight = (day: string, later = 0) =>
    sql`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`
  const all = [
    status && sql`b.status = ${status}`,
    format && sql`b.product_id in (select id from products where format = ${format})`,
    from && sql`b.created_at >= ${midnight(from)}`,
    to && sql`b.created_at < ${midnight(to, 1)}`,
  ].filter((part) => part !== undefined)
  return all.length > 0 ? sql.join(all, sql` and `) : sql`true`
}

function newest(from: SQL, fits: SQL): SQL {
  return sql`(select b.id, b.created_at from ${from} where ${fits} order by b.created_at desc, b.id desc limit ${pageSize + 1})`
}

async function waysToFind(db: Db, q: string, fits: SQL): Promise<SQL[]> {
  const [sold, buyers] = await Promise.all([
    db.execute<{ id: string }>(sql`select id from products where name ilike ${containing(q)}`),
    findPeople(db, q),
  ])
  const each = (column: SQL, ids: string[]) => sql`
    select x.id, x.created_at from unnest(${sql.param(ids)}::uuid[]) wanted
    cross join lateral ${newest(sql`purchases b`, sql`${column} = wanted and ${fits}`)} x`
  const isOfBuyer = sql`exists (select from profiles p where p.user_id = b.user_id and ${isFitting(q)})`
  // Of many buyers one is met soon by walking the newest purchases.
  const byBuyer = buyers
    ? each(sql`b.user_id`, buyers)
    : newest(sql`purchases b`, sql`${isOfBuyer} and ${fits}`)
  const range = idRange(q)
  const byId = range && newest(sql`purchases b`, sql`b.id between ${range[0]} and ${range[1]} and ${fits}`)
  const products = sold.rows.map(({ id }) => id)
  return [each(sql`b.product_id`, products), byBuyer, ...(byId ? [byId] : [])]
}

/** The ids that begin so; undefined for what begins no id. */
function idRange(q: string): [string, string] | undefined {
  const digits = q.trim().toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{6,32}$/.test(digits)) return undefined
  const whole = (filler: string) =>
    digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return [whole('0'), whole('f')]
}

/** Throws purchases.not_found. */
export async function getSold(db: Db, id: string): Promise<SoldDetail> {
  const [row] = await selectSold(db).where(eq(purchases.id, id))
  if (!row) throw new Problem('purchases.not_found')
  const shipment = await findShipment(db, id)
  const { rows } = await db.execute<
    Pick<SoldDetail, 'is_going_back' | 'mails' | 'downloads' | 'adjustments'>
  >(sql`
    select
      exists (select from refund_requests where purchase_id = ${id} and status = 'asked') as is_going_back,
      (select coalesce(jsonb_agg(to_jsonb(m) order by m.created_at), '[]') from (
        select id, kind, recipient, subject, status, attempts, error, created_at from mails where purchase_id = ${id}
      ) m) as mails,
      (select coalesce(jsonb_agg(to_jsonb(d) order by d.started_at desc), '[]') from (
        select id, regexp_replace(file_path, '^.*/', '') as file_name, started_at, ip, user_agent from downloads
        where purchase_id = ${id} and started_at is not null order by started_at desc limit 200
      ) d) as downloads,
      (select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at), '[]') from (
        select id, kind, amount, note, created_at from adjustments where purchase_id = ${id}
      ) a) as adjustments`)
  return { ...toSold(row), ...rows[0]!, shipment }
}

/** As the reader may, and for the same pause. Throws purchases.not_found. */
export async function resendAtDesk(
  services: Pick<Services, 'db' | 'queue'>,
  actor: Actor,
  purchase_id: string,
): Promise<{ isOnItsWay: boolean }> {
  const { email } = await getSold(services.db, purchase_id)
  const sent = await resendReceipt(services, { purchase_id })
  if (sent.isOnItsWay) {
    await recordDeed(services.db, actor, {
      action: 'purchases.receipt_sent',
      subject: email,
      subject_id: purchase_id,
    })
  }
  return sent
}
