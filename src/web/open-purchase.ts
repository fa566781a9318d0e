// The password of a purchase that was bought with an address only opens its page, and signs nobody in.
import type { Credentials } from './accounts.ts'
import { api, responseOf } from './api.ts'
import { newProof, saveEntry } from './guest-purchases.ts'

/** The address of the page; undefined where these open no purchase. */
export async function openPurchase({ email, password }: Credentials): Promise<string | undefined> {
  const proof = newProof()
  try {
    const opened = await responseOf(api.guest.open.$post({ json: { email, password, proof } }))
    const { id, product_id, access_ends_at: ends_at } = opened
    saveEntry({ proof, product_id, email, purchase_id: id, ends_at })
    return `/purchase/${id}`
  } catch {
    // Refused, or out of reach: what the sign-in said stands.
    return undefined
  }
}
