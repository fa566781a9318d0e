// Completes a purchase at what was really paid.
import { eq } from 'drizzle-orm'
import { compareMoney } from '#platform/contract/money.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { PurchaseStatus } from '../purchases/contract/purchases.ts'
import { checkouts } from './schema.ts'
import { saveCharge } from '../shipping/charges.ts'
import { insertPaidAddress } from '../shipping/address.ts'
import { purchases } from '../purchases/schema.ts'
import { lockUsedCode, setUseCounted } from '../discounts/apply-discount.ts'
import { takeCopies } from '../stock/stock.ts'
import { receiptJob } from '../purchases/receipts.ts'
import type { Services } from '../../services.ts'
import type { CheckoutRecord } from './checkout-record.ts'
import { nextInvoiceCheck } from './next-check.ts'
import { saveAdjustments } from './save-adjustments.ts'

const notHeld = { held_reason: null, dismissed_at: null, paid_total: null, paid_currency: null }

/** Another price of shipping than was asked for is in payments that the author accepts although they do not fit. */
async function savePaidShipping(
  tx: Transaction,
  { id: purchase_id, shipping: asked }: Pick<CheckoutRecord, 'id' | 'shipping'>,
  { shipping, address }: Checkout,
): Promise<void> {
  const amount = shipping ?? 0
  if (compareMoney(amount, asked ?? 0) === 0) return
  await saveCharge(tx, { purchase_id, country: address?.country ?? null, amount })
}

type Needs = Pick<Services, 'queue' | 'config' | 'clock'>
type Record = Pick<CheckoutRecord, 'id' | 'created_at' | 'shipping'>

/** The purchase's row must be locked. */
export async function complete(
  services: Needs,
  tx: Transaction,
  record: Record,
  checkout: Checkout,
): Promise<PurchaseStatus> {
  const { queue } = services
  const { id: purchase_id } = record
  const { total: amount, address } = checkout
  await tx.update(purchases).set({ status: 'completed', amount }).where(eq(purchases.id, purchase_id))
  await savePaid(services, tx, record, checkout)
  // What the author has accepted is sold, also where no copy is counted any more.
  await takeCopies(tx, purchase_id)
  // A trigger has made the shipment with the new status, where there is anything to ship.
  if (address) await insertPaidAddress(tx, purchase_id, address)
  await queue.enqueue(tx, receiptJob, { purchase_id })
  return saveAdjustments(tx, queue, purchase_id, checkout.reportedAdjustments)
}

/**
 * Of a payment whose money went back before the shop saw it: no receipt and no parcel; triggers give its copies back, and
 * it is no use of a discount code. The purchase's row must be locked.
 */
export async function completeReturned(
  services: Needs,
  tx: Transaction,
  record: Record,
  checkout: Checkout,
): Promise<PurchaseStatus> {
  const { id: purchase_id } = record
  await lockUsedCode(tx, purchase_id)
  await tx
    .update(purchases)
    .set({ status: 'refunded', amount: checkout.total })
    .where(eq(purchases.id, purchase_id))
  await setUseCounted(tx, purchase_id, false)
  await savePaid(services, tx, record, checkout)
  return saveAdjustments(tx, services.queue, purchase_id, checkout.reportedAdjustments)
}

async function savePaid(services: Needs, tx: Transaction, record: Record, checkout: Checkout): Promise<void> {
  const { subtotal, tax, discount, payment_intent, invoice_url } = checkout
  const { answer_by, disputed_at, dispute_status } = checkout
  const next_check_at = nextInvoiceCheck(services, { ...record, checks: 0 }, checkout)
  await tx
    .update(checkouts)
    .set({
      subtotal,
      tax,
      discount,
      payment_intent,
      invoice_url,
      answer_by,
      disputed_at,
      dispute_status,
      ...notHeld,
      next_check_at,
      checks: 0,
      asked: null,
    })
    .where(eq(checkouts.purchase_id, record.id))
  await savePaidShipping(tx, record, checkout)
}
