// A user asks for the erasure of the own account, and may change their mind until its day.
import { sql, and, eq, isNull, type SQL, lt, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne, queryAll, queryFirst } from '#platform/db/query.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import type { BackupShop } from '#domains/backup/shop.ts'
import { privacyProblem } from './problem.ts'
import { accountMailJob } from '#domains/accounts/account.emails.ts'
import { audit, hasRole } from '#domains/accounts/accounts.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { deleteLimitsOf } from '#platform/http/rate-limits.ts'
import { erasureDays, type OwnErasure, lockedYears, type LockedBuyer } from '#contract/privacy/own-data.ts'
import { locked_buyers } from '#tables/privacy.ts'
import { erasures } from '#tables/accounts.ts'
import {
  erasedName,
  type Erased,
  eraseSecurityEvents,
  isOfErased,
  eraseUser,
  insertErasedIds,
  endAccess,
  appendErasedIds,
  insertHashes,
  listHashes,
  parseHashes,
  insertErasure,
  deleteErasure,
  deleteUnbegunErasure,
  setErasureBegun,
} from '#domains/accounts/erased-accounts.ts'
import { recordAuditEvent, renameInAuditLog, type Actor } from '#platform/audit-log.ts'
import { removeFromOutbox } from '#platform/mail.ts'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { failureReason } from '#platform/errors.ts'
import type { Storage } from '#platform/storage.ts'
import { refuseForeignTarget } from '#domains/backup/backup-targets.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'
import { addressOf } from '#domains/orders/shipments.ts'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { giftErasure } from '#domains/delivery/gifts.ts'
import { eraseFromOutages } from '#domains/payments/faults.ts'
import { eraseFromMoves } from '#domains/readers/moved-purchases.ts'
import { deletedWith, emptied, renamed } from '#tables/personal-data.ts'

// What has to be finished before an account is erased: money under way, parcels, and what the author or a bank decides.

export async function hasOpenOrders(db: Db | Transaction, user_id: string): Promise<boolean> {
  const { is_open } = await queryOne(
    db,
    z.object({ is_open: z.boolean() }),
    sql`
      select exists (
        select from purchases b
          left join checkouts c on c.purchase_id = b.id left join shipments s on s.purchase_id = b.id
          left join withdrawals w on w.purchase_id = b.id
        where b.user_id = ${user_id}
          and (b.status = 'pending' or b.status = 'disputed' and c.answer_by is not null
            or c.held_reason is not null and c.dismissed_at is null
            or s.is_paid and s.shipped_at is null
            or is_completed(b.status) and exists (
              select from purchase_gifts g
                join scheduled_emails s on s.kind = 'gift_to_someone' and s.about = g.purchase_id and s.version = g.revision::text
              where g.purchase_id = b.id and s.queued_at is null)
            or w.purchase_id is not null and w.decided_at is null
            or exists (select from refund_requests r where r.purchase_id = b.id and r.status = 'asked'))
      ) as is_open`,
  )
  return is_open
}

type AccountOwner = Pick<SignedInUser, 'id' | 'email'>

export async function getOwnErasure(
  { db }: BackupShop,
  { id, is_admin }: Pick<SignedInUser, 'id' | 'is_admin'>,
): Promise<OwnErasure> {
  const [row] = await db.select().from(erasures).where(eq(erasures.user_id, id))
  const due_at = is_admin ? null : (row?.due_at.toISOString() ?? null)
  return { due_at, has_open_orders: await hasOpenOrders(db, id), is_admin }
}

/** A second one changes nothing: the day stays. */
export function askForErasure(
  { db, clock, queue }: BackupShop,
  { id: user_id, email }: AccountOwner,
): Promise<void> {
  const now = clock()
  const due_at = new Date(now.getTime() + erasureDays * 86_400_000)
  return db.transaction(async (tx) => {
    await lockAdmins(tx)
    if (await hasRole(tx, user_id, 'admin')) throw privacyProblem('erasures.of_admin')
    if (!(await insertErasure(tx, { user_id, asked_at: now, due_at }))) return
    await audit(tx, { user_id, event: 'erasure_asked' }, now)
    await queue.enqueue(tx, accountMailJob, { kind: 'erasure_asked', email, due_at: due_at.toISOString() })
  })
}

export function cancelErasure(
  { db, clock, queue }: BackupShop,
  { id: user_id, email }: AccountOwner,
): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deleteUnbegunErasure(tx, user_id))) return
    await audit(tx, { user_id, event: 'erasure_canceled' }, clock())
    await queue.enqueue(tx, accountMailJob, { kind: 'erasure_canceled', email })
  })
}

// What an erasure deletes of one account, in one transaction. Its purchases stay, and belong to nobody who can be named.

/** The address in lower case, also where the account has given it up at the beginning of the erasure. */
const erasedAddress = (user_id: string) => sql`(
  select lower(coalesce(nullif(p.email, ''), u.email)) from auth.users u join profiles p on p.user_id = u.id
  where u.id = ${user_id})`

/** Of emails in `mails`: to the address, or to the author with a message from it. Not what was bought with it since. */
const isMailOf = (email: SQL) => sql`(
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

/** To null where a column may be, else to an empty text. */
function emptyColumns(table: PgTable, columns: readonly PgColumn[]) {
  const set = columns.map(({ name, notNull }) => sql`${sql.identifier(name)} = ${notNull ? '' : null}`)
  return ({ purchase_ids }: Erased) =>
    sql`update ${table} set ${sql.join(set, sql`, `)} where purchase_id = any(${purchase_ids})`
}

/** In this order: the names of buyers are read first, and the messages by which an email is known are deleted last. */
const steps: ((erased: Erased) => SQL)[] = [
  // Tax laws want the buyer's name of what was paid.
  ({ purchase_ids }) => sql`
    insert into locked_buyers (purchase_id, buyer, locked_until)
    select b.id, jsonb_build_object('email', p.email, 'display_name', p.display_name, 'invoice_url', c.invoice_url,
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
  const erased = { ...row, user_id, purchase_ids: sql`${sql.param(ids)}::uuid[]` }
  for (const step of steps) await tx.execute(step(erased))
  await deleteErasure(tx, user_id)
  await insertErasedIds(tx, [user_id, ...ids])
  await eraseUser(tx, user_id, now)
  await recordAuditEvent(tx, shop, { action: 'users.erased', subject: erasedName, subject_id: user_id })
}

// The hourly sweep of erasures. Signing in ends first: whatever is under way then has ended when the data are deleted.

/** Longer than any request. */
const quietMs = 10 * 60_000

export async function sweepErasures(
  services: Pick<BackupShop, 'db' | 'clock' | 'config' | 'log'>,
): Promise<void> {
  const { db, clock } = services
  const now = clock()
  const hasBegun = lt(erasures.began_at, new Date(now.getTime() - quietMs))
  for (const { user_id } of await db.select().from(erasures).where(hasBegun))
    await finishErasure(services, user_id, now)
  const isDue = and(lte(erasures.due_at, now), isNull(erasures.began_at))
  for (const { user_id } of await db.select().from(erasures).where(isDue))
    await beginErasure(services, user_id, now)
  await db.delete(locked_buyers).where(lte(locked_buyers.locked_until, now))
}

/** That of an account that became admin meanwhile ends without effect. */
function beginErasure({ db }: Pick<BackupShop, 'db'>, user_id: string, now: Date): Promise<void> {
  const isThis = eq(erasures.user_id, user_id)
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(erasures)
      .where(and(isThis, lte(erasures.due_at, now)))
      .for('update')
    if (!row || (await hasOpenOrders(tx, user_id))) return
    if (await endAccess(tx, user_id, now)) await setErasureBegun(tx, user_id, now)
    else await deleteErasure(tx, user_id)
  })
}

async function finishErasure(
  { db, config, log }: Pick<BackupShop, 'db' | 'config' | 'log'>,
  user_id: string,
  now: Date,
): Promise<void> {
  const keptMails = await db.transaction(async (tx) => {
    const isThis = eq(erasures.user_id, user_id)
    const [row] = await tx.select().from(erasures).where(isThis).for('update', { skipLocked: true })
    if (!row || (await hasOpenOrders(tx, user_id)) || (await hasRole(tx, user_id, 'admin'))) return undefined
    const kept = await listKeptMails(tx, user_id)
    await deleteJobs(tx, user_id)
    await eraseAccount(tx, { user_id, now }, (ids) => appendErasedIds(config, ids))
    return kept
  })
  if (!keptMails) return
  await removeFromOutbox(config, keptMails)
  log.info({ user_id }, 'an account was erased')
}

/** Those of emails, which are kept for weeks. A restored database has none. */
async function deleteJobs(tx: Transaction, user_id: string): Promise<void> {
  await tx.execute(sql`
    delete from pgboss.job
    where state <> 'active' and created_on < (select began_at from erasures where user_id = ${user_id})
      and ${erasedAddress(user_id)} in (lower(data ->> 'email'), lower(data ->> 'new_email'))`)
}

async function listKeptMails(tx: Transaction, user_id: string): Promise<string[]> {
  const query = sql`
    select mails.id from mails left join purchases b on b.id = mails.purchase_id
    where mails.status = 'kept' and (b.user_id = ${user_id} or ${isMailOf(erasedAddress(user_id))})`
  return (await queryAll(tx, z.object({ id: z.string() }), query)).map(({ id }) => id)
}

// After a restore: what was erased since the backup was made is erased again, before the shop opens.

/** Resolves to how many accounts were erased. Orders that the backup has as under way were finished before the erasure. */
export async function eraseAgain(db: Db, hashes: readonly string[], now: Date): Promise<number> {
  await insertHashes(db, hashes)
  const rows = await queryAll(
    db,
    z.object({ id: z.string() }),
    sql`
      select p.user_id as id from profiles p join erased_ids e on e.hash = sha256(p.user_id::text::bytea)
      where p.email <> ''`,
  )
  for (const { id: user_id } of rows) await db.transaction((tx) => eraseAccount(tx, { user_id, now }))
  return rows.length
}

// The hashes of what was erased, in a place of backups: files beside the backups, each named by the hash of its content.

const folder = 'erased/'

/** Of all that were ever written there. */
export async function readErasedIds(storage: Storage): Promise<string[]> {
  const hashes = new Set<string>()
  for await (const name of storage.list(folder))
    for (const hash of parseHashes(await text(await storage.read(name)))) hashes.add(hash)
  return [...hashes]
}

/** Hourly: a backup from before an erasure does not have it, and may be restored where the data folder is lost. */
export async function copyErasedIds({ db, backupTargets, log }: BackupShop): Promise<void> {
  const hashes = await listHashes(db)
  if (hashes.length === 0) return
  const content = hashes.map((hash) => `${hash}\n`).join('')
  const name = `${folder}${createHash('sha256').update(content).digest('hex')}.txt`
  for (const place of backupTargets()) {
    try {
      if (await place.storage.stat(name)) continue
      await refuseForeignTarget(db, place)
      await place.storage.write(name, Buffer.from(content))
    } catch (error) {
      log.warn({ place: place.label, reason: failureReason(error) }, 'erasures could not be noted in a place')
    }
  }
}

// Who bought what an erased account has paid for: shown only where an authority asks, and each look is logged.

export function readLockedBuyer({ db }: BackupShop, actor: Actor, purchase_id: string): Promise<LockedBuyer> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(locked_buyers).where(eq(locked_buyers.purchase_id, purchase_id))
    if (!row) throw privacyProblem('purchases.not_locked')
    await recordPurchaseEvent(tx, actor, { action: 'purchases.buyer_shown', purchase_id })
    return { ...row.buyer, locked_until: row.locked_until.toISOString() }
  })
}
