// Withdrawals that were declared on a page, without a proof: received, acknowledged, and looked up.
import { sql, type SQL, and, eq, gt, isNull } from 'drizzle-orm'
import { isAllAskedBack } from './entitlements.ts'
import {
  declarationDays,
  declaredOrder,
  type declarationRequest,
  readOrder,
  type ProvenDeclaration,
} from '#contract/orders/declarations.ts'
import { dayMs } from '#contract/durations.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { isoTime, queryAll, queryFirst } from '#platform/db/query.ts'
import { sign } from '#platform/secret.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { orderProblem } from './problem.ts'
import { hashOf } from '#platform/mailed-token.ts'
import { withdrawal_declarations as declarations } from '#tables/orders.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { endedRight, refundRight } from './refund-right.ts'

type Typed = Omit<z.output<typeof declarationRequest>, 'key'> & { key?: string | undefined }

const declarationKey = z.object({ id: z.string(), declared_at: isoTime })

/** The same words under the same key are declared once; other words under it are another declaration. */
export async function insertDeclaration(
  tx: Transaction,
  declaration: Typed,
): Promise<z.output<typeof declarationKey> & { isNew: boolean }> {
  const { key = uuidv7(), name, email, order } = declaration
  const { number, ordered } = readOrder(order)
  const added = await queryFirst(
    tx,
    declarationKey,
    sql`
      insert into withdrawal_declarations (id, name, email, number, ordered)
      values (${key}, ${name}, ${email}, ${number}, ${ordered})
      on conflict (id) do nothing returning id, declared_at`,
  )
  if (added) return { ...added, isNew: true }
  const stored = await findDeclaration(tx, declaration)
  return stored ? { ...stored, isNew: false } : insertDeclaration(tx, { ...declaration, key: undefined })
}

/** Finds a declaration that was sent before under this key. */
export async function findDeclaration(db: Db | Transaction, { key, name, email, order }: Typed) {
  if (key === undefined) return undefined
  const { number, ordered } = readOrder(order)
  return queryFirst(
    db,
    declarationKey,
    sql`
      select id, declared_at from withdrawal_declarations
      where id = ${key} and name = ${name} and email = ${email} and number is not distinct from ${number}
        and ordered = ${ordered}`,
  )
}

/** Returns the declaration as it was made; undefined once it is deleted. */
export async function readDeclared(db: Db, id: string) {
  const [row] = await db.select().from(declarations).where(eq(declarations.id, id))
  if (!row) return undefined
  const { name, email, number, ordered, declared_at } = row
  const order = number === null ? ordered : formatOrderNumber(number)
  return { name, email, order, declared_at: declared_at.toISOString() }
}

/** The same for each attempt to mail it, so that the link of every copy works. The hash is stored, never the token. */
export async function makeDeclarationToken(services: CommerceShop, id: string): Promise<string> {
  const token = sign(services.secret.key('withdrawals'), id)
  await services.db
    .update(declarations)
    .set({ hash: hashOf(token) })
    .where(eq(declarations.id, id))
  return token
}

/**
 * The orders that a declaration `d` can mean, and whose money could still go back: those under its address, one where it
 * names one of them, and that of its number. Columns: id, is_of_address.
 */
export const ordersOf = (d: SQL) => sql`
  select b.id, lower(u.email) = ${d}.email as is_of_address
  from (
    select p.id from auth.users a join purchases p on p.user_id = a.id where lower(a.email) = ${d}.email
    union select p.id from purchases p where p.number = ${d}.number) found
    join purchases b on b.id = found.id join auth.users u on u.id = b.user_id
    join checkouts c on c.purchase_id = b.id
  where b.created_at <= ${d}.declared_at and c.payment_intent is not null
    and is_completed(b.status) and b.refunded < b.amount and not ${isAllAskedBack(sql`b`)}
    and not exists (select from withdrawals w where w.purchase_id = b.id)
    and (b.number = ${d}.number or not exists (
      select from purchases named where named.number = ${d}.number and named.user_id = b.user_id))`

/** A declaration after which a file was downloaded counts from its proof. */
const wasDownloadedSince = (purchase: SQL, at: SQL) => sql`exists (
  select from downloads k where k.started_at > ${at} and (k.purchase_id = ${purchase}.id
    or k.purchase_id in (select received.id from purchases received where received.gift_of = ${purchase}.id)))`

/** The time from which a declaration of the time `at` counts for a purchase, if it is proven now. */
export const countsFrom = (purchase: SQL, at: SQL) =>
  sql`case when ${wasDownloadedSince(purchase, at)} then clock_timestamp() else ${at} end`

/** The right by which the purchase can be given back, if the declaration is proven now. */
export const rightOfDeclared = (purchase: SQL, at: SQL) => refundRight(purchase, countsFrom(purchase, at))

/**
 * The time at which a purchase was withdrawn from on a page, under its buyer's address; null where it was not. One that the
 * author dismissed, or that took effect for another purchase, is none.
 */
export const declaredAt = (purchase: SQL) => sql`(
  select min(d.declared_at) from withdrawal_declarations d join auth.users u on lower(u.email) = d.email
  where u.id = ${purchase}.user_id and coalesce(d.number, ${purchase}.number) = ${purchase}.number
    and d.declared_at >= ${purchase}.created_at and (d.closed_at is null or d.purchase_id = ${purchase}.id)
    and not ${wasDownloadedSince(purchase, sql`d.declared_at`)})`

export async function closeDeclarations(
  tx: Transaction,
  { purchase_id, id }: { purchase_id: string; id: string | undefined },
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    update withdrawal_declarations d set closed_at = coalesce(d.closed_at, ${now}), purchase_id = b.id
    from purchases b join auth.users u on u.id = b.user_id
    where b.id = ${purchase_id} and d.purchase_id is null and (d.id = ${id ?? null}::uuid
      or d.closed_at is null and lower(u.email) = d.email and d.declared_at >= b.created_at
        and (d.number = b.number or d.number is null and not exists (${ordersOf(sql`d`)})))`)
}

/** The request of a declaration was taken back: its link can make it again, and nothing waits for the author. */
export async function reopenLinks(tx: Transaction, purchase_id: string): Promise<void> {
  await tx.update(declarations).set({ purchase_id: null }).where(eq(declarations.purchase_id, purchase_id))
}

/** Closes it without effect for any purchase. Throws payments.not_waiting. */
export async function closeDeclaration(
  tx: Transaction,
  id: string,
  closed_at: Date,
): Promise<{ email: string }> {
  const isOpen = and(eq(declarations.id, id), isNull(declarations.closed_at))
  const [row] = await tx.update(declarations).set({ closed_at }).where(isOpen).returning()
  if (!row) throw orderProblem('payments.not_waiting')
  return row
}

/** The second of two decisions at once finds it closed. Throws payments.not_waiting. */
export async function lockDeclaration(tx: Transaction, id: string): Promise<void> {
  const isOpen = and(eq(declarations.id, id), isNull(declarations.closed_at))
  const [row] = await tx.select({ id: declarations.id }).from(declarations).where(isOpen).for('update')
  if (!row) throw orderProblem('payments.not_waiting')
}

/** Throws withdrawals.link_over. */
export async function requireDeclaration({ db, clock }: CommerceShop, token: string) {
  const earliest = new Date(clock().getTime() - declarationDays * dayMs)
  const isOfToken = and(eq(declarations.hash, hashOf(token)), gt(declarations.declared_at, earliest))
  const [row] = await db.select().from(declarations).where(isOfToken)
  if (!row) throw orderProblem('withdrawals.link_over')
  return row
}

const orderRow = declaredOrder.extend({ created_at: isoTime, is_of_address: z.boolean() })

export async function listDeclaredOrders(db: Db, id: string) {
  return queryAll(
    db,
    orderRow,
    sql`
      select b.id, b.number, p.name as product_name, b.amount - b.refunded as amount, b.currency, b.created_at,
        ${rightOfDeclared(sql`b`, sql`declared.declared_at`)} as right, o.is_of_address,
        ${endedRight(sql`b`, countsFrom(sql`b`, sql`declared.declared_at`))} as ended_right
      from withdrawal_declarations declared cross join lateral (${ordersOf(sql`declared`)}) o
        join purchases b on b.id = o.id join products p on p.id = b.product_id
      where declared.id = ${id} order by b.created_at desc`,
  )
}

const maxShown = 20

type ReadDeclaration = Omit<ProvenDeclaration, 'withdrawal'> & { purchase_id: string | null }

/** Serves the owner of the mailbox: it shows only what was bought under its address. */
export async function readDeclaration(services: CommerceShop, token: string): Promise<ReadDeclaration> {
  const { id, declared_at, closed_at, purchase_id } = await requireDeclaration(services, token)
  const orders = purchase_id ? [] : await listDeclaredOrders(services.db, id)
  const own = orders.filter((order) => order.is_of_address).slice(0, maxShown)
  return {
    declared_at: declared_at.toISOString(),
    state: purchase_id ? 'effective' : closed_at ? 'dismissed' : 'open',
    orders: own.map((order) => declaredOrder.parse(order)),
    purchase_id,
  }
}

/** Leaves what waits for the author, but for what anybody can guess: the number of another's order. */
export async function sweepDeclarations({ db, clock }: CommerceShop): Promise<void> {
  const before = new Date(clock().getTime() - declarationDays * dayMs)
  await db.execute(sql`
    delete from withdrawal_declarations d where d.declared_at < ${before}
      and (d.closed_at is not null or not exists (
        select from (${ordersOf(sql`d`)}) meant where meant.is_of_address))`)
}
