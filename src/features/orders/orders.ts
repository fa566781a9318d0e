// Purchases as the admin area shows them: page by page, and one with all that became of it.
import { eq, sql, type SQL } from 'drizzle-orm'
import { formatOrderNumber, parseOrderNumber } from '../purchases/contract/order-number.ts'
import type { Page } from '#platform/contract/paging.ts'
import { z } from 'zod'
import { id } from '#platform/contract/fields.ts'
import { isoTime, queryAll, queryOne } from '#platform/db/query.ts'
import { format } from '../products/contract/products.ts'
import { adminOrder, type Order } from './contract/admin-order.ts'
import { orderDetail, type OrderDetail, type OrderListRequest } from './contract/orders.ts'
import type { Db } from '#platform/db/client.ts'
import { checkouts } from '../payments/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { pageAtStripe } from '../payments/page-at-stripe.ts'
import { sendReceipt } from '../purchases/receipts.ts'
import { findShipment } from '../shipping/shipments.ts'
import { selectOrders, toOrder } from './select-orders.ts'
import { searchOrders } from './order-search.ts'

const pageSize = 50

const orderRow = adminOrder
  .omit({ product: true })
  .extend({ created_at: isoTime, place: z.string(), product_id: id, name: z.string(), format })
type OrderRow = z.output<typeof orderRow>

/** Newest first; before them the purchase whose order number was searched for. */
export async function listOrders(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  { after, ...wanted }: OrderListRequest,
): Promise<Page<Order>> {
  const place = readCursor(after, momentKey)
  const without = parseOrderNumber(wanted.q ?? '')
  const { time_zone } = settings.get().shop
  const search = await searchOrders(db, wanted, time_zone)
  const found = await readOrders(db, search({ after: place, way: 'desc', limit: pageSize + 1, without }))
  const numbered = place || without === undefined ? [] : await findNumbered(without)
  return toPage([...numbered, ...found], pageSize, { item: toItem, key: (row) => [row.place, row.id] })

  async function findNumbered(number: number): Promise<OrderRow[]> {
    const exact = await searchOrders(db, { ...wanted, q: formatOrderNumber(number) }, time_zone)
    return readOrders(db, exact({ after: undefined, way: 'desc', limit: 1 }))
  }
}

function readOrders(db: Db, found: SQL): Promise<OrderRow[]> {
  const query = sql`
    select b.id, b.number, b.amount, b.refunded, b.currency, b.status, b.is_test, b.is_given, d.code, b.created_at,
      b.created_at::text as place, b.user_id,
      u.email, u.display_name, b.product_id, p.name, p.format
    from (${found}) b
    join products p on p.id = b.product_id join profiles u on u.user_id = b.user_id
    left join discount_uses used on used.purchase_id = b.id left join discount_codes d on d.id = used.code_id
    order by b.created_at desc, b.id desc`
  return queryAll(db, orderRow, query)
}

function toItem({ place: _place, product_id, name, format, ...row }: OrderRow): Order {
  return { ...row, product: { id: product_id, name, format } }
}

export async function getOrder(db: Db, id: string): Promise<OrderDetail> {
  const [row] = await selectOrders(db).where(eq(purchases.id, id))
  if (!row) throw new Problem('purchases.not_found')
  const [shipment, terms, payment, history] = await Promise.all([
    findShipment(db, id),
    readTerms(db, id),
    readPayment(db, id),
    readHistory(db, id),
  ])
  return { ...toOrder(row), ...terms, ...payment, ...history, shipment }
}

const terms = orderDetail.pick({ discount: true, shipping: true })

async function readTerms(db: Db, id: string): Promise<z.output<typeof terms>> {
  const query = sql`
    select coalesce(u.discount + coalesce(c.discount, 0), c.discount) as discount,
      (select jsonb_build_object('country', country, 'amount', amount) from shipping_charges where purchase_id = b.id)
        as shipping
    from purchases b left join checkouts c on c.purchase_id = b.id
    left join discount_uses u on u.purchase_id = b.id
    where b.id = ${id}`
  return queryOne(db, terms, query)
}

async function readPayment(db: Db, id: string): Promise<Pick<OrderDetail, 'tax' | 'dispute' | 'dismissed'>> {
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.purchase_id, id))
  if (!checkout) return { tax: null, dispute: null, dismissed: null }
  const { tax, disputed_at, dispute_status, answer_by, payment_intent, is_live } = checkout
  const stripe_url = payment_intent && pageAtStripe(is_live, `payments/${payment_intent}`)
  const dispute = disputed_at &&
    dispute_status && {
      opened_at: disputed_at.toISOString(),
      status: dispute_status,
      answer_by: answer_by?.toISOString() ?? null,
      stripe_url,
    }
  return { tax, dispute: dispute || null, dismissed: dismissedOf(checkout, stripe_url) }
}

function dismissedOf(
  { dismissed_at, held_reason, paid_total, paid_currency }: typeof checkouts.$inferSelect,
  stripe_url: string | null,
): OrderDetail['dismissed'] {
  if (!dismissed_at) return null
  const paid =
    paid_total !== null && paid_currency !== null ? { total: paid_total, currency: paid_currency } : null
  return { at: dismissed_at.toISOString(), reason: held_reason ?? '', paid, stripe_url }
}

const history = orderDetail.pick({
  is_going_back: true,
  is_by_provider: true,
  mails: true,
  downloads: true,
  adjustments: true,
})

function readHistory(db: Db, id: string): Promise<z.output<typeof history>> {
  const query = sql`
    select
      exists (select from refund_requests where purchase_id = ${id} and status = 'asked') as is_going_back,
      exists (select from checkouts where purchase_id = ${id} and payment_intent is not null) as is_by_provider,
      (select coalesce(jsonb_agg(to_jsonb(m) order by m.created_at), '[]') from (
        select id, kind, recipient, subject, status, attempts, error, created_at from mails where purchase_id = ${id}
      ) m) as mails,
      (select coalesce(jsonb_agg(to_jsonb(d) order by d.started_at desc), '[]') from (
        select id, regexp_replace(file_path, '^.*/', '') as file_name, started_at, ip, user_agent from downloads
        where purchase_id = ${id} and started_at is not null order by started_at desc limit 200
      ) d) as downloads,
      (select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at), '[]') from (
        select id, kind, amount, note, created_at from adjustments where purchase_id = ${id}
      ) a) as adjustments`
  return queryOne(db, history, query)
}

/** As the user may, and for the same pause. */
export async function sendReceiptByAdmin(
  services: Pick<Services, 'db' | 'queue'>,
  actor: Actor,
  purchase_id: string,
): Promise<{ isOnItsWay: boolean }> {
  const { email } = await getOrder(services.db, purchase_id)
  const sent = await sendReceipt(services, { purchase_id })
  if (sent.isOnItsWay) {
    await recordAuditEvent(services.db, actor, {
      action: 'purchases.receipt_sent',
      subject: email,
      subject_id: purchase_id,
    })
  }
  return sent
}
