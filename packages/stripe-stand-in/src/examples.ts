// Stripe's own example objects (examples.json, MIT, see LICENSE), each with what is special about it this time.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Stripe } from 'stripe'

/** An event of any type; Stripe's own type lists each with the object it is about. */
export type Event = Omit<Stripe.EventBase, 'type' | 'data'> & { type: string; data: { object: object } }

type Kinds = {
  charge: Stripe.Charge
  'checkout.session': Stripe.Checkout.Session
  dispute: Stripe.Dispute
  event: Event
  invoice: Stripe.Invoice
  payment_intent: Stripe.PaymentIntent
  refund: Stripe.Refund
}

const examples = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as Kinds

const prefixes: Record<keyof Kinds, string> = {
  charge: 'ch',
  'checkout.session': 'cs_test',
  dispute: 'du',
  event: 'evt',
  invoice: 'in',
  payment_intent: 'pi',
  refund: 're',
}

/** A new one with an id of its own, made now. */
export function example<Kind extends keyof Kinds>(kind: Kind, special: Partial<Kinds[Kind]>): Kinds[Kind] {
  const id = `${prefixes[kind]}_${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, '0')}`
  return { ...structuredClone(examples[kind]), id, created: now(), ...special }
}

export const now = () => Math.floor(Date.now() / 1000)
