// A buyer without an account who mistyped the address corrects it, in the browser that bought, within the day.
import { requireAccess, type PurchaseAccess } from '#domains/orders/guest-orders.ts'
import { findOwnOrder } from '#domains/orders/browser-orders.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { Problem } from '#platform/problem.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { movePurchase } from './moved-purchases.ts'

type Correction = { id: string; email: string; ip: string | null }

/** Says no more where the address cannot have it: whose accounts there are is nobody's to know. */
export async function correctOwnAddress(
  services: CommerceShop,
  access: PurchaseAccess,
  { id, email, ip }: Correction,
): Promise<void> {
  await requireAccess(services, access)
  const own = await findOwnOrder(services.db, access)
  if (!own) throw orderProblem('guest_checkout.other_browser')
  if (email === own.receipt_to) return
  const { purchase_id } = access
  const actor = { id: null, email: own.receipt_to, ip }
  const move = { id, purchase_id, email, reason: 'Corrected by the buyer', is_by_buyer: true }
  await movePurchase(services, actor, move).catch((error: unknown) => {
    const isRefused = error instanceof Problem && refusals.has(error.code)
    throw isRefused ? orderProblem('guest_checkout.address_refused') : error
  })
}

const refusals = new Set<string>([
  'purchase_moves.not_movable',
  'purchase_moves.same_account',
  'purchase_moves.account_disabled',
])
