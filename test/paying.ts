// Buying where money is taken: a shop with the stand-in, and what its people do and see.
import type { OwnPurchases, Purchase, PurchaseMade } from '#contract/orders/purchases.ts'
import type { Person } from './users.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'

type Options = Pick<
  NonNullable<Parameters<typeof openTestShop>[0]>,
  'clock' | 'hasWorkers' | 'sendsMail' | 'env' | 'openPages' | 'log'
>

/** For what a test order does not do: it takes no copies and counts no use of a discount code. */
export async function startLiveStripe(): Promise<StripeStandIn> {
  const stripe = await startStripe()
  stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
  stripe.env['SITE_URL'] = 'https://shop.example'
  return stripe
}

export function openPaidShop(stripe: StripeStandIn, { env, ...options }: Options = {}): Promise<TestShop> {
  return openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off', ...env }, ...options })
}

/** Link sells files from now on, with the tax in the prices. */
export function sellByLink(shop: TestShop): void {
  Object.assign(shop.services.settings.get().tax, { digital_seller: 'stripe', in_prices: 'included' })
}

/** The buyer was told that Link sells it. */
export async function beginOfLink(shop: TestShop, person: Person) {
  const { id: product_id } = await shop.product('digital')
  return person.call('POST', '/api/purchases', { body: { product_id, seller: 'stripe' } })
}

export async function begin(shop: TestShop, person: Person, format = 'digital', key?: string) {
  const { id: product_id } = await shop.product(format)
  return person.call('POST', '/api/purchases', {
    body: { product_id },
    ...(key && { headers: { 'idempotency-key': key } }),
  })
}

export async function buy(shop: TestShop, person: Person, format?: string) {
  return (await (await begin(shop, person, format)).json()) as PurchaseMade
}

export const sessionOf = (stripe: Pick<StripeStandIn, 'sessions'>, purchase_id: string) =>
  [...stripe.sessions.values()].find((each) => each['client_reference_id'] === purchase_id)!

export const sendEvent = (shop: TestShop, { body, headers }: ReturnType<StripeStandIn['event']>) =>
  shop.call('POST', '/api/stripe/webhook', { body, headers })

export const own = async (person: Person) =>
  ((await (await person.call('GET', '/api/purchases')).json()) as OwnPurchases).items

export const settle = async (person: Person, id: string) =>
  ((await (await person.call('POST', `/api/purchases/${id}/settle`)).json()) as Purchase).status

/** Its id; the buyer was back, and it is settled. */
export async function buyAndPay(
  shop: TestShop,
  stripe: StripeStandIn,
  person: Person,
  format?: string,
): Promise<string> {
  const { id } = await buy(shop, person, format)
  stripe.pay(sessionOf(stripe, id).id)
  await settle(person, id)
  return id
}
