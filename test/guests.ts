// Buying with an address only: a shop with an own book and the stand-in, and a browser that keeps its proof.
import { randomBytes } from 'node:crypto'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import type { GuestPurchase, GuestPurchaseMade } from '#contract/orders/guest-purchases.ts'
import { openPaidShop, sessionOf } from './paying.ts'
import type { TestShop } from './shop.ts'

export async function openGuestShop(
  stripe: StripeStandIn,
  options?: Parameters<typeof openPaidShop>[1],
): Promise<TestShop> {
  const shop = await openPaidShop(stripe, options)
  await shop.services.database.pool.query(
    `insert into book_setup (step, offers, changed_at) values ('done', '[]', now())`,
  )
  shop.services.book.drop()
  return shop
}

export const newProof = () => randomBytes(32).toString('base64url')

export type Visitor = { proof: string; email: string }

export function newVisitor(email = `guest-${randomBytes(6).toString('hex')}@example.com`): Visitor {
  return { proof: newProof(), email }
}

type More = { format?: string; headers?: Record<string, string> } & Record<string, unknown>

export async function beginAsGuest(
  shop: TestShop,
  visitor: Visitor,
  { format = 'digital', headers = {}, ...more }: More = {},
) {
  const { id: product_id } = await shop.product(format)
  return shop.call('POST', '/api/guest/purchases', { body: { product_id, ...visitor, ...more }, headers })
}

export async function buyAsGuest(shop: TestShop, visitor: Visitor, more?: More): Promise<GuestPurchaseMade> {
  const response = await beginAsGuest(shop, visitor, more)
  if (!response.ok) throw new Error(`the guest could not buy: ${await response.text()}`)
  return (await response.json()) as GuestPurchaseMade
}

export const askAsGuest = (shop: TestShop, id: string, proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/settle`, { body: { proof } })

export async function settleAsGuest(shop: TestShop, id: string, proof: string): Promise<GuestPurchase> {
  const response = await askAsGuest(shop, id, proof)
  if (!response.ok) throw new Error(`the guest could not settle: ${await response.text()}`)
  return (await response.json()) as GuestPurchase
}

export const downloadAsGuest = (shop: TestShop, id: string, proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/download`, { body: { proof } })

/** Its id; the buyer was back, and it is settled. */
export async function payAsGuest(
  shop: TestShop,
  stripe: StripeStandIn,
  visitor: Visitor,
  more?: More,
): Promise<string> {
  const { id } = await buyAsGuest(shop, visitor, more)
  stripe.pay(sessionOf(stripe, id).id)
  await settleAsGuest(shop, id, visitor.proof)
  return id
}

export const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

export const rows = async <Row>({ services }: TestShop, query: string) =>
  (await services.database.pool.query(query)).rows as Row[]

export const accounts = (shop: TestShop) =>
  rows<{ email: string }>(
    shop,
    `select email, email_confirmed_at is not null as is_confirmed, password_hash is not null as has_password,
      (select count(*)::int from purchases where user_id = users.id) as purchases from auth.users order by email`,
  )

/** Of the file that a link leads to. */
export async function sizeOf(shop: TestShop, response: Response) {
  const { url } = (await response.json()) as { url: string }
  const file = await shop.call('GET', url)
  return { status: file.status, size: (await file.arrayBuffer()).byteLength }
}

export const linkAsGuest = (shop: TestShop, id: string, proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/link`, { body: { proof } })
