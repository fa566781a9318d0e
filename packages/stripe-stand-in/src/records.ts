// The contents of a Stripe account: its objects by their ids, and all events in the order in which they happened.
import type { Stripe } from 'stripe'
import { example, type Event } from './examples.ts'
import type { Session } from './new-session.ts'
import { Refusal } from './refusal.ts'

/** A webhook's endpoint; Stripe tells its secret once. */
export type Endpoint = Stripe.WebhookEndpoint & { secret: string }

export type SavedRecords = {
  sessions: [string, Session][]
  intents: [string, Stripe.PaymentIntent][]
  charges: [string, Stripe.Charge][]
  invoices: [string, Stripe.Invoice][]
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  events: Event[]
  endpoints?: Endpoint[]
  withheld?: Withheld[]
}

type Withheld = { payment_intent: string; tax: number; created: number }

/** The owner of the keys, and their mode. */
export type Profile = { id: string; name: string; isLive: boolean; chargesEnabled: boolean }

const usualProfile: Profile = {
  id: 'acct_stand_in',
  name: 'The stand-in',
  isLive: false,
  chargesEnabled: true,
}

export type Records = ReturnType<typeof openRecords>

/** `saved` is what `saveRecords` returned. */
export function openRecords(saved?: SavedRecords, profile: Profile = usualProfile) {
  const missingTaxFields: string[] = []
  return {
    sessions: new Map(saved?.sessions),
    intents: new Map(saved?.intents),
    charges: new Map(saved?.charges),
    invoices: new Map(saved?.invoices),
    refunds: [...(saved?.refunds ?? [])],
    disputes: [...(saved?.disputes ?? [])],
    events: [...(saved?.events ?? [])],
    endpoints: [...(saved?.endpoints ?? [])],
    profile: { ...profile },
    /** True where webhooks may go to this machine, which Stripe's do not. */
    reach: { isLocal: false },
    /** True where the bank will not take the next refund. */
    next: { fails: false },
    /** Stripe Tax still wants to know these; with nothing missing it is active. */
    tax: { missing: missingTaxFields },
    /**
     * `isDefault`: Link sells in a session that does not say that it must not. `isAvailable`: the terms are accepted.
     * `isIgnored`: sessions open without Link, whatever they ask for.
     */
    managedPayments: { isDefault: false, isAvailable: true, isIgnored: false },
    /** Tax that Link has withheld, in minor units of the sessions' currencies; below zero what went back with refunds. */
    withheld: [...(saved?.withheld ?? [])],
  }
}

export function saveRecords(records: Records): SavedRecords {
  const { sessions, intents, charges, invoices, refunds, disputes, events, endpoints, withheld } = records
  return {
    sessions: [...sessions],
    intents: [...intents],
    charges: [...charges],
    invoices: [...invoices],
    refunds,
    disputes,
    events,
    endpoints,
    withheld,
  }
}

export function getSession({ sessions }: Records, id: string): Session {
  return found(sessions.get(id), 'checkout.session', id)
}

export function getIntent({ intents }: Records, id: string): Stripe.PaymentIntent {
  return found(intents.get(id), 'payment_intent', id)
}

export function getCharge({ charges }: Records, id: string): Stripe.Charge {
  return found(charges.get(id), 'charge', id)
}

function found<Kind>(object: Kind | undefined, kind: string, id: string): Kind {
  if (!object) throw new Refusal(`No such ${kind}: '${id}'`)
  return object
}

/** The event holds the object as it is now. */
export function addEvent({ events }: Records, type: string, object: object): Event {
  const event = example('event', { type, data: { object: structuredClone(object) } })
  events.push(event)
  return event
}

/** The latest event of this type about this object; added when there is none. */
export function eventOf(records: Records, type: string, object: object): Event {
  const id = idIn(object)
  const matches = (event: Event) => event.type === type && idIn(event.data.object) === id
  return records.events.findLast(matches) ?? addEvent(records, type, object)
}

function idIn(object: object): unknown {
  return 'id' in object ? object.id : undefined
}
