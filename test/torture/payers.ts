// Each buys one thing: begins, perhaps twice at once, pays or leaves it, comes back or not, and may want the money back.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#contract/catalog/products.ts'
import type { GuestPurchaseMade } from '#contract/orders/guest-purchases.ts'
import type { OwnPurchases, Purchase, PurchaseMade } from '#contract/orders/purchases.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import { newProof } from '../guests.ts'
import type { Crowd, Person } from './crowd.ts'
import type { Random } from './random.ts'

export type PaidLedger = {
  /** Purchases whose refund, in full or in part, was accepted: how many times. */
  accepted: Map<string, number>
  /** Refunds made at Stripe itself, in nobody's name. */
  foreign: Set<string>
  /** Users who were led to two checkouts at once. */
  twoCarts: string[]
}

export type Payers = { ledger: PaidLedger; finish(): Promise<void> }

type Scene = { crowd: Crowd; stripe: StripeStandIn; products: readonly Product[]; random: Random }

const home = { line1: '1 Buyer’s Way', line2: null, city: 'Springfield', state: 'IL', postal_code: '62701' }
const maxWaitMs = 240_000

export function sendPayers({ crowd, stripe, products, random }: Scene, spreadMs: number): Payers {
  const ledger: PaidLedger = { accepted: new Map(), foreign: new Set(), twoCarts: [] }
  const happens = (share: number) => random.between(0, 1) < share
  const pause = () => sleep(random.between(50, 500))
  /** Half of them buy with an address only: the account of it, which is theirs, gets the purchase. */
  const proofs = new Map(crowd.people.filter(() => happens(0.5)).map((person) => [person, newProof()]))

  function press(person: Person, product_id: string, key: string) {
    const proof = proofs.get(person)
    if (!proof) return crowd.ask<PurchaseMade>(person, '/api/purchases', { product_id }, key)
    const body = { product_id, email: person.email, proof }
    return crowd.ask<GuestPurchaseMade>(person, '/api/guest/purchases', body)
  }

  /** Where it is paid; null when it is paid already. */
  async function begin(person: Person, product_id: string): Promise<string | null> {
    const keys = Array.from({ length: happens(0.2) ? 2 : 1 }, () => randomUUID())
    for (;;) {
      const responses = await Promise.all(keys.map((key) => press(person, product_id, key)))
      const heard = responses.filter(({ isOk }) => isOk).map(({ body }) => body.checkout_url)
      if (new Set(heard).size > 1) ledger.twoCarts.push(person.email)
      if (heard.length > 0) return heard[0]!
      // This key's checkout has ended: another click is another key.
      if (responses.some(({ status }) => status === 409)) return begin(person, product_id)
      await pause()
    }
  }

  /** False when the user leaves without having paid. */
  async function pay(person: Person, product_id: string): Promise<boolean> {
    for (;;) {
      const url = await begin(person, product_id)
      if (!url) return true
      const session = stripe.sessions.get(url.split('/').at(-1)!)
      if (happens(0.08)) return false
      await sleep(random.between(100, 3_000))
      if (session?.status !== 'open') continue
      if (happens(0.06)) {
        stripe.expire(session.id)
        void stripe.sendEvent('checkout.session.expired', session)
        continue
      }
      const ships_to = { name: person.email, address: { ...home, country: 'US' }, phone: '+1 555 0100' }
      stripe.pay(session.id, {
        discount: happens(0.2) ? 250 : 0,
        tax: happens(0.3) ? 117 : 0,
        ships_to: session.shipping_address_collection ? ships_to : undefined,
      })
      void stripe.sendEvent('checkout.session.completed', session)
      return true
    }
  }

  async function own(person: Person): Promise<Purchase | undefined> {
    const { isOk, body } = await crowd.ask<OwnPurchases>(person, '/api/purchases')
    return isOk ? body.items.find(({ status }) => status !== 'pending' && status !== 'canceled') : undefined
  }

  /** As the dashboard does for a returning buyer; a tab may be closed before there is a response. */
  async function comeBack(person: Person): Promise<void> {
    const { isOk, body } = await crowd.ask<OwnPurchases>(person, '/api/purchases')
    if (!isOk) return
    for (let tries = 0; tries < 3; tries += 1) {
      for (const { id } of body.items) await crowd.ask(person, `/api/purchases/${id}/settle`, {})
      await pause()
    }
  }

  async function untilBought(person: Person): Promise<Purchase | undefined> {
    const deadline = Date.now() + maxWaitMs
    while (Date.now() < deadline) {
      const purchase = await own(person)
      if (purchase) return purchase
      await sleep(random.between(500, 1_500))
    }
    return undefined
  }

  /** Asked until there is a response; one that comes after a broken one may say that it is under way already. */
  async function askBack(person: Person, path: string, body: object, id: string): Promise<void> {
    for (;;) {
      const { status, body: answer } = await crowd.ask<Partial<Purchase> | undefined>(person, path, body)
      const isOnItsWay = status === 202 || (status === 200 && answer?.withdrawal?.state === 'on_its_way')
      if (isOnItsWay) ledger.accepted.set(id, (ledger.accepted.get(id) ?? 0) + 1)
      if (status >= 200 && status < 500 && status !== 401) return
      await pause()
    }
  }

  const byBuyer = (person: Person, id: string) =>
    askBack(person, `/api/purchases/${id}/refund`, { reason: '' }, id)
  const byAuthor = (id: string, amount?: number) =>
    askBack(
      crowd.author,
      `/api/admin/purchases/${id}/refund`,
      { reason: 'kind', ...(amount && { amount }) },
      id,
    )

  async function requestRefund(person: Person): Promise<void> {
    const fate = random.between(0, 1)
    if (fate > 0.6) return
    const purchase = await untilBought(person)
    if (!purchase || purchase.amount === 0) return
    const { id } = purchase
    const part = Math.round(random.between(0.01, purchase.amount) * 100) / 100
    if (fate < 0.12) await byBuyer(person, id)
    else if (fate < 0.17) await byAuthor(id)
    else if (fate < 0.25) await byAuthor(id, part)
    else if (fate < 0.3) await Promise.all([byBuyer(person, id), byAuthor(id, part)])
    else if (fate < 0.35) {
      await byAuthor(id, part)
      await sleep(random.between(0, 4_000))
      await byBuyer(person, id)
    } else if (fate < 0.42) refundAtStripe(id, Math.round(part * 100))
    else {
      if (happens(0.2)) refundAtStripe(id, Math.round(part * 100))
      await dispute(id)
    }
  }

  const sessionOf = (id: string) =>
    [...stripe.sessions.values()].find(
      (each) => each.client_reference_id === id && each.status === 'complete',
    )!

  function refundAtStripe(id: string, amount: number): void {
    const intent = sessionOf(id).payment_intent as string
    ledger.foreign.add(stripe.refund(intent, amount).id)
    void stripe.sendEvent('charge.refunded', {
      object: 'charge',
      id: stripe.intents.get(intent)!.latest_charge,
    })
  }

  /** Opened by the buyer's bank; most of them are decided while the shop still stands. */
  async function dispute(id: string): Promise<void> {
    const session = sessionOf(id)
    void stripe.sendEvent('charge.dispute.created', stripe.dispute(session.id))
    if (happens(0.25)) return
    await sleep(random.between(0, 4_000))
    void stripe.sendEvent('charge.dispute.closed', stripe.dispute(session.id, happens(0.6) ? 'won' : 'lost'))
  }

  async function visit(person: Person): Promise<void> {
    await sleep(random.between(0, spreadMs))
    const hasPaid = await pay(person, random.of(products).id)
    if (!hasPaid) return
    if (happens(0.6)) await comeBack(person)
    await requestRefund(person)
  }

  const visits = crowd.people.map((person) => visit(person))
  return { ledger, finish: async () => void (await Promise.all(visits)) }
}
