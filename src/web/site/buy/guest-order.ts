// Buying with an address only: the order is sent with the proof that this browser keeps, then Stripe's page opens.
import { guestTexts } from '#words/guest.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { guestOrder, isAccountFirst } from '#contract/orders/guest-orders.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { isCompleted } from '#contract/orders/purchase-status.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../notices/send.ts'
import {
  beginGuestPurchase,
  type GuestEntry,
  listEntries,
  saveEntry,
} from '../../purchase/guest-purchases.ts'
import { readPurchase } from '../purchase/read-purchase.ts'
import { leaveFor } from '../../notices/stored-notice.ts'
import { toast } from '../../notices/toasts.tsx'
import { dropDiscount } from '../discount/enter-discount.ts'
import { endedCodes, endedSales, leaveToSignIn } from './buy.ts'

export type GuestOrder = {
  product_id: string
  code: string | undefined
  email: string
  /** The key of the page that has the form, for a browser that has begun none yet. */
  key?: string
  country: string | undefined
  shipping: number
  consent: string | undefined
  letters: string | undefined
  /** As the form says. */
  seller: Seller
}

export type GuestOutcome = { problems?: FieldProblems; notice?: string | undefined; isOutdated?: boolean }

type Ordered = Pick<GuestOrder, 'product_id' | 'email'> & { products: readonly Product[] }

/**
 * Finds the order of this browser under the same address that gives the product already. The shop asks Stripe for each order
 * that is read, so only those are read that can give it.
 */
export async function findOwned({ product_id, email, products }: Ordered): Promise<string | undefined> {
  const isPaid = (entry: GuestEntry) => entry.ends_at && entry.email.toLowerCase() === email.toLowerCase()
  const entries = listEntries().filter((entry) => isPaid(entry) && mayGive(entry, product_id, products))
  const read = await Promise.all(entries.map(async (entry) => ({ entry, purchase: await readEntry(entry) })))
  return read.find(({ entry, purchase }) => {
    const isEnded = hasEnded(entry)
    // The shop says nothing more of an order to a proof that is over.
    if (typeof purchase === 'string')
      return isEnded && purchase === 'unknown' && entry.product_id === product_id
    return gives(purchase, product_id, isEnded)
  })?.entry.purchase_id
}

const readEntry = ({ purchase_id, proof }: GuestEntry & { purchase_id: string }) =>
  readPurchase(purchase_id, { proof, isLink: false })

const hasEnded = ({ ends_at }: GuestEntry) => ends_at !== undefined && Date.parse(ends_at) <= Date.now()

/** A product that is not for sale any more may have been a bundle of it. */
export function mayGive(
  { product_id: bought }: Pick<GuestEntry, 'product_id'>,
  product_id: string,
  products: readonly Product[],
): boolean {
  if (bought === product_id) return true
  const known = products.find(({ id }) => id === bought)
  return known ? known.parts.includes(product_id) : true
}

function gives(purchase: GuestPurchase, product_id: string, isEnded: boolean): boolean {
  const { status, own, is_held, is_withdrawn, is_going_back, is_given_away, product } = purchase
  const isOver = is_held || is_withdrawn || is_going_back || is_given_away
  if ((!own && !isEnded) || isOver || !isCompleted(status)) return false
  return product.id === product_id || product.files.some((file) => file.product_id === product_id)
}

export async function buyAsGuest(order: GuestOrder): Promise<GuestOutcome> {
  const { product_id, code, country, consent, letters, seller, shipping } = order
  try {
    const entry = beginGuestPurchase(order)
    const { proof, email } = entry
    const json = guestOrder({ product_id, email, proof, code, country, consent, letters, seller, shipping })
    const { id, checkout_url } = await responseOf(api.guest.purchases.$post({ json }))
    saveEntry({ ...entry, purchase_id: id })
    await leaveFor(checkout_url ?? `/purchase/${id}`)
    return {}
  } catch (error) {
    return explainToGuest(order, error)
  }
}

async function explainToGuest(order: GuestOrder, error: unknown): Promise<GuestOutcome> {
  const problem = error instanceof ProblemError ? error : undefined
  if (problem && isAccountFirst(problem.code)) {
    toast({ title: guestTexts.accountFirst, description: problem.message })
    await leaveToSignIn(order)
    return {}
  }
  if (problem && endedCodes.includes(problem.code)) dropDiscount()
  const email = problem?.fields?.['email']
  return {
    ...(email && { problems: { email } }),
    notice: email ? undefined : failure(guestTexts.failed, error).description,
    isOutdated: problem !== undefined && endedSales.includes(problem.code),
  }
}
