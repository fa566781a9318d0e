// The steps of an order with an account, and the answers that an order can have.
import { buyingTexts } from '#words/buying.ts'
import { siteTexts } from '#words/site.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import type { ProblemCode } from '#contract/refusals.ts'
import { shippingRange } from '#contract/orders/prices.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { addressProblems } from '../../forms/address-form.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../notices/send.ts'
import { announcePurchase } from '../../purchase/just-bought.ts'
import { carryNotice, leaveFor, leaveToPay } from '../../notices/stored-notice.ts'
import { keepsStorage, storedSession } from '../../session/session.ts'
import { toast } from '../../notices/toasts.tsx'
import { chosenPath } from '#contract/chosen-product.ts'
import { dropDiscount } from '../discount/enter-discount.ts'
import {
  beginPurchase,
  clearPlace,
  endIfDecided,
  endPurchase,
  isUnanswered,
  saveAddress,
  saveDestination,
  storedAddress,
  storedDestination,
  type Destination,
  type Intent,
} from './purchase-key.ts'

export type Order = {
  product_id: string
  code: string | undefined
  /** The visitor has no account, and buys once an address is given. */
  isForGuests: boolean
  asksConsent: boolean
  /** As the card says. */
  seller: Seller
  /** The price of shipping that the card says, null where it depends on the country; undefined where nothing is shipped. */
  seenShipping: number | null | undefined
}

/** The buyer's answers so far. */
export type Answers = {
  /** The buyer confirms to buy what is owned already. */
  again?: boolean
  consent?: string
  /** The words beside the box of the author's letters, where it was ticked. */
  letters?: string | undefined
  place?: Place
}

export type Place = Destination & { address?: PostalAddress }

/** A question, or undefined where the page is left or a notice says what failed. */
export type Question = 'again' | 'consent' | 'email' | PlaceQuestion

export type PlaceQuestion = ShippingTerms & { problems?: FieldProblems; notice?: string }

export type BuyOutcome = { question?: Question; isOutdated?: boolean }

/** The cards show the price without the code after these refusals. */
export const endedCodes: readonly string[] = [
  'discounts.not_valid',
  'discounts.used_up',
] satisfies ProblemCode[]

export const endedSales: readonly string[] = [
  'stock.sold_out',
  'purchases.not_for_sale',
] satisfies ProblemCode[]

const changedShipping: readonly string[] = [
  'shipments.country_needed',
  'shipments.price_changed',
] satisfies ProblemCode[]

/** The milliseconds for which the buyer can read the notice before the dashboard opens. */
const dashboardDelayMs = 2000

export async function buy(order: Order, answers: Answers): Promise<BuyOutcome> {
  const { product_id, code, seenShipping } = order
  const session = storedSession()
  if (!session && order.isForGuests) return { question: 'email' }
  if (!session) return askToSignIn(order)
  const intent = { user_id: session.user.id, product_id, code }
  const { consent, letters } = answers
  const address = answers.place ? answers.place.address : storedAddress(intent)
  const chosen = answers.place ?? storedDestination(intent)
  try {
    const isSure =
      answers.again || consent !== undefined || Boolean(chosen ?? address) || isUnanswered(intent)
    if (!isSure && (await isOwned(product_id))) return { question: 'again' }
    if (order.asksConsent && !consent) return { question: 'consent' }
    const asksPlace = seenShipping !== undefined && !address && !chosen
    const question = asksPlace ? await findQuestion(seenShipping ?? 0) : undefined
    if (question) return { question }
    const { country, shipping }: Destination = chosen ?? { shipping: seenShipping ?? 0 }
    if (address) saveAddress(intent, address)
    if (shipping > 0 || country) saveDestination(intent, { country, shipping })
    const header = { 'idempotency-key': beginPurchase(intent) }
    const json = {
      product_id,
      ...(address && { address }),
      ...(country && !address && { country }),
      ...(shipping > 0 && { shipping }),
      ...(consent && { consent }),
      ...(letters && { letters }),
      ...(code && { code }),
      ...(order.seller === 'stripe' && { seller: order.seller }),
    }
    const purchase: PurchaseMade = await responseOf(api.purchases.$post({ json, header }))
    endPurchase(intent)
    await finish(purchase)
    return {}
  } catch (error) {
    return explain(order, intent, error)
  }
}

async function finish(purchase: PurchaseMade): Promise<void> {
  if (purchase.checkout_url) return leaveToPay(purchase.checkout_url)
  if (purchase.status === 'pending') return leaveToPay(`/dashboard?paid=${purchase.id}`)
  announcePurchase(purchase)
  carryNotice()
  await new Promise((resolve) => setTimeout(resolve, dashboardDelayMs))
  return leaveFor('/dashboard')
}

/** Decides what the buyer can do about the refusal: sign in, say anew where it goes, or read the notice. */
async function explain(order: Order, intent: Intent, error: unknown): Promise<BuyOutcome> {
  const problem = error instanceof ProblemError ? error : undefined
  if (problem) endIfDecided(intent, problem.code)
  if (problem?.status === 401) return askToSignIn(order)
  const problems = addressProblems(error)
  if (problems) clearPlace(intent)
  const notice = problem && changedShipping.includes(problem.code) ? problem.message : undefined
  const terms = problems || notice ? await readTerms().catch(() => undefined) : undefined
  if (terms) return { question: { ...terms, ...(problems && { problems }), ...(notice && { notice }) } }
  toast(failure(buyingTexts.purchaseFailed, error, siteTexts.unexpected))
  if (problem && endedCodes.includes(problem.code)) dropDiscount()
  return { isOutdated: problem !== undefined && endedSales.includes(problem.code) }
}

export const readTerms = () => responseOf(api.shipping.$get())

async function findQuestion(seen: number): Promise<PlaceQuestion | undefined> {
  const terms = await readTerms()
  const { min, max } = shippingRange(terms)
  return terms.asks_address || min !== seen || max !== seen ? terms : undefined
}

async function isOwned(product_id: string): Promise<boolean> {
  const { items } = await responseOf(api.purchases.$get({ query: { gives: product_id } }))
  return items.length > 0
}

async function askToSignIn(order: Order): Promise<BuyOutcome> {
  toast({ ...buyingTexts.signInFirst, destructive: true, isBrief: true })
  await leaveToSignIn(order)
  return {}
}

export function leaveToSignIn({ product_id, code }: Pick<Order, 'product_id' | 'code'>): Promise<void> {
  const path = `/auth?next=${encodeURIComponent(chosenPath(product_id, code))}`
  carryNotice()
  return leaveFor(keepsStorage() ? path : `${path}&notice=sign-in-first`)
}
