// The requests of the shop to Stripe, and the keys that it has for it.
import type { Cents } from '#contract/money.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import type { Config } from '../../config.ts'
import type { Problem } from '../problem.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { isLoopback } from '#contract/network.ts'
import { isLiveKey } from '#contract/stripe.ts'
import type { Settings } from '../settings.ts'

export type PaymentSettings = Config['stripe'] & PaymentKeys

export type UsedCode = { code_id: string; code: string; discount: Cents }

/** The product of a checkout, and how it is sent. */
export type Basket = {
  seller: Seller
  currency: string
  product: {
    name: string
    price: Cents
    tax_code: string | undefined
    ships: boolean
    note: string | undefined
  }
  countries: readonly string[]
  shipping: { name: string; price: Cents } | null
}

export type CheckoutOrder = Basket & {
  shop_id: string | null
  purchase_id: string
  /** Null where the buyer gave an address only. */
  user_id: string | null
  order: string
  product: { id: string }
  email: string
  code: UsedCode | null
  /** 500 characters at most. */
  consent: string | null
  success_url: string
  cancel_url: string
}

/** `sold_by` is Stripe's answer. */
export type OpenCheckout = { session_id: string; url: string; sold_by: Seller }

/** The idempotency key is used: Stripe repeats this failure under it. The request may have succeeded all the same. */
type UsedKey = { usedKey: Problem }

type Refused = { refusal: string }

/** `replacement`: what the next attempt asks for; null for what the shop would ask for now. */
type RefusedCheckout = Refused & { replacement?: object | null | undefined }

export type ReportedAdjustment = {
  external_id: string
  kind: 'refund' | 'dispute'
  amount: Cents
  currency: string
  created_at: Date
  key: string | null
  isReversed: boolean
  /** A dispute that the bank has not decided. */
  isOpen: boolean
  failure: string | null
}

export type Checkout = {
  session_id: string
  status: 'open' | 'paid' | 'waiting' | 'ended'
  url: string | null
  shop_id: string | null
  purchase_id: string | null
  product_id: string | null
  order: string | null
  buyer: { id: string | null; email: string } | null
  code: UsedCode | null
  consent: string | null
  sold_by: Seller
  /** The buyer paid it, in another currency; null where it is the shop's. */
  presented: { amount: Cents; currency: string } | null
  created_at: Date
  currency: string
  /** The sum before discount, tax and shipping. */
  subtotal: Cents
  /** The price before tax, beside the subtotal. */
  shipping: Cents | null
  total: Cents
  tax: Cents
  discount: Cents
  payment_intent: string | null
  invoice_url: string | null
  awaits_invoice: boolean
  address: PostalAddress | undefined
  /** The buyer gave it beside the card; it has at most 200 characters. */
  payer_name: string | null
  /** The country of the billing address. */
  payer_country: string | null
  reportedAdjustments: ReportedAdjustment[]
  answer_by: Date | null
  disputed_at: Date | null
  dispute_status: string | null
}

export type ProviderEvent = {
  id: string
  type: string
  session_id: string | null
  payment_intent: string | null
  purchase_id: string | null
  created_at: Date
}

export type ListedCheckout = Pick<Checkout, 'session_id' | 'shop_id' | 'payment_intent' | 'created_at'>

export type ListedAdjustment = {
  external_id: string
  status: string
  payment_intent: string | null
  created_at: Date
}

export type EventPage = { events: ProviderEvent[]; hasMore: boolean }

type Refund = { payment_intent: string; amount: Cents; currency: string; key: string; attempt: number }

export type Payments = {
  isLive: boolean
  /** Returns what is stored: under one key Stripe accepts only the very same parameters. */
  describe(order: CheckoutOrder): object
  /** A retry with the same attempt and parameters gives the same checkout. */
  openCheckout(order: {
    purchase_id: string
    attempt: number
    parameters: object
  }): Promise<OpenCheckout | RefusedCheckout | UsedKey>
  /** Still payable; of very many, only the newest are read. */
  listOpenCheckouts(range: { purchase_id: string; from: Date; to: Date }): Promise<string[]>
  /** `isBrief`: asked once, with a short timeout. Undefined for a checkout of another account. */
  readCheckout(session_id: string, options?: { isBrief?: boolean | undefined }): Promise<Checkout | undefined>
  /** Does nothing to a checkout that is paid or over. */
  endCheckout(session_id: string): Promise<void>
  findCheckout(payment_intent: string): Promise<string | undefined>
  /** The same `key` refunds once, however much later. */
  refund(refund: Refund): Promise<Partial<Refused> | UsedKey>
  /** Lists 100 at most, both moments included; Stripe keeps events for 30 days. */
  listEvents(range: { from: Date | null; to: Date | null; after: string | undefined }): Promise<EventPage>
  /** Paid, or about to be by a bank; newest first, at most 100 after `after`. Stripe keeps them for good. */
  listPaidCheckouts(range: {
    from: Date
    after: string | undefined
  }): Promise<{ checkouts: ListedCheckout[]; hasMore: boolean }>
  listAdjustments(
    list: 'refunds' | 'disputes',
    range: { from: Date; after: string | undefined },
  ): Promise<{ listed: ListedAdjustment[]; hasMore: boolean }>
  readEvent(body: string, signature: string): Promise<ProviderEvent>
  missingForTax(): Promise<readonly string[]>
}

export type PaymentWatch = {
  worked(call: string): Promise<void>
  denied(denial: { call: string; kind: 'key' | 'permission'; words: string }): Promise<void>
}

type PaymentKeys = { secretKey: string; webhookSecret: string | undefined; isLive: boolean }
export type PaymentMode = 'none' | 'test' | 'live'

export function paymentKeys({ get }: Pick<Settings, 'get'>): PaymentKeys | undefined {
  const { secret_key: secretKey, webhook_secret: webhookSecret } = get().payments
  if (!secretKey) return undefined
  return { secretKey, webhookSecret, isLive: isLiveKey(secretKey) }
}

export const webhookAt = (siteUrl: string) => `${siteUrl}/api/stripe/webhook`

export function formerWebhookSite({ get }: Pick<Settings, 'get'>): string | undefined {
  const { shop, payments } = get()
  const { webhook_secret, webhook_site } = payments
  return webhook_secret && webhook_site && webhook_site !== shop.site_url ? webhook_site : undefined
}

/** Set after a restore under another address: no payments until an admin confirms that this is the shop now. */
export function unconfirmedCopyOf({ get }: Pick<Settings, 'get'>): string | undefined {
  const { site_url, confirmed_site_url } = get().shop
  const isOther = confirmed_site_url && confirmed_site_url !== site_url && !isLoopback(confirmed_site_url)
  return isOther ? confirmed_site_url : undefined
}

export function paymentMode(settings: Pick<Settings, 'get'>): PaymentMode {
  const keys = paymentKeys(settings) ?? storedAccount(settings)
  if (!keys) return 'none'
  return keys.isLive ? 'live' : 'test'
}

/** Nothing may be given away with a key that was lost together with AUTH_SECRET. */
function storedAccount({ get }: Pick<Settings, 'get'>): { isLive: boolean } | undefined {
  const { account } = get().payments
  return account ? { isLive: account.is_live } : undefined
}

/** Returns a page of Stripe's Dashboard, where test objects have pages of their own. */
export function pageAtStripe(isLive: boolean | null, path: string): string {
  return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}${path}`
}
