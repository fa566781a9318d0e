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
import { leaveToPay } from '../../notices/stored-notice.ts'
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

/** The order that gives the product already: of what, and its address where that is another than the typed one. */
export type OwnedOrder = { id: string; name?: string; email?: string }

export type GuestOutcome = {
  problems?: FieldProblems
  notice?: string | undefined
  isOutdated?: boolean
  owned?: OwnedOrder
}

type Ordered = Pick<GuestOrder, 'product_id' | 'email'> & { products: readonly Product[] }

/**
 * Finds the order of this browser that gives the product already: under another address only while this browser opens it,
 * where the address was perhaps corrected and would be charged again. The shop asks Stripe for each order that is read, so
 * only those are read that can give it. Of what was paid before an order was begun under this address, that order was asked
 * about.
 */
export async function findOwned({ product_id, email, products }: Ordered): Promise<OwnedOrder | undefined> {
  const entries = notAsked(listEntries(), { product_id, email }).filter(
    (entry) => entry.ends_at && mayGive(entry, product_id, products),
  )
  const read = await Promise.all(entries.map(async (entry) => ({ entry, purchase: await readEntry(entry) })))
  const owned = read.find(({ entry, purchase }) => {
    const isOwn = isSame(entry.email, email)
    // The shop says nothing more of an order to a proof that is over.
    if (typeof purchase === 'string')
      return isOwn && hasEnded(entry.ends_at) && purchase === 'unknown' && entry.product_id === product_id
    return (isOwn || purchase.own !== null) && gives(purchase, product_id)
  })
  return owned && ownedBy(owned, email)
}

/** `entries` are the newest first. */
export function notAsked<Entry extends Pick<GuestEntry, 'product_id' | 'email' | 'ends_at'>>(
  entries: readonly Entry[],
  { product_id, email }: Pick<Ordered, 'product_id' | 'email'>,
): Entry[] {
  const isBegun = (entry: Entry) =>
    entry.product_id === product_id && !entry.ends_at && isSame(entry.email, email)
  const begun = entries.findIndex(isBegun)
  return begun < 0 ? [...entries] : entries.slice(0, begun)
}

type ReadEntry = { entry: GuestEntry & { purchase_id: string }; purchase: GuestPurchase | string }

function ownedBy({ entry, purchase }: ReadEntry, typed: string): OwnedOrder {
  const { purchase_id: id } = entry
  if (typeof purchase === 'string') return { id }
  const { name } = purchase.product
  const email = purchase.own?.receipt_to ?? entry.email
  return email && !isSame(email, typed) ? { id, name, email } : { id, name }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const readEntry = ({ purchase_id, proof }: GuestEntry & { purchase_id: string }) =>
  readPurchase(purchase_id, { proof, isLink: false })

const hasEnded = (ends_at: string | undefined) => (ends_at ? Date.parse(ends_at) <= Date.now() : false)

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

function gives(purchase: GuestPurchase, product_id: string): boolean {
  const { status, own, is_over, is_held, is_withdrawn, is_going_back, is_given_away, product } = purchase
  const isClosed = is_held || is_withdrawn || is_going_back || is_given_away
  if ((!own && !is_over) || isClosed || !isCompleted(status)) return false
  return product.id === product_id || product.files.some((file) => file.product_id === product_id)
}

export async function buyAsGuest(order: GuestOrder): Promise<GuestOutcome> {
  const { product_id, code, country, consent, letters, seller, shipping } = order
  try {
    const entry = beginGuestPurchase(order)
    const { proof, email } = entry
    const json = guestOrder({ product_id, email, proof, code, country, consent, letters, seller, shipping })
    const { id, checkout_url } = await responseOf(api.guest.purchases.$post({ json }))
    const begun = { ...entry, purchase_id: id }
    saveEntry(begun)
    const owned = checkout_url ? undefined : await readPaid(begun)
    if (owned) return { owned }
    await leaveToPay(checkout_url ?? `/purchase/${id}`)
    return {}
  } catch (error) {
    return explainToGuest(order, error)
  }
}

/** The order of this proof was paid and the browser did not learn of it, as when the tab was closed after the payment. */
async function readPaid(entry: GuestEntry & { purchase_id: string }): Promise<OwnedOrder | undefined> {
  const purchase = await readEntry(entry)
  if (purchase === 'failed') return undefined
  const isPaid = purchase === 'unknown' || gives(purchase, entry.product_id)
  return isPaid ? ownedBy({ entry, purchase }, entry.email) : undefined
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
