// Buying with an address only: the order is sent with the proof that this browser keeps, then Stripe's page opens.
import { redirect } from 'react-router'
import type { ProblemCode } from '#contract/refusals.ts'
import { wantedPath } from '../../wanted-product.ts'
import { guestTexts } from '#words/guest.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { beginGuestPurchase, saveEntry } from '../../guest-purchases.ts'
import { leaveFor } from '../../leave-for.ts'
import { toast } from '../../toasts.tsx'
import { dropDiscount } from './enter-discount.ts'
import { buyingTexts } from '#words/buying.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { shippingRange } from '#contract/orders/prices.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { addressProblems, readAddress } from '../../address-form.ts'
import { announcePurchase } from '../../just-bought.ts'
import { storedSession } from '../../session.ts'
import {
  beginPurchase,
  endIfDecided,
  endPurchase,
  clearPlace,
  isUnanswered,
  saveAddress,
  saveDestination,
  storedAddress,
  storedDestination,
  type Destination,
  type Intent,
} from './purchase-key.ts'

// What follows an order, with an account or without.

/** After these the cards show the price without the code. */
const endedCodes: readonly string[] = ['discounts.not_valid', 'discounts.used_up'] satisfies ProblemCode[]

const endedSales: readonly string[] = ['stock.sold_out', 'purchases.not_for_sale'] satisfies ProblemCode[]

function toSignIn(product_id: string, code: string | undefined): Response {
  return redirect(`/auth?next=${encodeURIComponent(wantedPath(product_id, code))}`)
}

export type GuestResponse = {
  /** Not known of a buyer without an account. */
  isOwned: false
  problems?: FieldProblems | undefined
  notice?: string | undefined
  isOutdated?: boolean
}

const accountFirst: readonly string[] = [
  'guest_checkout.nothing_to_pay',
  'guest_checkout.not_offered',
] satisfies ProblemCode[]

async function buyAsGuest(form: FormData): Promise<GuestResponse | Response> {
  const product_id = readText(form, 'product_id')
  const code = readText(form, 'code') || undefined
  const country = readText(form, 'country') || undefined
  const consent = readText(form, 'consent') || undefined
  const shipping = Number(readText(form, 'shipping'))
  try {
    const entry = beginGuestPurchase(product_id, readText(form, 'email'))
    const { proof, email } = entry
    const json = {
      product_id,
      email,
      proof,
      ...(code && { code }),
      ...(country && { country }),
      ...(consent && { consent }),
      ...(shipping > 0 && { shipping }),
    }
    const { id, checkout_url } = await responseOf(api.guest.purchases.$post({ json }))
    saveEntry({ ...entry, purchase_id: id })
    if (!checkout_url) return redirect(`/purchase/${id}`)
    await leaveFor(checkout_url)
    return { isOwned: false }
  } catch (error) {
    return explainToGuest(error, { product_id, code })
  }
}

function explainToGuest(
  error: unknown,
  { product_id, code }: { product_id: string; code: string | undefined },
): GuestResponse | Response {
  const problem = error instanceof ProblemError ? error : undefined
  if (problem && accountFirst.includes(problem.code)) {
    toast({ title: guestTexts.accountFirst, description: problem.message })
    return toSignIn(product_id, code)
  }
  if (problem && endedCodes.includes(problem.code)) dropDiscount()
  const email = problem?.fields?.['email']
  return {
    isOwned: false,
    problems: email ? { email } : undefined,
    notice: email ? undefined : failure(guestTexts.failed, error).description,
    isOutdated: problem !== undefined && endedSales.includes(problem.code),
  }
}

/** How long the buyer can read the notice before the dashboard opens. */
const dashboardDelayMs = 2000

export type BuyResponse = {
  isOwned: boolean
  asks?: PlaceQuestion
  asksConsent?: boolean
  asksEmail?: boolean
  isOutdated?: boolean
}

export type PlaceQuestion = ShippingTerms & { problems?: FieldProblems; notice?: string }

const changedShipping: readonly string[] = [
  'shipments.country_needed',
  'shipments.price_changed',
] satisfies ProblemCode[]

export async function buy(form: FormData): Promise<BuyResponse | Response> {
  if (form.has('email')) return buyAsGuest(form)
  const product_id = readText(form, 'product_id')
  const code = readText(form, 'code') || undefined
  const session = storedSession()
  if (!session)
    return form.has('guest') ? { isOwned: false, asksEmail: true } : sendToSignIn(product_id, code)
  const intent = { user_id: session.user.id, product_id, code }
  const consent = readText(form, 'consent')
  const address = form.has('line1') ? readAddress(form) : storedAddress(intent)
  const chosen = form.has('shipping') ? readDestination(form) : storedDestination(intent)
  try {
    const isSure = form.has('again') || consent !== '' || Boolean(chosen ?? address) || isUnanswered(intent)
    if (!isSure && (await isOwned(product_id))) return { isOwned: true }
    if (form.has('asks_consent') && !consent) return { isOwned: false, asksConsent: true }
    // The price of shipping that the card says, where it is the same for all countries.
    const seen = Number(readText(form, 'ships'))
    const asks = form.has('ships') && !address && !chosen ? await findQuestion(seen) : undefined
    if (asks) return { isOwned: false, asks }
    const destination = chosen ?? { shipping: seen }
    if (address) saveAddress(intent, address)
    if (destination.shipping > 0 || destination.country) saveDestination(intent, destination)
    const header = { 'idempotency-key': beginPurchase(intent) }
    const json = {
      product_id,
      ...(address && { address }),
      ...(destination.country && { country: destination.country }),
      ...(destination.shipping > 0 && { shipping: destination.shipping }),
      ...(consent && { consent }),
      ...(code && { code }),
    }
    const purchase: PurchaseMade = await responseOf(api.purchases.$post({ json, header }))
    endPurchase(intent)
    return await finish(purchase)
  } catch (error) {
    return explain(intent, error)
  }
}

async function finish(purchase: PurchaseMade): Promise<BuyResponse | Response> {
  if (purchase.checkout_url) {
    await leaveFor(purchase.checkout_url)
    return { isOwned: false }
  }
  if (purchase.status === 'pending') return redirect(`/dashboard?paid=${purchase.id}`)
  announcePurchase(purchase)
  await new Promise((resolve) => setTimeout(resolve, dashboardDelayMs))
  return redirect('/dashboard')
}

/** What the buyer can do about it: sign in, say anew where it goes, or read the notice. */
async function explain(intent: Intent, error: unknown): Promise<BuyResponse | Response> {
  const problem = error instanceof ProblemError ? error : undefined
  if (problem) endIfDecided(intent, problem.code)
  if (problem?.status === 401) return sendToSignIn(intent.product_id, intent.code)
  const problems = addressProblems(error)
  if (problems) clearPlace(intent)
  const notice = problem && changedShipping.includes(problem.code) ? problem.message : undefined
  const terms = problems || notice ? await readTerms().catch(() => undefined) : undefined
  if (terms)
    return { isOwned: false, asks: { ...terms, ...(problems && { problems }), ...(notice && { notice }) } }
  toast(failure(buyingTexts.purchaseFailed, error))
  if (problem && endedCodes.includes(problem.code)) dropDiscount()
  return { isOwned: false, isOutdated: problem !== undefined && endedSales.includes(problem.code) }
}

export const readTerms = () => responseOf(api.shipping.$get())

async function findQuestion(seen: number): Promise<PlaceQuestion | undefined> {
  const terms = await readTerms()
  const { min, max } = shippingRange(terms)
  return terms.asks_address || min !== seen || max !== seen ? terms : undefined
}

function readDestination(form: FormData): Destination {
  const country = form.has('line1') ? undefined : readText(form, 'country') || undefined
  return { country, shipping: Number(readText(form, 'shipping')) }
}

function sendToSignIn(product_id: string, code: string | undefined): Response {
  toast({ ...buyingTexts.signInFirst, destructive: true, isBrief: true })
  return toSignIn(product_id, code)
}

async function isOwned(product_id: string): Promise<boolean> {
  const { items } = await responseOf(api.purchases.$get({ query: { gives: product_id } }))
  return items.length > 0
}
