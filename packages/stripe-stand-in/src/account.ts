// A Stripe account: its records, and what can be done with them.
import type { Stripe } from 'stripe'
import { arrive, createSession, expire, makeInvoice, pay, type Payment } from './checkouts.ts'
import { chargeOf, dispute, failRefund, refund } from './adjustments.ts'
import type { Session } from './new-session.ts'
import { eventOf, getSession, openRecords, saveRecords, type Profile, type SavedRecords } from './records.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint } from './webhook-endpoints.ts'

export type Account = ReturnType<typeof openAccount>

/** `url` is where its pages are; `saved` is what `save` returned. */
export function openAccount(url: string, saved?: SavedRecords, profile?: Profile) {
  const records = openRecords(saved, profile)
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
    describe: () => describe(records.profile),
    createEndpoint: (form: URLSearchParams) => createEndpoint(records, form),
    changeEndpoint: (id: string, form: URLSearchParams) => changeEndpoint(records, id, form),
    deleteEndpoint: (id: string) => deleteEndpoint(records, id),
    taxSettings: () => taxSettingsOf(records.tax.missing),
    save: () => saveRecords(records),
  }
}

function describe({ id, name, chargesEnabled }: Profile): object {
  return {
    id,
    object: 'account',
    business_profile: { name },
    charges_enabled: chargesEnabled,
    details_submitted: chargesEnabled,
    country: 'US',
    default_currency: 'usd',
    settings: { dashboard: { display_name: name } },
    type: 'standard',
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
