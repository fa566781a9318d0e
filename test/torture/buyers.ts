// People who buy and do not give up: the same Idempotency-Key until the shop has answered, as our page does it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#contract/products.ts'
import type { Purchase } from '#contract/purchases.ts'
import type { Random } from './random.ts'
import { admin } from './running-shop.ts'

/** What the shop has promised, and what it was asked. */
export type Ledger = {
  asked: Map<string, { user_id: string; product_id: string }>
  acknowledged: Map<string, Purchase>
  /** Keys for which two answers told of different purchases. */
  contradicted: string[]
  /** How often each status was answered; 0 is a connection that broke. */
  statuses: Map<number, number>
}

export type Buyers = { ledger: Ledger; goHome(): Promise<void> }

type Buyer = { user_id: string; email: string; token: string }

const password = 'correct horse'

export async function sendBuyers(url: string, count: number, random: Random): Promise<Buyers> {
  const ledger: Ledger = { asked: new Map(), acknowledged: new Map(), contradicted: [], statuses: new Map() }
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  const { token } = await signIn(admin.email)
  const buyers: Buyer[] = []
  for (let at = 0; at < count; at++) {
    const email = `buyer-${at}-${randomUUID()}@example.com`
    await post('/functions/v1/admin-create-user', { email, password }, { authorization: `Bearer ${token}` })
    buyers.push({ email, ...(await signIn(email)) })
  }
  const closing = new AbortController()

  function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
  }

  async function signIn(email: string): Promise<{ user_id: string; token: string }> {
    const answer = await post('/auth/v1/token?grant_type=password', { email, password })
    const { user, access_token } = (await answer.json()) as { user: { id: string }; access_token: string }
    return { user_id: user.id, token: access_token }
  }

  /** Undefined when it is not known whether the purchase was made. */
  async function tryOnce(buyer: Buyer, key: string, product_id: string): Promise<Purchase | undefined> {
    const headers = { authorization: `Bearer ${buyer.token}`, 'idempotency-key': key }
    let status = 0
    try {
      const answer = await post('/api/purchases', { product_id }, headers)
      const body = (await answer.json()) as Purchase
      ;({ status } = answer)
      if (status === 401) buyer.token = (await signIn(buyer.email)).token
      return answer.ok ? body : undefined
    } catch {
      return undefined
    } finally {
      ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1)
    }
  }

  function note(key: string, purchase: Purchase | undefined): boolean {
    if (!purchase) return false
    const known = ledger.acknowledged.get(key)
    if (known && known.id !== purchase.id) ledger.contradicted.push(key)
    ledger.acknowledged.set(key, purchase)
    return true
  }

  /** One press in five is a double click; one in ten is given up when its first answer does not come. */
  async function buyOnce(buyer: Buyer): Promise<void> {
    const key = randomUUID()
    const { id: product_id } = random.of(products)
    const presses = random.between(0, 5) < 1 ? 2 : 1
    const givesUp = random.between(0, 10) < 1
    ledger.asked.set(key, { user_id: buyer.user_id, product_id })
    for (;;) {
      const answers = await Promise.all(
        Array.from({ length: presses }, () => tryOnce(buyer, key, product_id)),
      )
      const heard = answers.map((purchase) => note(key, purchase))
      if (heard.includes(true) || givesUp) return
      await sleep(random.between(20, 200))
    }
  }

  const trips = buyers.map(async (buyer) => {
    while (!closing.signal.aborted) {
      await buyOnce(buyer)
      await sleep(random.between(0, 150))
    }
  })
  return {
    ledger,
    /** Everyone first gets the answer they wait for. */
    async goHome() {
      closing.abort()
      await Promise.all(trips)
    },
  }
}
