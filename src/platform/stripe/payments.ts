// Money through a payment provider, in the shop's terms: amounts and checkouts. open-stripe.ts implements it.
import type { PostalAddress } from '../contract/postal-address.ts'
import type { Config } from '../../config.ts'
import type { Refusal } from '../refusal.ts'
import type { PaymentKeys } from './payment-keys.ts'

export type PaymentSettings = Config['stripe'] & PaymentKeys

/** A discount code of the shop, and what it took off the product's price. */
export type UsedCode = { code_id: string; code: string; discount: number }

export type CheckoutOrder = {
  /** Which shop asks; others may use the same account. */
  shop_id: string | null
  purchase_id: string
  user_id: string
  /** The order number as people read it. */
  order: string
  /** ISO code in lower case. */
  currency: string
  product: { id: string; name: string; price: number; tax_code: string | undefined; ships: boolean }
  /** To which it may be shipped. */
  countries: readonly string[]
  /** What sending costs, as its buyer reads it; null where nothing is sent, or all countries are free. */
  shipping: { name: string; price: number } | null
  email: string
  code: UsedCode | null
  /** What the buyer agreed to, at most 500 characters. */
  consent: string | null
  success_url: string
  cancel_url: string
}

export type OpenCheckout = { session_id: string; url: string }

/**
 * The provider's response is a failure that it repeats under the same key: a retry needs another key. What was requested
 * may have been done all the same.
 */
type Spent = { spent: Refusal }

/** Why it will not, however often it is asked, in the provider's words. */
type Refused = { refused: string }

/** `instead`: what to ask for under the next attempt, where it refuses only the buyer's email address. */
type RefusedCheckout = Refused & { instead?: object }

/** Money that went back: by a refund, or by a buyer's bank (a dispute). */
export type ReportedAdjustment = {
  external_id: string
  kind: 'refund' | 'dispute'
  amount: number
  currency: string
  created_at: Date
  /** The `key` it was refunded under; null for what was done at the provider itself, or by a bank. */
  key: string | null
  /** A refund that failed, a dispute that was won: the money is here again. */
  isReversed: boolean
  /** A dispute that the bank has not decided. */
  isOpen: boolean
  /** Why a refund failed, in words for the author. */
  failure: string | null
}

/** A checkout as the provider has it at this moment; money in its currency. */
export type Checkout = {
  session_id: string
  status: 'open' | 'paid' | 'waiting' | 'ended'
  url: string | null
  /** Where its buyer was to come back to. */
  success_url: string | null
  /** Null where it was opened by a version that named none, or by something else. */
  shop_id: string | null
  /** Null where it names none: what is no id is none. */
  purchase_id: string | null
  product_id: string | null
  /** The order number as people read it. */
  order: string | null
  /** Null where the shop did not name one, or the buyer typed the address. */
  buyer: { id: string; email: string } | null
  code: UsedCode | null
  /** What its buyer agreed to before. */
  consent: string | null
  created_at: Date
  currency: string
  /** Before discount, tax and shipping: what the shop asked for. */
  subtotal: number
  /** Before tax, beside the subtotal; null where the checkout was opened without it. */
  shipping: number | null
  total: number
  /** Part of the subtotal, or added to it. */
  tax: number
  discount: number
  payment_intent: string | null
  invoice_url: string | null
  /** An invoice is made some time after the payment, and is not there yet. */
  awaits_invoice: boolean
  address: PostalAddress | undefined
  reportedAdjustments: ReportedAdjustment[]
  /** Until when the author may answer a buyer's bank that asks; null when none does. */
  answer_by: Date | null
  /** Of the newest dispute or inquiry: when it was opened, and Stripe's word for its state; null without one. */
  disputed_at: Date | null
  dispute_status: string | null
}

/** `purchase_id` only where the event's object names one. */
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

/** A refund or a dispute; `payment_intent` is null for a payment of a kind that no checkout makes. */
export type ListedAdjustment = {
  external_id: string
  status: string
  payment_intent: string | null
  created_at: Date
}

/** Newest first. */
export type EventPage = { events: ProviderEvent[]; hasMore: boolean }

/** `amount` in the currency that was paid; `attempt` counts from 1. */
type Refund = { payment_intent: string; amount: number; currency: string; key: string; attempt: number }

export type Payments = {
  isLive: boolean
  /** The parameters for Stripe, to be stored: under one key it accepts only the very same ones. */
  describe(order: CheckoutOrder): object
  /** A retry for the same purchase and attempt, with the same parameters, gives the same checkout. */
  openCheckout(ask: {
    purchase_id: string
    attempt: number
    asked: object
  }): Promise<OpenCheckout | RefusedCheckout | Spent>
  /** The ids of those made for a purchase that can still be paid; of very many made then, only the newest are read. */
  listOpenCheckouts(made: { purchase_id: string; from: Date; to: Date }): Promise<string[]>
  /** `isBrief`: asked once and not waited for long. Undefined for one that this account does not have. */
  readCheckout(session_id: string, options?: { isBrief?: boolean | undefined }): Promise<Checkout | undefined>
  /** It can no longer be paid; a checkout that is paid or over does not change. */
  endCheckout(session_id: string): Promise<void>
  /** Undefined when that payment came by another way than this shop's checkout. */
  findCheckout(payment_intent: string): Promise<string | undefined>
  /** Asked again under the same `key`, however much later, it refunds once. */
  refund(refund: Refund): Promise<Partial<Refused> | Spent>
  /** Of the kinds that the webhook is for, up to a hundred, both moments included; Stripe keeps them for 30 days. */
  listEvents(wanted: { from: Date | null; to: Date | null; after: string | undefined }): Promise<EventPage>
  /**
   * Those whose buyer has paid, or whose bank is about to, made at `from` or later; newest first, up to a hundred; `after` is
   * the last of the page before. Stripe has them for good.
   */
  listPaidCheckouts(wanted: {
    from: Date
    after: string | undefined
  }): Promise<{ checkouts: ListedCheckout[]; hasMore: boolean }>
  /** Made or opened at `from` or later; newest first, up to a hundred, `after` as above. Stripe has them for good. */
  listAdjustments(
    list: 'refunds' | 'disputes',
    wanted: { from: Date; after: string | undefined },
  ): Promise<{ listed: ListedAdjustment[]; hasMore: boolean }>
  /** `body` as it came in. */
  readEvent(body: string, signature: string): Promise<ProviderEvent>
  /** What the tax service still wants to know; empty when it is set up. */
  missingForTax(): Promise<readonly string[]>
}

/** Called after every call: it worked, or this account's key may not make it. Never throws. */
export type PaymentWatch = {
  worked(call: string): Promise<void>
  denied(denial: { call: string; kind: 'key' | 'permission'; words: string }): Promise<void>
}
