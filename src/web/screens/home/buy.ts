// What a click on a buy button does: ask if it is owned already, buy once, tell, and lead to the dashboard.
import { redirect } from 'react-router'
import type { PurchaseMade } from '#features/purchases/contract/purchases.ts'
import type { ProblemCode } from '../../../problems.ts'
import { readText } from '../../form.ts'
import { addressProblems, readAddress, type AddressProblems } from '../../address-form.ts'
import { responseOf, api, ProblemError } from '../../api.ts'
import { failure, notices, purchaseSucceeded } from '../../copy.ts'
import { rememberPurchase } from '../../just-bought.ts'
import { storedSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { wantedPath } from '../../wanted-product.ts'
import { dropDiscount } from './discount.ts'
import {
  beginPurchase,
  endIfDecided,
  endPurchase,
  forgetAddress,
  isUnanswered,
  keepAddress,
  storedAddress,
} from './purchase-key.ts'

/** The code is of no more use: the cards show the price without it again. */
const endedCodes: readonly string[] = ['discounts.not_valid', 'discounts.used_up'] satisfies ProblemCode[]

/** How long the buyer can read the notice before the dashboard opens. */
const dashboardDelayMs = 2000
const leavingMs = 5000

/** `isOwned`: nothing was bought; the visitor has it already and has not said that another is wanted. */
export type BuyResponse = {
  isOwned: boolean
  asks?: AddressQuestion
  /** The buyer has not agreed to instant delivery yet. */
  asksConsent?: boolean
  /** The last copy went since the page was loaded: the products are to be loaded again. */
  isSoldOut?: boolean
}

/** The shop wants to know where to send it, or knows what is wrong with what it was told. */
type AddressQuestion = { countries: string[]; problems?: AddressProblems }

export async function buy(form: FormData): Promise<BuyResponse | Response> {
  const product_id = readText(form, 'product_id')
  const code = readText(form, 'code') || undefined
  const session = storedSession()
  if (!session) return sendToSignIn(product_id, code)
  const intent = { user_id: session.user.id, product_id, code }
  const consent = readText(form, 'consent')
  const address = form.has('line1') ? readAddress(form) : storedAddress(intent)
  try {
    const isSure = form.has('again') || consent !== '' || address !== undefined || isUnanswered(intent)
    if (!isSure && (await isOwned(product_id))) return { isOwned: true }
    if (form.has('asks_consent') && !consent) return { isOwned: false, asksConsent: true }
    const asks = form.has('ships') && !address ? await findQuestion() : undefined
    if (asks) return { isOwned: false, asks }
    if (address) keepAddress(intent, address)
    const header = { 'idempotency-key': beginPurchase(intent) }
    const json = {
      product_id,
      ...(address && { address }),
      ...(consent && { consent }),
      ...(code && { code }),
    }
    const purchase: PurchaseMade = await responseOf(api.purchases.$post({ json, header }))
    endPurchase(intent)
    if (purchase.checkout_url) return await goAndPay(purchase.checkout_url)
    if (purchase.status === 'pending') return redirect(`/dashboard?paid=${purchase.id}`)
    rememberPurchase(purchase.id)
    toast(purchaseSucceeded(purchase))
    await new Promise((resolve) => setTimeout(resolve, dashboardDelayMs))
    return redirect('/dashboard')
  } catch (error) {
    if (error instanceof ProblemError) endIfDecided(intent, error.code)
    if (error instanceof ProblemError && error.status === 401) return sendToSignIn(product_id, code)
    const problems = addressProblems(error)
    if (problems) forgetAddress(intent)
    const asks = problems && (await findQuestion().catch(() => undefined))
    if (asks) return { isOwned: false, asks: { ...asks, problems } }
    toast(failure('Purchase Failed', error))
    if (error instanceof ProblemError && endedCodes.includes(error.code)) dropDiscount()
    const isSoldOut = error instanceof ProblemError && error.code === 'stock.sold_out'
    return { isOwned: false, isSoldOut }
  }
}

/** Undefined where nobody is asked for an address. */
async function findQuestion(): Promise<AddressQuestion | undefined> {
  const { asks_address, countries } = await responseOf(api.shipping.$get())
  return asks_address ? { countries } : undefined
}

/** The button stays busy while the browser leaves; after the browser's Back button it is ready again. */
async function goAndPay(url: string): Promise<BuyResponse> {
  location.assign(url)
  await new Promise((resolve) => setTimeout(resolve, leavingMs))
  return { isOwned: false }
}

function sendToSignIn(product_id: string, code: string | undefined): Response {
  toast(notices.signInFirst)
  return redirect(`/auth?next=${encodeURIComponent(wantedPath(product_id, code))}`)
}

/** By itself, or in a bundle. */
async function isOwned(product_id: string): Promise<boolean> {
  const { items } = await responseOf(api.purchases.$get({ query: { gives: product_id } }))
  return items.length > 0
}
