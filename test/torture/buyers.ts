// People who buy and do not give up: the same Idempotency-Key until the shop has answered, as our page does it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#contract/catalog/products.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { Crowd, Person } from './crowd.ts'
import type { Random } from './random.ts'

/** What the shop has promised, and what it was asked. */
export type Ledger = {
  asked: Map<string, { user_id: string; product_id: string }>
  acknowledged: Map<string, Purchase>
  /** Ids of purchases of which a later response to the same key knew nothing. */
  contradicted: string[]
}

export type Buyers = { ledger: Ledger; finish(): Promise<void> }

export function sendBuyers(crowd: Crowd, products: readonly Product[], random: Random): Buyers {
  const ledger: Ledger = { asked: new Map(), acknowledged: new Map(), contradicted: [] }
  const closing = new AbortController()

  function note(key: string, purchase: Purchase): void {
    const known = ledger.acknowledged.get(key)
    if (known && known.id !== purchase.id) ledger.contradicted.push(known.id)
    ledger.acknowledged.set(key, purchase)
  }

  /** One press in five is a double click; one in ten is given up when its first response does not come. */
  async function buyOnce(person: Person): Promise<void> {
    const key = randomUUID()
    const { id: product_id } = random.of(products)
    const presses = random.between(0, 5) < 1 ? 2 : 1
    const givesUp = random.between(0, 10) < 1
    ledger.asked.set(key, { user_id: person.user_id, product_id })
    for (;;) {
      const responses = await Promise.all(
        Array.from({ length: presses }, () =>
          crowd.ask<Purchase>(person, '/api/purchases', { product_id }, key),
        ),
      )
      const heard = responses.filter(({ isOk }) => isOk)
      for (const { body } of heard) note(key, body)
      // An operator has given the purchase of this key another product meanwhile.
      const isTaken = responses.some(({ status }) => status === 409)
      if (heard.length > 0 || givesUp || isTaken) return
      await sleep(random.between(20, 200))
    }
  }

  const trips = crowd.people.map(async (person) => {
    while (!closing.signal.aborted) {
      await buyOnce(person)
      await sleep(random.between(0, 150))
    }
  })
  return {
    ledger,
    /** Everyone first gets the response they wait for. */
    async finish() {
      closing.abort()
      await Promise.all(trips)
    },
  }
}
