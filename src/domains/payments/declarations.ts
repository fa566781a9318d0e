// What withdrawals become that were declared on a page: their proof by the mailbox, and the author's word.
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '#platform/services.ts'
import { profiles } from '#tables/accounts.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { WithBook } from '#domains/book/published-book.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import { getPurchase } from '#domains/orders/purchases.ts'
import { purchases } from '#tables/purchases.ts'
import { insertDeclaration, listDeclaredOrders, requireDeclaration } from '#domains/orders/declarations.ts'
import { withdrawal_declarations as declarations } from '#tables/withdrawals.ts'
import { checkouts } from '#tables/payments.ts'
import { declarationMailJob } from './declaration-email-job.ts'
import { declareWithdrawal } from './withdrawals.ts'

type Declared = {
  name: string
  email: string
  order: string
  /** Where a limit of mails was reached: of who declares. */
  network: string | undefined
}

/** Stored and acknowledged whatever it names, and whoever asks: it does nothing before a proof. */
export async function receiveDeclaration(
  services: Services & WithBook,
  { network, ...typed }: Declared,
): Promise<string> {
  if (!(await takesMoney(services))) throw orderProblem('withdrawals.not_offered')
  return services.db.transaction(async (tx) => {
    const { id, declared_at } = await insertDeclaration(tx, typed)
    await services.queue.enqueue(tx, declarationMailJob, { declaration_id: id, ...(network && { network }) })
    return declared_at
  })
}

/** Or has taken some: contracts outlive a key. */
async function takesMoney(services: Services & WithBook): Promise<boolean> {
  const mode = await currentSaleMode(services)
  if (mode === 'paid' || mode === 'key_missing') return true
  return (await services.db.$count(checkouts, isNotNull(checkouts.payment_intent))) > 0
}

/** By who has the link of its acknowledgement, for an order under that address. */
export async function proveDeclaration(
  services: Services,
  { token, purchase_id, ip }: { token: string; purchase_id: string; ip: string | null },
) {
  const { id, email, declared_at, purchase_id: effective } = await requireDeclaration(services, token)
  const buyer = await findBuyer(services, purchase_id)
  if (buyer?.email !== email) throw orderProblem('purchases.not_found')
  const { user_id } = buyer
  // One that has taken effect is confirmed again: its page may have lost the response.
  const orders = effective ? [] : await listDeclaredOrders(services.db, id)
  const isMeant = orders.some((order) => order.id === purchase_id && order.is_of_address)
  if (!isMeant && effective !== purchase_id) throw orderProblem('purchases.not_found')
  const declaration = { id, declared_at, is_accepted: false }
  const wanted = { purchase_id, user_id, reason: '', declaration }
  await declareWithdrawal(services, { id: user_id, email, ip }, wanted)
  return (await getPurchase(services.db, purchase_id)).withdrawal
}

/** The author's word instead of a proof. Throws payments.not_waiting. */
export async function acceptDeclaration(
  services: Services,
  actor: Actor,
  { id, purchase_id }: { id: string; purchase_id: string },
): Promise<void> {
  const { db } = services
  const [found] = await db.select().from(declarations).where(isOpen(id))
  const orders = found ? await listDeclaredOrders(db, id) : []
  const owner = await findBuyer(services, purchase_id)
  if (!found || !owner || orders.every((order) => order.id !== purchase_id))
    throw orderProblem('payments.not_waiting')
  const declaration = { id, declared_at: found.declared_at, is_accepted: true }
  const wanted = { purchase_id, user_id: owner.user_id, reason: '', declaration }
  await declareWithdrawal(services, actor, wanted)
}

export async function dismissDeclaration({ db, clock }: Services, actor: Actor, id: string, note: string) {
  await db.transaction(async (tx) => {
    const [row] = await tx.update(declarations).set({ closed_at: clock() }).where(isOpen(id)).returning()
    if (!row) throw orderProblem('payments.not_waiting')
    await recordAuditEvent(tx, actor, {
      action: 'withdrawals.dismissed',
      subject: row.email,
      subject_id: id,
      detail: { note },
    })
  })
}

const isOpen = (id: string) => and(eq(declarations.id, id), isNull(declarations.closed_at))

export async function findBuyer({ db }: Pick<Services, 'db'>, purchase_id: string) {
  const [buyer] = await db
    .select({ user_id: profiles.user_id, email: sql<string>`lower(${profiles.email})` })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(purchases.id, purchase_id))
  return buyer
}
