import type { Transaction } from '#platform/db/client.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { orderProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { WithBook } from '#domains/book/published-book.ts'
import { findOffer } from './apply-discount.ts'
import { isSelling, type SaleMode } from '#contract/catalog/sale-mode.ts'
import {
  isModeCurrent,
  keylessMode,
  cachedKeylessFacts,
  readKeylessFacts,
  type KeylessFacts,
} from '#domains/catalog/sale-mode.ts'
import { insertFirstAddress } from './address.ts'
import { findCharge } from './charges.ts'
import { insertConsent, readAskedConsent } from './consents.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { insertPurchase, type Terms } from './insert-purchase.ts'
import { findBought, getPurchase, type BuyerIntent, type Intent } from './purchases.ts'
import { receiptJob } from './receipts.ts'

export type Bought = { purchase: Purchase; isNew: boolean }

// The statement that inserts the purchase checks how the shop sells. A key that was seen before gives its purchase.
export async function buy(services: Services & WithBook, intent: Intent): Promise<Bought> {
  const asked = await readAskedConsent(services)
  const known = await cachedKeylessFacts(services)
  return services.db.transaction(async (tx) => {
    const bought =
      isSelling(keylessMode(known)) && (await buyAs(tx, services, intent, { asked, facts: known }))
    if (bought) return bought
    // Nothing was inserted: there is no such product, or another process changed how the shop sells.
    const facts = await readKeylessFacts(tx)
    const made = await buyAs(tx, services, intent, { asked, facts })
    if (!made) throw catalogProblem('products.not_found')
    return made
  })
}

async function buyAs(
  tx: Transaction,
  services: Services & WithBook,
  intent: Intent,
  { asked, facts }: { asked: string | null; facts: KeylessFacts },
): Promise<Bought | undefined> {
  const mode = keylessMode(facts)
  const wanted = mode === 'free' ? { ...intent, code: undefined } : intent
  // What was bought before the shop closed, or with a code that has ended, stays bought.
  const bought = (wanted.code || !isSelling(mode)) && (await findBought(tx, wanted))
  if (bought) return { purchase: bought, isNew: false }
  if (!isSelling(mode)) throw orderProblem('purchases.not_for_sale')
  const terms = { ...(await readTerms(tx, services, wanted, { mode })), isModeCurrent: isModeCurrent(facts) }
  return findOrInsert(tx, services, wanted, { asked, terms })
}

/** Where the author gives the book away, shipping costs nothing, too. */
export async function readTerms(
  tx: Transaction,
  services: Services,
  { code, product_id, ...destination }: BuyerIntent,
  { mode, open_id }: { mode: SaleMode; open_id?: string | undefined },
): Promise<Terms> {
  if (mode === 'free') return { mode, offer: undefined, charge: undefined }
  const charge = findCharge(services, destination)
  const shipping = charge?.amount ?? 0n
  const asked = code && { code, product_id, shipping, open_id }
  return { mode, charge, offer: asked ? await findOffer(tx, services, asked) : undefined }
}

type Completed = {
  asked: string | null
  terms: Terms
  is_test?: boolean
}

export async function insertCompleted(
  tx: Transaction,
  services: Services,
  intent: Intent,
  completed: Completed,
): Promise<Bought> {
  const bought = await findOrInsert(tx, services, intent, completed)
  if (!bought) throw catalogProblem('products.not_found')
  return bought
}

async function findOrInsert(
  tx: Transaction,
  services: Services,
  intent: Intent,
  { asked, terms, is_test = false }: Completed,
): Promise<Bought | undefined> {
  const purchase_id = await insertPurchase(tx, services, intent, { status: 'completed', terms, is_test })
  if (!purchase_id) {
    const bought = await findBought(tx, intent)
    return bought && { purchase: bought, isNew: false }
  }
  await insertFirstAddress(tx, services, { purchase_id, address: intent.address, mode: terms.mode })
  await insertConsent(tx, { purchase_id, asked, consent: intent.consent })
  await services.queue.enqueue(tx, receiptJob, { purchase_id })
  return { purchase: await getPurchase(tx, purchase_id), isNew: true }
}
