// What an erasure deletes of one account, in one transaction. Its purchases stay, and belong to nobody who can be named.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll, queryFirst } from '#platform/db/query.ts'
import { erasedName, eraseUser } from '#domains/accounts/erased-account.ts'
import { recordAuditEvent } from '#platform/audit-log.ts'
import { lockedYears } from '#contract/operations/erasures.ts'
import { insertErasedIds } from '#domains/accounts/erased-ids.ts'

type Erased = { user_id: string; email: string; purchase_ids: SQL }

const isOwn = (column: SQL, { email }: Erased) => sql`lower(${column}) = ${email}`

/** The address in lower case, also where the account has given it up at the beginning of the erasure. */
export const erasedAddress = (user_id: string) => sql`(
  select lower(coalesce(nullif(p.email, ''), u.email)) from auth.users u join profiles p on p.user_id = u.id
  where u.id = ${user_id})`

/** Of emails in `mails`: to the address, or to the author with a message from it. Not what was bought with it since. */
export const isMailOf = (email: SQL) => sql`(
  lower(recipient) = ${email} and not exists (select from purchases later join auth.users next on next.id = later.user_id
    where later.id = mails.purchase_id and lower(next.email) = ${email})
  or message_id in (select id from contact_messages where lower(email) = ${email}))`

/** In this order: the names of buyers are read first. A test compares the tables with those that refer to users. */
export const steps: ((erased: Erased) => SQL)[] = [
  // Tax laws want the buyer's name of what was paid.
  ({ purchase_ids }) => sql`
    insert into locked_buyers (purchase_id, buyer, locked_until)
    select b.id, jsonb_build_object('email', p.email, 'display_name', p.display_name, 'invoice_url', c.invoice_url,
        'address', (
          select jsonb_build_object('name', name, 'line1', line1, 'line2', line2, 'city', city, 'state', state,
            'postal_code', postal_code, 'country', country, 'phone', phone)
          from shipments s where s.purchase_id = b.id and name is not null)),
      make_timestamptz(extract(year from b.created_at at time zone 'UTC')::int + ${lockedYears} + 1, 1, 1, 0, 0, 0, 'UTC')
    from purchases b join profiles p on p.user_id = b.user_id left join checkouts c on c.purchase_id = b.id
    where b.id = any(${purchase_ids}) and p.email <> '' and b.amount > 0 and not b.is_test
      and b.status not in ('pending', 'canceled')
    on conflict do nothing`,
  ({ purchase_ids }) => sql`
    update shipments set name = null, line1 = null, city = null, country = null, line2 = '', state = '',
      postal_code = '', phone = '', first_address_digest = null, carrier = null, tracking_number = null
    where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`
    update mails set recipient = '', error = null, body = null, given_up_at = null
    where purchase_id = any(${purchase_ids})`,
  ({ email }) => sql`delete from mails where ${isMailOf(sql`${email}`)}`,
  (erased) => sql`delete from contact_messages where ${isOwn(sql`email`, erased)}`,
  (erased) => sql`delete from withdrawal_declarations where ${isOwn(sql`email`, erased)}`,
  (erased) => sql`
    update gifts set email = id::text, name = null, message = '' where ${isOwn(sql`email`, erased)}`,
  // A link that was sent still opens the gift of a buyer who is erased.
  ({ purchase_ids }) => sql`
    update purchase_gifts set sender_name = '', note = '' where purchase_id = any(${purchase_ids})`,
  // What was not opened goes back to its buyer.
  (erased) => sql`delete from purchase_gifts where opened_at is null and ${isOwn(sql`email`, erased)}`,
  (erased) => sql`
    delete from gift_links where purchase_id in (
      select purchase_id from purchase_gifts where ${isOwn(sql`email`, erased)})`,
  (erased) => sql`
    update purchase_gifts set email = '', recipient_name = '', note = '' where ${isOwn(sql`email`, erased)}`,
  ({ purchase_ids }) => sql`
    update guest_checkouts set email = '', network = null where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`delete from purchase_access where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`update refund_requests set reason = '' where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`update withdrawals set reason = '' where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`update adjustments set note = '' where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`
    update downloads set ip = null, user_agent = null where purchase_id = any(${purchase_ids})`,
  ({ purchase_ids }) => sql`
    update checkouts set asked = null, url = null, invoice_url = null where purchase_id = any(${purchase_ids})`,
  ({ user_id, purchase_ids }) => sql`
    delete from payment_outage_buyers where user_id = ${user_id} or user_id = any(${purchase_ids})`,
  (erased) => sql`
    update purchase_moves set reason = '', objection_hash = null,
      from_email = case when ${isOwn(sql`from_email`, erased)} then '' else from_email end,
      to_email = case when ${isOwn(sql`to_email`, erased)} then '' else to_email end
    where ${isOwn(sql`from_email`, erased)} or ${isOwn(sql`to_email`, erased)}`,
  ({ user_id }) => sql`delete from edition_mails where user_id = ${user_id}`,
  (erased) => sql`delete from release_waitlist where ${isOwn(sql`email`, erased)}`,
  ({ user_id }) => sql`delete from release_mails where user_id = ${user_id}`,
  ({ user_id }) => sql`delete from mail_choices where user_id = ${user_id}`,
  (erased) => sql`
    delete from auth.audit_log where user_id = ${erased.user_id} or ${isOwn(sql`email`, erased)}`,
  (erased) => sql`
    update audit_log set
      actor = case when actor_id = ${erased.user_id} then ${erasedName} else actor end,
      ip = case when actor_id = ${erased.user_id} then null else ip end,
      subject = case when ${isOwn(sql`subject`, erased)} then ${erasedName} else subject end,
      detail = detail - 'address' - 'reason' - 'from' - 'to'
    where actor_id = ${erased.user_id} or ${isOwn(sql`subject`, erased)}
      or action = 'purchases.moved' and ${isOwn(sql`detail ->> 'from'`, erased)}
      or subject_id in (select id::text from unnest(${erased.purchase_ids}) id)`,
]

const account = z.object({ email: z.string() })
const purchase = z.object({ id: z.string() })
const shop = { id: null, email: 'shop', ip: null }

/** Safe to repeat. `saveIds` writes them outside the database, before anything is erased. */
export async function eraseAccount(
  tx: Transaction,
  { user_id, now }: { user_id: string; now: Date },
  saveIds: (ids: readonly string[]) => Promise<void> = async () => undefined,
): Promise<void> {
  const found = await queryFirst(
    tx,
    account,
    sql`select ${erasedAddress(user_id)} as email from auth.users where id = ${user_id} for update`,
  )
  if (!found) return
  const bought = await queryAll(
    tx,
    purchase,
    sql`
      select id from purchases where user_id = ${user_id} or user_id is null and status = 'canceled' and id in (
        select purchase_id from guest_checkouts where lower(email) = ${found.email})`,
  )
  const ids = bought.map(({ id }) => id)
  await saveIds([user_id, ...ids])
  await tx.execute(sql`select set_config('lectern.is_erasing', 'true', true)`)
  const erased = { ...found, user_id, purchase_ids: sql`${sql.param(ids)}::uuid[]` }
  for (const step of steps) await tx.execute(step(erased))
  await tx.execute(sql`delete from erasures where user_id = ${user_id}`)
  await insertErasedIds(tx, [user_id, ...ids])
  await eraseUser(tx, user_id, now)
  await recordAuditEvent(tx, shop, { action: 'users.erased', subject: erasedName, subject_id: user_id })
}
