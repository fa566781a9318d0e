import { sql } from 'drizzle-orm'
import type { Payments } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from '#tables/payments.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '#platform/services.ts'
import type { WithBook } from '#domains/book/published-book.ts'
import { findGuestPurchase, lockGuest, saveGuest, type Guest } from '#domains/orders/save-guest.ts'
import { insertConsent, readAskedConsent } from '#domains/orders/consents.ts'
import { insertCompleted, readTerms, type Bought } from '#domains/orders/buy.ts'
import { insertPurchase } from '#domains/orders/insert-purchase.ts'
import { findBought, getPurchase, type Intent } from '#domains/orders/purchases.ts'
import { cancelUnopened } from './change-purchase.ts'
import { compareOpen, findByKey, findOfProof, findOpen, type Found } from './find-checkout.ts'
import { firstCheck } from './next-check.ts'
import { findOrOpen } from './open-checkout.ts'
import { saveRefusedBuyer } from './outages.ts'
import { settlePurchase } from './settle.ts'

type Needs = Services & WithBook & { provider: Payments }
type Buyer = { id: string; email: string } | Guest
type Asked = Omit<Intent, 'user_id'>

/** An open checkout of the same product is resumed, whatever the key: a buyer never has two payable ones. */
export async function checkOut(services: Needs, buyer: Buyer, intent: Asked) {
  try {
    return await begin(services, buyer, intent)
  } catch (error) {
    const refused = buyer.id ?? (await findGuestPurchase(services.db, buyer.proof_hash))
    if (refused) await saveRefusedBuyer(services, refused, error)
    throw error
  }
}

async function begin(
  services: Needs,
  buyer: Buyer,
  intent: Asked,
): Promise<Bought & { checkout_url: string | null }> {
  const { db } = services
  const asked = await readAskedConsent(services)
  const found = await db.transaction(async (tx) => {
    const made = await findOrMake(tx, services, buyer, { intent, asked })
    if (!('purchase' in made) && (made.isNew || !made.isOwnKey))
      await insertConsent(tx, { purchase_id: made.id, asked, consent: intent.consent })
    return made
  })
  if ('purchase' in found) return { ...found, checkout_url: null }
  const { id, isNew } = found
  // Resuming on the dashboard names no country.
  const again = { ...intent, country: intent.country ?? found.charge?.country ?? undefined }
  if (found.isOutdated && !(await endOutdated(services, found))) return begin(services, buyer, again)
  const status = isNew ? 'pending' : await settlePurchase(services, id)
  if (status === 'canceled') {
    if (found.isOwnKey) throw orderProblem('purchases.checkout_ended')
    return begin(services, buyer, again)
  }
  const checkout_url = status === 'pending' ? (await findOrOpen(services, buyer, id)).url : null
  return { purchase: await getPurchase(db, id), isNew, checkout_url }
}

async function endOutdated({ db, provider }: Needs, { id, session_id, attempt }: Found) {
  if (!session_id) return cancelUnopened(db, { id, attempt })
  await provider.endCheckout(session_id)
  return true
}

type Made = Found | Bought

/** Serialized for each buyer and product, so that the second of two clicks finds the first. */
async function findOrMake(
  tx: Transaction,
  services: Needs,
  buyer: Buyer,
  { intent, asked }: { intent: Asked; asked: string | null },
): Promise<Made> {
  const { provider } = services
  const { product_id } = intent
  const is_live = provider.isLive
  const found = buyer.id === null ? undefined : await findOfUser(tx, { ...intent, user_id: buyer.id })
  if (found) return found
  if (buyer.id === null) await lockGuest(tx, buyer)
  const open =
    buyer.id === null
      ? await findOfProof(tx, { ...buyer, product_id })
      : await findOpen(tx, { user_id: buyer.id, product_id, is_live })
  if (open && (open.status !== 'pending' || open.held_reason !== null))
    return { purchase: await getPurchase(tx, open.id), isNew: false }
  const wanted = { ...intent, user_id: buyer.id }
  const terms = await readTerms(tx, services, wanted, { mode: 'paid', open_id: open?.id })
  if (open) return compareOpen(services, open, { ...wanted, email: buyer.email }, terms.offer)
  const is_test = !is_live
  if (buyer.id !== null && terms.offer?.total === 0n)
    return insertCompleted(tx, services, { ...intent, user_id: buyer.id }, { asked, terms, is_test })
  const id = await insertPurchase(tx, services, wanted, { status: 'pending', terms, is_test })
  if (!id) throw catalogProblem('products.not_found')
  if (buyer.id === null) await saveGuest(tx, buyer, id)
  await tx.insert(checkouts).values({ purchase_id: id, is_live, next_check_at: firstCheck(services) })
  return { id, session_id: null, attempt: 1, isNew: true, isOwnKey: true, isOutdated: false, charge: null }
}

async function findOfUser(tx: Transaction, intent: Intent): Promise<Made | undefined> {
  const key = `checkout ${intent.user_id} ${intent.product_id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const made = await findByKey(tx, intent)
  if (made) return made
  const bought = await findBought(tx, intent)
  return bought && { purchase: bought, isNew: false }
}
