// Amounts in the shop's terms; open-stripe.ts implements it.
import type { PostalAddress } from '../contract/postal-address.ts'
import type { Config } from '../../config.ts'
import type { Refusal } from '../refusal.ts'
import type { PaymentKeys } from './payment-keys.ts'

export type PaymentSettings = Config['stripe'] & PaymentKeys

export type UsedCode = { code_id: string; code: string; discount: number }

export type CheckoutOrder = {
  /** Other shops may use the same account. */
  shop_id: string | null
  purchase_id: string
  user_id: string
  order: string
  currency: string
  product: { id: string; name: string; price: number; tax_code: string | undefined; ships: boolean }
  countries: readonly string[]
  /** Null where nothing is sent, or all countries are free. */
  shipping: { name: string; price: number } | null
  email: string
  code: UsedCode | null
  /** At most 500 characters. */
  consent: string | null
  success_url: string
  cancel_url: string
}

export type OpenCheckout = { session_id: string; url: string }

/** The provider repeats its failure under this key: a retry needs another. The request may have succeeded all the same. */
type Spent = { spent: Refusal }

/** In the provider's words; a retry does not help. */
type Refused = { refused: string }

/** `instead`: parameters for the next attempt where only the email address is refused. */
type RefusedCheckout = Refused & { instead?: object }

/** A refund, or a dispute by the buyer's bank. */
export type ReportedAdjustment = {
  external_id: string
  kind: 'refund' | 'dispute'
  amount: number
  currency: string
  created_at: Date
  /** Null for what was refunded at the provider, or by a bank. */
  key: string | null
  /** A failed refund, or a dispute that was won. */
  isReversed: boolean
  isOpen: boolean
  failure: string | null
}

/** In its own currency. */
export type Checkout = {
  session_id: string
  status: 'open' | 'paid' | 'waiting' | 'ended'
  url: string | null
  success_url: string | null
  /** Null where an earlier version or something else opened it. */
  shop_id: string | null
  purchase_id: string | null
  product_id: string | null
  order: string | null
  /** Null where the shop named none, or the buyer typed the address. */
  buyer: { id: string; email: string } | null
  code: UsedCode | null
  consent: string | null
  created_at: Date
  currency: string
  /** Before discount, tax and shipping. */
  subtotal: number
  /** Before tax, beside the subtotal. */
  shipping: number | null
  total: number
  tax: number
  discount: number
  payment_intent: string | null
  invoice_url: string | null
  /** An invoice comes some time after the payment. */
  awaits_invoice: boolean
  address: PostalAddress | undefined
  reportedAdjustments: ReportedAdjustment[]
  /** The deadline for an answer to the buyer's bank. */
  answer_by: Date | null
  /** The newest dispute or inquiry, and Stripe's word for its state. */
  disputed_at: Date | null
  dispute_status: string | null
}

/** Only where the event's object names the purchase. */
export type ProviderEvent = {
  id: string
  type: string
  session_id: string | null
  payment_intent: string | null
  purchase_id: string | null
  created_at: Date
}

export type ListedCheckout = Pick<
  Checkout,
  'session_id' | 'shop_id' | 'success_url' | 'payment_intent' | 'created_at'
>

/** `payment_intent` is null for a payment that no checkout makes. */
export type ListedAdjustment = {
  external_id: string
  status: string
  payment_intent: string | null
  created_at: Date
}

export type EventPage = { events: ProviderEvent[]; hasMore: boolean }

/** `attempt` counts from 1. */
type Refund = { payment_intent: string; amount: number; currency: string; key: string; attempt: number }

export type Payments = {
  isLive: boolean
  /** To be stored: under one key Stripe accepts only the same parameters. */
  describe(order: CheckoutOrder): object
  openCheckout(ask: {
    purchase_id: string
    attempt: number
    asked: object
  }): Promise<OpenCheckout | RefusedCheckout | Spent>
  /** Of very many, only the newest are read. */
  listOpenCheckouts(made: { purchase_id: string; from: Date; to: Date }): Promise<string[]>
  /** `isBrief`: once, with a short timeout. */
  readCheckout(session_id: string, options?: { isBrief?: boolean | undefined }): Promise<Checkout | undefined>
  endCheckout(session_id: string): Promise<void>
  /** Undefined for a payment without a checkout of this shop. */
  findCheckout(payment_intent: string): Promise<string | undefined>
  /** Refunds once for a `key`, however often it is called. */
  refund(refund: Refund): Promise<Partial<Refused> | Spent>
  /** Up to a hundred, both moments included; Stripe has them for 30 days. */
  listEvents(wanted: { from: Date | null; to: Date | null; after: string | undefined }): Promise<EventPage>
  /** Newest first, up to a hundred; `after` is the last of the page before. Stripe has them for good. */
  listPaidCheckouts(wanted: {
    from: Date
    after: string | undefined
  }): Promise<{ checkouts: ListedCheckout[]; hasMore: boolean }>
  /** Newest first, up to a hundred; Stripe has them for good. */
  listAdjustments(
    list: 'refunds' | 'disputes',
    wanted: { from: Date; after: string | undefined },
  ): Promise<{ listed: ListedAdjustment[]; hasMore: boolean }>
  readEvent(body: string, signature: string): Promise<ProviderEvent>
  /** Empty when the tax service is set up. */
  missingForTax(): Promise<readonly string[]>
}

/** Called after every call. Never throws. */
export type PaymentWatch = {
  worked(call: string): Promise<void>
  denied(denial: { call: string; kind: 'key' | 'permission'; words: string }): Promise<void>
}
