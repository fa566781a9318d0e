// Payments whose checkout the shop has not stored: it crashed before that, or was restored from an older backup.
import { and, eq, isNull } from 'drizzle-orm'
import { formatMoney } from '#platform/contract/money.ts'
import type { Checkout, ProviderEvent } from '#platform/stripe/payments.ts'
import { isOwnCheckout } from './own-checkout.ts'
import { checkouts } from './schema.ts'
import type { Services } from '../../services.ts'
import { leftOfPayment } from './payment-states.ts'

type Needs = Pick<Services, 'db' | 'payments' | 'settings'>

/** The purchase that this checkout was opened for, where it knows of no other; it does from now on. */
export async function adoptCheckout(services: Needs, session_id: string): Promise<string | undefined> {
  const { db } = services
  const checkout = await readOwn(services, session_id)
  const isPaid = checkout?.status === 'paid' || checkout?.status === 'waiting'
  // One that ended unpaid may be of an attempt that failed, while the next one is being opened.
  if (!isPaid || !checkout.purchase_id) return undefined
  const { purchase_id } = checkout
  const [adopted] = await db
    .update(checkouts)
    .set({ session_id })
    .where(and(eq(checkouts.purchase_id, purchase_id), isNull(checkouts.session_id)))
    .returning({ id: checkouts.purchase_id })
  return adopted?.id
}

/** What the author has to know of a payment that no purchase is for; undefined when there is none, or it went back. */
export async function findUnmatched(
  services: Needs,
  { session_id }: Pick<ProviderEvent, 'session_id'>,
): Promise<string | undefined> {
  const checkout = session_id ? await readOwn(services, session_id) : undefined
  if (checkout?.status !== 'paid' || leftOfPayment(checkout) <= 0) return undefined
  const { total, currency, purchase_id } = checkout
  const what = purchase_id
    ? `for the purchase ${purchase_id}, which the shop does not have, or has with another payment`
    : 'in a checkout that names no purchase'
  return `${formatMoney(total, currency)} was paid ${what}.`
}

/** Undefined for a checkout of another shop on the same account. */
export async function readOwn(
  { payments, settings }: Needs,
  session_id: string,
): Promise<Checkout | undefined> {
  const checkout = await payments.current()?.readCheckout(session_id)
  return checkout && isOwnCheckout({ settings }, checkout) ? checkout : undefined
}
