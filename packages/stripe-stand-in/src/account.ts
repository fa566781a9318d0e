// A Stripe account: its records, and what can be done with them.
import type { Stripe } from 'stripe'
import { arrive, createSession, expire, makeInvoice, pay, type Payment } from './checkouts.ts'
import { chargeOf, dispute, failRefund, refund } from './money-back.ts'
import type { Session } from './new-session.ts'
import { eventOf, getSession, openRecords, saveRecords, type SavedRecords } from './records.ts'

export type Account = ReturnType<typeof openAccount>

/** `url` is where its pages are; `saved` is what `save` returned. */
export function openAccount(url: string, saved?: SavedRecords) {
  const records = openRecords(saved)
  return {
    ...records,
    eventOf: (type: string, object: object) => eventOf(records, type, object),
    createSession: (form: URLSearchParams) => createSession(records, form, url),
    getSession: (id: string): Session => getSession(records, id),
    pay: (session_id: string, payment: Payment = {}) => pay(records, session_id, payment, url),
    arrive: (session_id: string) => arrive(records, session_id),
    expire: (session_id: string) => expire(records, session_id),
    makeInvoice: (session_id: string) => makeInvoice(records, getSession(records, session_id), url),
    refund: (payment_intent: string, amount?: number, metadata?: Stripe.Metadata) =>
      refund(records, payment_intent, amount, metadata),
    failRefund: (id: string, reason?: string) => failRefund(records, id, reason),
    dispute: (session_id: string, status: Stripe.Dispute.Status, part?: number) =>
      dispute(records, session_id, status, part),
    chargeOf: (payment_intent: string) => chargeOf(records, payment_intent),
    taxSettings: () => taxSettingsOf(records.tax.missing),
    save: () => saveRecords(records),
  }
}

function taxSettingsOf(missing_fields: readonly string[]): object {
  const isActive = missing_fields.length === 0
  return {
    object: 'tax.settings',
    status: isActive ? 'active' : 'pending',
    status_details: isActive ? { active: {} } : { pending: { missing_fields } },
  }
}
