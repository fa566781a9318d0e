// Purchases that were made after the backup from which the shop was restored: the checkout names all that is needed to
// make them again.
import { and, eq, sql } from 'drizzle-orm'
import { accountMailJob } from '../accounts/account-mail.ts'
import { findOrAddAccount } from '../accounts/created-accounts.ts'
import { recordPurchaseEvent } from '../audit/audit-log.ts'
import { addMoney } from '#platform/contract/money.ts'
import { restoreUse } from '../discounts/restored-codes.ts'
import { products } from '../products/schema.ts'
import { parseOrderNumber } from '../purchases/contract/order-number.ts'
import { saveCharge } from '../shipping/charges.ts'
import { restoreConsent } from '../purchases/consents.ts'
import { purchases } from '../purchases/schema.ts'
import type { Checkout, ProviderEvent } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '../../services.ts'
import { checkouts } from './schema.ts'
import { readOwn } from './unmatched-payment.ts'

type Needs = Pick<Services, 'db' | 'payments' | 'queue' | 'settings' | 'clock'>

const provider = { id: null, email: 'Stripe', ip: null }

/**
 * The purchase of a paid checkout that the shop has lost, pending until it is settled; under its number, or the next one
 * where another purchase has that by now. A buyer whose account is made again gets an email. One that is there with this
 * checkout stays as it is. Undefined where it was not paid, does not name its buyer, is there with another checkout, or
 * the product is gone.
 */
export async function rebuildPurchase(
  services: Needs,
  { session_id }: Pick<ProviderEvent, 'session_id'>,
): Promise<string | undefined> {
  const checkout = session_id ? await readOwn(services, session_id) : undefined
  if (checkout?.status !== 'paid' && checkout?.status !== 'waiting') return undefined
  const { purchase_id, product_id, buyer } = checkout
  if (!purchase_id || !product_id || !buyer) return undefined
  return services.db.transaction((tx) =>
    rebuild(tx, services, { ...checkout, purchase_id, product_id, buyer }),
  )
}

type Complete = Checkout & {
  purchase_id: string
  product_id: string
  buyer: NonNullable<Checkout['buyer']>
}

async function rebuild(
  tx: Transaction,
  { clock, payments, queue }: Pick<Needs, 'clock' | 'payments' | 'queue'>,
  { purchase_id, product_id, buyer, session_id, order, consent, currency, created_at, ...paid }: Complete,
): Promise<string | undefined> {
  // Waits for orders under way, and new ones wait: nobody takes a number while the sequence of numbers is set.
  await tx.execute(sql`lock table purchases in share row exclusive mode`)
  if ((await tx.$count(purchases, eq(purchases.id, purchase_id))) > 0)
    return await findRebuilt(tx, { purchase_id, session_id })
  if ((await tx.$count(products, sql`${products.id}::text = ${product_id}`)) === 0) return undefined
  const { user_id, isNew } = await findOrAddAccount(tx, buyer, clock())
  if (isNew) await queue.enqueue(tx, accountMailJob, { kind: 'account_restored', email: buyer.email })
  const number = order ? parseOrderNumber(order) : undefined
  const isLive = payments.mode() === 'live'
  const is_test = !isLive
  const values = {
    id: purchase_id,
    user_id,
    product_id,
    amount: addMoney([paid.subtotal, paid.shipping ?? 0]),
    currency,
    status: 'pending' as const,
    is_test,
    created_at,
  }
  if (!number || !(await insertNumbered(tx, { ...values, number }))) await tx.insert(purchases).values(values)
  if (consent !== null) await restoreConsent(tx, { purchase_id, text: consent, given_at: created_at })
  if (paid.code) await restoreUse(tx, { purchase_id, is_test }, paid.code)
  if (paid.shipping !== null)
    await saveCharge(tx, { purchase_id, country: paid.address?.country ?? null, amount: paid.shipping })
  const now = clock()
  await tx.insert(checkouts).values({
    purchase_id,
    session_id,
    is_live: isLive,
    next_check_at: now,
    rebuilt_at: now,
  })
  await recordPurchaseEvent(tx, provider, { action: 'payments.rebuilt', purchase_id })
  return purchase_id
}

/** Two events of one checkout are looked up at the same time: the other one has made the purchase. */
async function findRebuilt(
  tx: Transaction,
  { purchase_id, session_id }: Pick<Complete, 'purchase_id' | 'session_id'>,
): Promise<string | undefined> {
  const [found] = await tx
    .select({ id: checkouts.purchase_id })
    .from(checkouts)
    .where(and(eq(checkouts.purchase_id, purchase_id), eq(checkouts.session_id, session_id)))
  return found?.id
}

/** False where the number is taken. Later purchases get higher ones. */
async function insertNumbered(
  tx: Transaction,
  values: typeof purchases.$inferInsert & { number: number },
): Promise<boolean> {
  const { rowCount } = await tx
    .insert(purchases)
    .overridingSystemValue()
    .values(values)
    .onConflictDoNothing({ target: purchases.number })
  const sequence = sql`pg_get_serial_sequence('purchases', 'number')`
  await tx.execute(
    sql`select setval(${sequence}, greatest(${values.number}, (select last_value from pg_sequences
      where schemaname || '.' || sequencename = ${sequence})))`,
  )
  return rowCount === 1
}
