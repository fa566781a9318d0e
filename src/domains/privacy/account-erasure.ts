// An erasure deletes one account in one transaction. Its purchases stay, and belong to nobody who can be named.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll, queryFirst } from '#platform/db/query.ts'
import { deleteLimitsOf } from '#platform/http/rate-limits.ts'
import { lockedYears } from '#contract/privacy/erasures.ts'
import {
  erasedName,
  type Erased,
  eraseSecurityEvents,
  isOfErased,
  eraseUser,
  deleteErasure,
} from '#domains/accounts/erased-accounts.ts'
import { insertErasedIds } from '#domains/accounts/erased-ids.ts'
import { recordAuditEvent, renameInAuditLog } from '#platform/audit-log.ts'
import { findToldSubscriber } from '#domains/mail/subscribers.ts'
import { recordEnded } from '#domains/mail/webhook-deliveries.ts'
import { addressOf } from '#domains/orders/shipments.ts'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { giftErasure } from '#domains/delivery/gift-erasure.ts'
import { eraseFromOutages } from '#domains/payments/outages.ts'
import { eraseFromMoves } from '#domains/readers/moved-purchases.ts'
import { deletedWith, emptied, renamed } from '#tables/personal-data.ts'

/** The address in lower case, also where the account has given it up at the beginning of the erasure. */
export const erasedAddress = (user_id: string) => sql`(
  select lower(coalesce(nullif(p.email, ''), u.email)) from auth.users u join profiles p on p.user_id = u.id
  where u.id = ${user_id})`

/**
 * Selects emails to the address, or to the author with a message from it. What was bought with it since is not among
 * them.
 */
export const isMailOf = (email: SQL) => sql`(
  lower(recipient) = ${email} and not exists (select from purchases later join auth.users next on next.id = later.user_id
    where later.id = mails.purchase_id and lower(next.email) = ${email})
  or message_id in (select id from contact_messages where lower(email) = ${email}))`

const deleteRows = (column: PgColumn) => (erased: Erased) =>
  sql`delete from ${column.table} where ${isTheirs(column, erased)}`

function isTheirs(column: PgColumn, erased: Erased): SQL {
  if (column.name === 'purchase_id') return sql`${column} = any(${erased.purchase_ids})`
  return column.name === 'user_id' ? sql`${column} = ${erased.user_id}` : isOfErased(column, erased)
}

const renameAdmin = (column: PgColumn) => (erased: Erased) =>
  sql`
  update ${column.table} set ${sql.identifier(column.name)} = ${erasedName} where ${isOfErased(column, erased)}`

/** A column becomes null where it may be, else an empty text. */
function emptyColumns(table: PgTable, columns: readonly PgColumn[]) {
  const set = columns.map(({ name, notNull }) => sql`${sql.identifier(name)} = ${notNull ? '' : null}`)
  return ({ purchase_ids }: Erased) =>
    sql`update ${table} set ${sql.join(set, sql`, `)} where purchase_id = any(${purchase_ids})`
}

/** The order matters: the names of buyers are read first, and the messages by which an email is known are deleted last. */
const steps: ((erased: Erased) => SQL)[] = [
  // Tax laws want the buyer's name of what was paid.
  ({ purchase_ids }) => sql`
    insert into locked_buyers (purchase_id, buyer, locked_until)
    select b.id, jsonb_build_object('email', p.email, 'display_name', buyer_name(b.id), 'invoice_url', c.invoice_url,
        'address', ${addressOf(sql`b`)}),
      make_timestamptz(extract(year from b.created_at at time zone 'UTC')::int + ${lockedYears} + 1, 1, 1, 0, 0, 0, 'UTC')
    from purchases b join profiles p on p.user_id = b.user_id left join checkouts c on c.purchase_id = b.id
    where b.id = any(${purchase_ids}) and p.email <> '' and b.amount > 0 and not b.is_test
      and b.status not in ('pending', 'canceled')
    on conflict do nothing`,
  ({ purchase_ids }) => sql`
    update mails set recipient = '', error = null, body = null, given_up_at = null
    where purchase_id = any(${purchase_ids})`,
  ({ email }) => sql`delete from mails where ${isMailOf(sql`${email}`)}`,
  ...giftErasure,
  eraseFromOutages,
  eraseFromMoves,
  eraseSecurityEvents,
  deleteLimitsOf,
  (erased) => renameInAuditLog({ ...erased, name: erasedName }),
  ...renamed.map(renameAdmin),
  ...deletedWith.map(deleteRows),
  ...[...Map.groupBy(emptied, ({ table }) => table)].map(([table, columns]) => emptyColumns(table, columns)),
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
  const row = await queryFirst(
    tx,
    account,
    sql`select ${erasedAddress(user_id)} as email from auth.users where id = ${user_id} for update`,
  )
  if (!row) return
  const bought = await queryAll(
    tx,
    purchase,
    sql`
      select id from purchases where user_id = ${user_id} or user_id is null and status = 'canceled' and id in (
        select purchase_id from guest_checkouts where lower(email) = ${row.email})`,
  )
  const ids = bought.map(({ id }) => id)
  await saveIds([user_id, ...ids])
  await tx.execute(sql`select set_config('lectern.is_erasing', 'true', true)`)
  const subscriber_id = await findToldSubscriber(tx, row.email)
  const erased = { ...row, user_id, purchase_ids: sql`${sql.param(ids)}::uuid[]` }
  for (const step of steps) await tx.execute(step(erased))
  if (subscriber_id) await recordEnded(tx, { id: subscriber_id, email: row.email }, now)
  await deleteErasure(tx, user_id)
  await insertErasedIds(tx, [user_id, ...ids])
  await eraseUser(tx, user_id, now)
  await recordAuditEvent(tx, shop, { action: 'users.erased', subject: erasedName, subject_id: user_id })
}
