// All that is known of one order: the admin's page, what speaks for it when a bank asks, and what the author may send of it.
import { and, eq, getTableColumns, sql, asc, desc } from 'drizzle-orm'
import { z } from 'zod'
import { describeBrowser } from '#platform/describe-browser.ts'
import { fromCents } from '#contract/money.ts'
import { queryOne, neighborsOf } from '#platform/db/query.ts'
import { orderDetail, type OrderDetail, type Evidence } from '#contract/orders/admin-orders.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { checkouts } from '#tables/payments.ts'
import { purchases } from '#tables/orders.ts'
import { selectOrders, takenByBank, toOrder } from '#domains/orders/purchases.ts'
import { givenAt, givenState } from '#domains/orders/entitlements.ts'
import { isFreeOrder, refundRight } from '#domains/orders/refund-right.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'
import { recordAuditEvent, type Actor, toEntry } from '#platform/audit-log.ts'
import { pageAtStripe } from '#platform/stripe/payments.ts'
import { presentedAs, sendReceipt } from '#domains/orders/receipts.ts'
import { findParcel } from '#domains/orders/shipments.ts'
import { endLinks as endLinksOf, isLink } from '#domains/orders/guest-orders.ts'
import { makeOrderLink } from '#domains/orders/order-links.ts'
import type { AuditAction } from '#contract/overview/audit.ts'
import type { SecurityEventKind } from '#contract/accounts/users.ts'
import { isGuestAccount } from '#domains/accounts/accounts.ts'
import { users } from '#tables/accounts.ts'
import { audit_log } from '#tables/platform.ts'
import { findConsent } from '#domains/orders/ticked-boxes.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

/** All of it is of one moment: the page looks again only while a refund is on its way. */
export function getOrder(db: Db, id: string): Promise<OrderDetail> {
  return db.transaction((tx) => readOrder(tx, id), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
}

async function readOrder(tx: Transaction, id: string): Promise<OrderDetail> {
  const [row] = await selectOrders(tx).where(eq(purchases.id, id))
  if (!row) throw orderProblem('purchases.not_found')
  const shipment = await findParcel(tx, id)
  const terms = await readTerms(tx, id)
  const payment = await readPayment(tx, id)
  const history = await readHistory(tx, id)
  const downloads = history.downloads.map((download) => ({
    ...download,
    device: deviceOf(download.user_agent),
  }))
  return { ...toOrder(row), ...terms, ...payment, ...history, downloads, shipment }
}

function deviceOf(user_agent: string | null): string | null {
  const { browser, system } = describeBrowser(user_agent)
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}

const terms = orderDetail.pick({
  discount: true,
  shipping: true,
  sold_by: true,
  kept: true,
  taken_by_bank: true,
  link_tax: true,
  presented: true,
})

function readTerms(tx: Transaction, id: string) {
  const query = sql`
    select coalesce(u.discount + coalesce(c.discount, 0), c.discount) as discount,
      coalesce(c.sold_by, 'author') as sold_by, ${presentedAs(sql`c`)} as presented,
      net_amount(b.status, b.amount, b.refunded) as kept, ${takenByBank(sql`b`)} as taken_by_bank,
      case when c.sold_by = 'stripe' then net_link_tax(b) end as link_tax,
      (select jsonb_build_object('country', country, 'amount', amount) from shipping_charges where purchase_id = b.id)
        as shipping
    from purchases b left join checkouts c on c.purchase_id = b.id
    left join discount_uses u on u.purchase_id = b.id
    where b.id = ${id}`
  return queryOne(tx, terms, query)
}

async function readPayment(
  tx: Transaction,
  id: string,
): Promise<Pick<OrderDetail, 'tax' | 'dispute' | 'dismissed'>> {
  const [checkout] = await tx.select().from(checkouts).where(eq(checkouts.purchase_id, id))
  if (!checkout) return { tax: null, dispute: null, dismissed: null }
  const { tax, disputed_at, dispute_status, answer_by, payment_intent, is_live } = checkout
  const stripe_url = payment_intent && pageAtStripe(is_live, `payments/${payment_intent}`)
  const dispute = disputed_at &&
    dispute_status && {
      opened_at: disputed_at.toISOString(),
      status: dispute_status,
      answer_by: answer_by?.toISOString() ?? null,
      lost_at: await readLostAt(tx, id),
      stripe_url,
    }
  return { tax: fromCents(tax), dispute: dispute || null, dismissed: dismissedOf(checkout, stripe_url) }
}

async function readLostAt(tx: Transaction, id: string): Promise<string | null> {
  const lost: AuditAction = 'payments.dispute_lost'
  const [last] = await tx
    .select({ created_at: audit_log.created_at })
    .from(audit_log)
    .where(and(eq(audit_log.subject_id, id), eq(audit_log.action, lost)))
    .orderBy(desc(audit_log.created_at))
    .limit(1)
  return last?.created_at.toISOString() ?? null
}

function dismissedOf(
  { dismissed_at, held_reason, paid_total, paid_currency }: typeof checkouts.$inferSelect,
  stripe_url: string | null,
): OrderDetail['dismissed'] {
  // A free order that was taken back has no reason.
  if (!dismissed_at || held_reason === null) return null
  const paid =
    paid_total !== null && paid_currency !== null
      ? { total: fromCents(paid_total), currency: paid_currency }
      : null
  return { at: dismissed_at.toISOString(), reason: held_reason, paid, stripe_url }
}

const history = orderDetail
  .pick({
    open_links: true,
    is_guest: true,
    is_buyer_locked: true,
    withdrawal: true,
    can_take_back: true,
    is_going_back: true,
    is_by_provider: true,
    mails: true,
    neighbors: true,
    moves: true,
    given: true,
    paid_with: true,
    sign_ins: true,
    adjustments: true,
  })
  .extend({ downloads: z.array(orderDetail.shape.downloads.element.omit({ device: true })) })

const failedSignIns = ['sign_in_failed', 'sign_in_blocked', 'wrong_code'] satisfies SecurityEventKind[]

function readHistory(tx: Transaction, id: string) {
  const query = sql`
    select
      (select count(*)::int from purchase_access
        where purchase_id = ${id} and ${isLink} and expires_at > now()) as open_links,
      exists (select from guest_checkouts where purchase_id = ${id}) as is_guest,
      exists (select from locked_buyers where purchase_id = ${id}) as is_buyer_locked,
      ${neighborsOf(sql`purchases`, id)} as neighbors,
      (select jsonb_build_object('declared_at', w.declared_at, 'reason', w.reason, 'waits_for', w.waits_for,
          'decision', w.decision, 'refusal', w.refusal,
          'right', coalesce(${refundRight(sql`b`, sql`w.declared_at`)}, 'request'))
        from withdrawals w join purchases b on b.id = w.purchase_id where b.id = ${id}) as withdrawal,
      (select ${isFreeOrder(sql`b`)} from purchases b where b.id = ${id}) as can_take_back,
      exists (select from refund_requests where purchase_id = ${id} and status = 'requested') as is_going_back,
      exists (select from checkouts where purchase_id = ${id} and payment_intent is not null) as is_by_provider,
      (select coalesce(jsonb_agg(to_jsonb(m) order by m.created_at), '[]') from (
        select id, kind, recipient, subject, status, attempts, error, created_at, sent_at from mails where purchase_id = ${id}
      ) m) as mails,
      (select coalesce(jsonb_agg(to_jsonb(v) order by v.created_at desc), '[]') from (
        select id, from_email as from, to_email as to, reason, created_at, objected_at
        from purchase_moves where purchase_id = ${id}
      ) v) as moves,
      (select jsonb_build_object('email', g.email, 'state', ${givenState}, 'at', to_json(${givenAt}), 'order', (
          select jsonb_build_object('id', r.id, 'number', r.number) from purchases r where r.gift_of = g.purchase_id))
        from purchase_gifts g where g.purchase_id = ${id}) as given,
      (select jsonb_build_object('id', paid.id, 'number', paid.number)
        from purchases b join purchases paid on paid.id = b.gift_of where b.id = ${id}) as paid_with,
      (select coalesce(jsonb_agg(to_jsonb(d) order by d.started_at desc), '[]') from (
        select id, coalesce(
            (select f.title || '.' || f.file_format from product_files f where f.file_path = downloads.file_path),
            regexp_replace(regexp_replace(file_path, '^.*/', ''), '^[0-9]{10,}-', '')) as file_name,
          started_at, finished_at, sent_bytes is not null as is_counted, ip, user_agent
        from downloads
        where purchase_id = ${id} and started_at is not null order by started_at desc limit 200
      ) d) as downloads,
      (select jsonb_build_object('failed', coalesce(sum(l.attempts), 0), 'last_failed_at', max(l.created_at),
        'last_at', (select u.last_sign_in_at from auth.users u join purchases b on b.user_id = u.id
          where b.id = ${id} and u.last_sign_in_at >= b.created_at))
        from purchases b join profiles u on u.user_id = b.user_id
        join auth.audit_log l on l.user_id = u.user_id or l.email = u.email
        where b.id = ${id} and l.created_at >= b.created_at and l.event = any(${sql.param(failedSignIns)}::text[])
      ) as sign_ins,
      (select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at), '[]') from (
        select id, kind, amount, note, created_at from adjustments where purchase_id = ${id}
      ) a) as adjustments`
  return queryOne(tx, history, query)
}

export async function sendReceiptByAdmin(services: CommerceShop, actor: Actor, purchase_id: string) {
  const { email: subject } = await getOrder(services.db, purchase_id)
  const sent = await sendReceipt(services, { purchase_id })
  const action = 'purchases.receipt_sent'
  if (sent.isOnItsWay)
    await recordAuditEvent(services.db, actor, { action, subject, subject_id: purchase_id })
  return sent
}

export async function makeBuyersLink(services: CommerceShop, actor: Actor, purchase_id: string) {
  const link = await makeOrderLink(services, purchase_id)
  await services.db.transaction((tx) =>
    recordPurchaseEvent(tx, actor, { action: 'purchases.link_made', purchase_id }),
  )
  return link
}

/** The links of the receipts that were sent, and those that were made on a page; the next receipt has a new one. */
export async function endLinks({ db }: CommerceShop, actor: Actor, purchase_id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const count = await endLinksOf(tx, purchase_id)
    await recordPurchaseEvent(tx, actor, { action: 'purchases.links_ended', purchase_id, detail: { count } })
  })
}

const maxEvents = 200

export async function getEvidence(db: Db, id: string): Promise<Evidence> {
  const order = await getOrder(db, id)
  if (!order.user_id) throw orderProblem('purchases.not_found')
  const [[account], [purchase], [checkout], consent, events] = await Promise.all([
    db
      .select({ ...getTableColumns(users), is_guest: isGuestAccount(sql`${users.id}`) })
      .from(users)
      .where(eq(users.id, order.user_id)),
    db.select({ refund_days: purchases.refund_days }).from(purchases).where(eq(purchases.id, id)),
    db.select().from(checkouts).where(eq(checkouts.purchase_id, id)),
    findConsent(db, id),
    db
      .select()
      .from(audit_log)
      .where(eq(audit_log.subject_id, id))
      .orderBy(asc(audit_log.created_at), asc(audit_log.id))
      .limit(maxEvents),
  ])
  if (!account || !purchase) throw orderProblem('purchases.not_found')
  return {
    ...order,
    ...purchase,
    consent,
    account: account.is_guest ? null : toAccount(account),
    payment: checkout ? toPayment(checkout) : null,
    events: events.map(toEntry),
  }
}

function toAccount({ created_at, email_confirmed_at, last_sign_in_at }: typeof users.$inferSelect) {
  return {
    created_at: created_at.toISOString(),
    email_confirmed_at: email_confirmed_at?.toISOString() ?? null,
    last_sign_in_at: last_sign_in_at?.toISOString() ?? null,
  }
}

function toPayment(checkout: typeof checkouts.$inferSelect): Evidence['payment'] {
  const { session_id, payment_intent, tax, discount, is_live } = checkout
  const stripe_url = payment_intent && pageAtStripe(is_live, `payments/${payment_intent}`)
  const amounts = { tax: fromCents(tax), discount: fromCents(discount) }
  const session_id_end = session_id?.slice(-8) ?? null
  return { session_id_end, payment_intent, ...amounts, is_live, stripe_url }
}
