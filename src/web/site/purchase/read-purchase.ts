// Reads what the shop says of a purchase that was bought with an address only, and what this browser then remembers of
// it.
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import {
  dropEntry,
  findEntry,
  listEntries,
  newProof,
  saveEntry,
  type PurchaseProof,
} from '../../purchase/guest-purchases.ts'

const returnOf = (id: string) => `return:${id}`

/**
 * The id of the checkout that the payment led back with (page-shell.tsx) becomes the proof of this browser, if it has none.
 * Throws where the shop cannot be reached.
 */
export async function takeReturn(id: string): Promise<void> {
  const [session, begun] = sessionStorage.getItem(returnOf(id))?.split(' ') ?? []
  if (session && !findEntry(id)) await exchange(id, session, begun ?? newProof())
  sessionStorage.removeItem(returnOf(id))
}

async function exchange(id: string, session: string, proof: string): Promise<void> {
  // The proof is stored before it is sent: a response that is lost is asked for with the same.
  sessionStorage.setItem(returnOf(id), `${session} ${proof}`)
  try {
    const json = { proof: session, new_proof: proof }
    const { own, product, access_ends_at } = await responseOf(
      api.guest.purchases[':id'].return.$post({ param: { id }, json }),
    )
    saveEntry({
      proof,
      product_id: product.id,
      email: own?.receipt_to ?? '',
      purchase_id: id,
      ...(access_ends_at && { ends_at: access_ends_at }),
    })
  } catch (error) {
    const isDecided = error instanceof ProblemError && error.status < 500 && error.status !== 429
    if (!isDecided) throw error
  }
}

/** Unknown also where its proof has ended; failed where the shop cannot be reached. */
export async function readPurchase(
  id: string,
  { proof, isLink }: PurchaseProof,
): Promise<GuestPurchase | 'unknown' | 'failed'> {
  try {
    const json = { proof }
    const purchase: GuestPurchase = await responseOf(
      api.guest.purchases[':id'].settle.$post({ param: { id }, json }),
    )
    if (!isLink) follow(purchase)
    return purchase
  } catch (error) {
    const isOver = error instanceof ProblemError && [404, 410, 422].includes(error.status)
    if (!isOver) return 'failed'
    if (!isLink) dropEntry({ proof })
    return 'unknown'
  }
}

/** Reads what this browser can open of its purchases. */
export async function readOwnPurchases(): Promise<{ purchases: GuestPurchase[]; hasFailed: boolean }> {
  const read = await Promise.all(
    listEntries().map(({ purchase_id, proof }) => readPurchase(purchase_id, { proof, isLink: false })),
  )
  return { purchases: read.filter((each) => typeof each !== 'string'), hasFailed: read.includes('failed') }
}

/** The proof of a paid purchase buys nothing more, and one that was not paid is of no use. */
function follow({ id, status, is_held, own, access_ends_at }: GuestPurchase): void {
  const entry = findEntry(id)
  if (!entry) return
  if (status === 'canceled' && !is_held) dropEntry(entry)
  // Another address may have been typed since the payment.
  else if (access_ends_at)
    saveEntry({ ...entry, ends_at: access_ends_at, email: own?.receipt_to ?? entry.email })
}
