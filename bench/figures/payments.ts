// Where money is taken: how fast the shop hears what Stripe tells, and what it costs to ask about very many purchases.
import type { Product } from '../../src/features/products/contract/products.ts'
import { compare, type Figure } from '../figure.ts'
import {
  databaseUrlOf,
  forget,
  load,
  memoryOf,
  resetPeak,
  signIn,
  startBaseline,
  startShop,
  type Shop,
} from '../processes.ts'
import { begin, untilAsked } from './pending.ts'
import { buyForSeconds, connections, seconds, untilIdle } from './purchases.ts'

const callsAtOnce = 4

export async function webhooks(shop: Shop, rounds: number): Promise<Figure[]> {
  await using paid = await openPaidShop()
  const token = await signIn(shop)
  const { ratio, note } = await compare(
    rounds,
    async () => {
      await untilIdle(databaseUrlOf(shop))
      const url = `${paid.shop.url}/api/stripe/webhook`
      return (await load({ url, connections, seconds, method: 'POST', isWebhook: true })).perSecond
    },
    async () => {
      await untilIdle(databaseUrlOf(paid.shop))
      return buyForSeconds(shop, token, await productOf(shop))
    },
  )
  const name = `Webhooks at ${connections} connections, against POST /api/purchases without payments`
  return [{ name, bar: { atLeast: 1 }, unit: 'ratio', measured: ratio, note }]
}

/** After some thousands, which have loaded all there is to load and filled the heap. */
export async function reconciler(pending: number): Promise<Figure[]> {
  await using paid = await openPaidShop()
  const { shop, stripe } = paid
  const warm = 5_000
  const ask = async (from: number, to: number) => {
    const product_id = await productOf(shop)
    await fetch(`${stripe.url}/fill/${from}/${to}/${product_id}`)
    await begin(shop, from, to, product_id)
    const before = memoryOf(shop.pid)
    resetPeak(shop.pid)
    const since = performance.now()
    await untilAsked(shop)
    const perSecond = Math.round(((to - from + 1) / (performance.now() - since)) * 1000)
    return { growth: memoryOf(shop.pid, 'VmHWM') - before, perSecond }
  }
  await ask(1, warm)
  await untilIdle(databaseUrlOf(shop))
  const { growth, perSecond } = await ask(warm + 1, warm + pending)
  const { busiest } = (await (await fetch(stripe.url)).json()) as { busiest: number }
  return [
    {
      name: `Memory growth while Stripe is asked about ${pending.toLocaleString('en')} pending purchases`,
      bar: { atMost: 40 },
      unit: 'MB',
      measured: growth,
      note: `${perSecond} a second`,
    },
    {
      name: 'Most questions open at Stripe meanwhile, against STRIPE_CONCURRENCY',
      bar: { atMost: callsAtOnce },
      unit: 'calls',
      measured: busiest,
    },
  ]
}

async function openPaidShop() {
  await using undo = new AsyncDisposableStack()
  const stripe = undo.use(await startBaseline('stripe'))
  const { env } = (await (await fetch(stripe.url)).json()) as { env: Record<string, string> }
  const settings = { STRIPE_RECONCILE_SECONDS: '5', STRIPE_CONCURRENCY: String(callsAtOnce) }
  const shop = undo.use(await startShop(undefined, { ...env, ...settings }))
  const stack = undo.move()
  return {
    shop,
    stripe,
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync()
      forget(shop)
    },
  }
}

async function productOf({ url }: Shop): Promise<string> {
  const [product] = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  return product!.id
}
