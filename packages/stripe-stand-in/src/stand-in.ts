// The calls by which a test drives the stand-in of Stripe.
import type { Stripe } from 'stripe'
import type { Account } from './account.ts'
import type { Payment } from './checkouts.ts'
import type { Event } from './examples.ts'
import type { CallFault, Faults } from './faults.ts'
import type { Session } from './new-session.ts'
import type { Moment } from './pay-page.ts'
import type { Profile } from './records.ts'
import type { Signed, Webhooks } from './webhooks.ts'

export type StripeStandIn = AsyncDisposable & {
  /** The value of STRIPE_API_BASE; its front page shows every checkout. */
  url: string
  env: Record<string, string>
  sessions: Map<string, Session>
  intents: Map<string, Stripe.PaymentIntent>
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  /** All that has happened, told or not. */
  events: Event[]
  /** A test may change them at any time. */
  faults: Faults
  webhooks: Pick<Webhooks, 'figures' | 'isBusy'>
  /** The webhooks go to this address; undefined, nothing is told but what a test posts itself. */
  setWebhookUrl(url: string | undefined): void
  /** The page to pay at tells of it at this moment, unless its visitor chooses otherwise. */
  setDelivery(moment: Moment): void
  /** The greatest number of requests that were open at once. */
  busiest(): number
  /** Calls that were received, and those that went wrong, by the fault. */
  calls: Record<'asked' | CallFault, number>
  /** The next `count` responses are 500s, saved under their keys; of those to `call` only, where one is named, as `fault` says. */
  fail(count: number, call?: string, fault?: CallFault): void
  /** One after the other, to this call. */
  failInTurn(call: string, faults: readonly CallFault[]): void
  /** Calls that the key may not make, as 'POST refunds'; `key`, and none is accepted. */
  denied: Set<string>
  /** Another key that is accepted: of the same account, or of the one named, in the mode that its beginning says. */
  addKey(key: string, options?: KeyOptions): Account
  /** The endpoints of the first key's account and mode. */
  endpoints: Account['endpoints']
  reach: Account['reach']
  /** Stripe Tax still wants to know these; with nothing missing it is active. */
  tax: Account['tax']
  /** True where Link sells in a session that does not say that it must not. */
  managedPayments: Account['managedPayments']
  /** The ledger of the tax that Link has withheld. */
  withheld: Account['withheld']
  /** Takes the form that the library sends. */
  create(form: URLSearchParams): Session
  /** The buyer pays. */
  pay(session_id: string, payment?: Payment): void
  /** The money of a payment that was slow. */
  arrive(session_id: string): void
  /** Works as Stripe after a day: a request under a key that was used before is executed again. */
  clearKeys(): void
  expire(session_id: string): void
  /** The bank did not take it. */
  failRefund(id: string, reason?: string): void
  /** The bank will not take the next one, before Stripe has even answered. */
  failNextRefund(): void
  /** Makes the invoice of a payment whose invoice is late. */
  makeInvoice(session_id: string): Stripe.Invoice
  /** Given back at Stripe itself; without an amount in cents, all that is left. */
  refund(payment_intent: string, amount?: number): Stripe.Refund
  /** A bank disputes `part` of the cents or all; told again, the dispute's status changes. */
  dispute(session_id: string, status?: Stripe.Dispute.Status, part?: number): Stripe.Dispute
  /** Posts an event of an object by itself, with the faults of `faults`. */
  sendEvent(type: string, object: object): Promise<void>
  /** Returns what Stripe would post about an object: the body and its signature. */
  event(type: string, object: object, secret?: string): Signed
}

type KeyOptions = Partial<Omit<Profile, 'isLive'>> & {
  /** Calls that a restricted key may not make, as 'POST refunds'. */
  denied?: readonly string[]
}
