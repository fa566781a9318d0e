// All that the shop has of one user, read by one statement. A test compares the tables with those that refer to users.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { ownData, ownDataLists, type OwnData, type OwnDataList } from '#contract/privacy/own-data.ts'
import { fullTitle } from '#contract/book/book.ts'
import { isShownAsTest } from '#domains/orders/entitlements.ts'
import type { BackupShop } from '#domains/backup/shop.ts'

/** Texts that are sent to an address, or written under it, belong to the account that has confirmed the address. */
const isOwn = (address: SQL) => sql`lower(${address}) = me.confirmed_email`

const isOwnPurchase = sql`(b.user_id = me.id or b.user_id is null and exists (
  select from guest_checkouts g where g.purchase_id = b.id and ${isOwn(sql`g.email`)}))`

/** Events of a purchase `b` before it was moved from another address are another person's. */
const isSinceMove = (at: SQL) => sql`not exists (
  select from purchase_moves v where v.purchase_id = b.id and v.created_at > ${at})`

/** The columns' names are the fields'. */
export const queries: Record<OwnDataList, SQL> = {
  account: sql`
    select u.email, u.new_email, p.display_name, u.created_at as account_made_at, u.email_confirmed_at, u.last_sign_in_at,
      u.banned_until as disabled_until, u.password_hash is not null as has_password,
      coalesce((select has_editions from mail_choices c where c.user_id = me.id), true) as gets_edition_emails,
      (select string_agg(w_product.name, ', ') from release_waitlist w join products w_product on w_product.id = w.product_id
        where ${isOwn(sql`w.email`)}) as waits_for,
      (select string_agg(role, ', ' order by role) from user_roles r where r.user_id = u.id) as roles
    from auth.users u join profiles p on p.user_id = u.id where u.id = me.id`,
  second_factors: sql`
    select factor_type as kind, friendly_name as name, status, created_at,
      case when factor_type = 'recovery_code' then (select count(*) from auth.recovery_codes c where c.factor_id = f.id) end as codes_left,
      (select last_used_at from auth.passkeys k where k.factor_id = f.id) as last_used_at
    from auth.mfa_factors f where user_id = me.id order by created_at`,
  sessions: sql`
    select created_at, refreshed_at as last_seen_at, not_after as ends_at, revoked_at as ended_at, ip,
      user_agent as browser
    from auth.sessions where user_id = me.id order by created_at desc`,
  known_browsers: sql`
    select last_seen_at from auth.known_devices where user_id = me.id order by last_seen_at desc`,
  security_events: sql`
    select event, created_at, ip, attempts from auth.audit_log
    where user_id = me.id or ${isOwn(sql`email`)} order by created_at desc`,
  admin_actions: sql`
    select action, created_at from audit_log where subject_id = me.id::text order by created_at`,
  purchases: sql`
    select b.number, b.created_at, p.name as product, p.format, b.status, b.amount, b.refunded, b.currency,
      s.amount as shipping, coalesce(b.country, s.country) as country, d.discount, code.code as discount_code, c.tax, case c.sold_by when 'stripe' then 'Link' end as sold_by,
      c.presented_amount as paid_amount, c.presented_currency as paid_currency, c.payment_intent as payment, c.payer_name as paid_by, c.dispute_status, ${isShownAsTest(sql`b`)} as is_test, b.is_given, g.email as bought_with
    from purchases b join products p on p.id = b.product_id
      left join shipping_charges s on s.purchase_id = b.id
      left join discount_uses d on d.purchase_id = b.id left join discount_codes code on code.id = d.code_id
      left join checkouts c on c.purchase_id = b.id left join guest_checkouts g on g.purchase_id = b.id
    where ${isOwnPurchase} order by b.number`,
  addresses: sql`
    select b.number, s.name, s.line1, s.line2, s.city, s.state, s.postal_code, s.country, s.phone, s.carrier,
      s.tracking_number, s.shipped_at
    from shipments s join purchases b on b.id = s.purchase_id
    where b.user_id = me.id and s.name is not null order by b.number`,
  consents: sql`
    select b.number, c.text, c.given_at from consents c join purchases b on b.id = c.purchase_id
    where b.user_id = me.id order by b.number`,
  letters: sql`
    select l.words as text, l.source as kind, l.agreed_at as created_at, l.confirmed_at, l.ended_at from subscribers l
    where ${isOwn(sql`l.email`)} and l.confirmed_at is not null order by l.confirmed_at`,
  refunds: sql`
    select b.number, a.kind, a.amount, b.currency, null as reason, a.created_at
    from adjustments a join purchases b on b.id = a.purchase_id where b.user_id = me.id
    union all
    select b.number, r.status, r.amount, b.currency, r.reason, r.created_at
    from refund_requests r join purchases b on b.id = r.purchase_id where b.user_id = me.id and r.status <> 'done'
    union all
    select b.number, 'failed', f.amount, f.currency, f.reason, f.created_at
    from failed_refunds f join purchases b on b.id = f.purchase_id where b.user_id = me.id
    order by created_at`,
  payment_outages: sql`
    select o.began_at, o.ended_at from payment_outage_buyers x join payment_outages o on o.id = x.outage_id
    where x.user_id = me.id order by o.began_at`,
  withdrawals: sql`
    select b.number, w.declared_at, w.reason, w.decision, w.refusal, w.decided_at
    from withdrawals w join purchases b on b.id = w.purchase_id where b.user_id = me.id
    union all
    select d.number, d.declared_at, d.ordered, null, null, null from withdrawal_declarations d where ${isOwn(sql`d.email`)}
    order by declared_at`,
  downloads: sql`
    select b.number, d.created_at, d.started_at, d.ip, d.user_agent as browser
    from downloads d join purchases b on b.id = d.purchase_id
    where b.user_id = me.id and ${isSinceMove(sql`d.created_at`)} order by d.created_at desc`,
  gifts: sql`
    select p.name as product, g.email as recipient, g.recipient_name as name, g.note as message, g.created_at
    from purchase_gifts g join purchases b on b.id = g.purchase_id join products p on p.id = b.product_id
    where b.user_id = me.id
    union all
    select p.name, null, g.recipient_name, g.note, g.created_at
    from purchase_gifts g join purchases b on b.id = coalesce(g.purchase_id, g.received_id) join products p on p.id = b.product_id
    where ${isOwn(sql`g.email`)}
    order by created_at`,
  messages: sql`
    select c.name, c.subject, c.message, c.created_at, (
      select string_agg(r.body, E'\n\n' order by r.created_at) from message_replies r where r.message_id = c.id
    ) as answers
    from contact_messages c where ${isOwn(sql`c.email`)} order by c.created_at`,
  emails: sql`
    select m.kind, m.subject, m.recipient, m.body as text, m.status, m.created_at, m.sent_at
    from mails m left join purchases b on b.id = m.purchase_id
    where b.user_id = me.id and ${isSinceMove(sql`m.created_at`)} and not exists (
        select from purchase_moves v where v.purchase_id = b.id and lower(v.from_email) = lower(m.recipient)) or ${isOwn(sql`m.recipient`)}
    order by m.created_at`,
}

const collected = z.object({ lists: ownData.shape.lists })

async function collectOwnData(
  db: Db,
  { user_id, shop, now }: { user_id: string; shop: string; now: Date },
): Promise<OwnData> {
  const lists = ownDataLists.flatMap((name) => [
    sql`${name}::text`,
    sql`(select coalesce(json_agg(list), '[]') from (${queries[name]}) list)`,
  ])
  const { lists: found } = await queryOne(
    db,
    collected,
    sql`
      select json_build_object(${sql.join(lists, sql`, `)}) as lists
      from (select id, case when email_confirmed_at is not null then lower(email) end as confirmed_email
        from auth.users where id = ${user_id}) me`,
  )
  return { shop, made_at: now.toISOString(), lists: found }
}

/** Reported before anything is read: whoever takes the data, the account's owner hears of it. */
export async function takeOwnData(
  services: BackupShop,
  user: { id: string; email: string },
): Promise<OwnData> {
  const { db, clock, auth, book } = services
  await auth.own.reportDataTaken(user)
  const { document } = await book.getOrStale()
  return collectOwnData(db, { user_id: user.id, shop: fullTitle(document), now: clock() })
}
