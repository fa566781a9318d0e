// What a click on a buy button does: ask if it is owned already, buy once, tell, and lead to the dashboard.
import { redirect } from 'react-router'
import type { Purchase, PurchaseMade } from '#contract/purchases.ts'
import { api, ProblemError } from '../../api.ts'
import { failure, notices, purchaseSucceeded } from '../../copy.ts'
import { storedSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { beginPurchase, endPurchase, isUnanswered } from './purchase-key.ts'

/** SPEC §9. */
const dashboardDelayMs = 2000
const leavingMs = 5000

/** `isOwned`: nothing was bought; the visitor has it already and has not said that another is wanted. */
export type BuyAnswer = { isOwned: boolean }

export async function buy(form: FormData): Promise<BuyAnswer | Response> {
  const product_id = form.get('product_id') as string
  const session = storedSession()
  if (!session) return sendToSignIn()
  const intent = { user_id: session.user.id, product_id }
  try {
    const isSure = form.has('again') || isUnanswered(intent)
    if (!isSure && (await isOwned(product_id))) return { isOwned: true }
    const header = { 'idempotency-key': beginPurchase(intent) }
    const response = await api.purchases.$post({ json: { product_id }, header })
    const purchase = (await response.json()) as PurchaseMade
    endPurchase(intent)
    if (purchase.checkout_url) return await goAndPay(purchase.checkout_url)
    if (purchase.status === 'pending') return redirect(`/dashboard?paid=${purchase.id}`)
    toast(purchaseSucceeded(purchase))
    await new Promise((resolve) => setTimeout(resolve, dashboardDelayMs))
    return redirect('/dashboard')
  } catch (error) {
    // Without an answer, or with one that decides nothing, the next try must be the same purchase.
    if (error instanceof ProblemError && error.status < 500) endPurchase(intent)
    if (error instanceof ProblemError && error.status === 401) return sendToSignIn()
    toast(failure('Purchase Failed', error))
    return { isOwned: false }
  }
}

/** The button stays busy while the browser leaves; whoever comes back by its own way finds it ready again. */
async function goAndPay(url: string): Promise<BuyAnswer> {
  location.assign(url)
  await new Promise((resolve) => setTimeout(resolve, leavingMs))
  return { isOwned: false }
}

function sendToSignIn(): Response {
  toast(notices.signInFirst)
  return redirect(`/auth?next=${encodeURIComponent('/#book-sales')}`)
}

async function isOwned(product_id: string): Promise<boolean> {
  const response = await api.purchases.$get()
  const purchases = (await response.json()) as Purchase[]
  return purchases.some(({ product, status }) => product.id === product_id && status === 'completed')
}
