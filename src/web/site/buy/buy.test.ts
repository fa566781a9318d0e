// What goes over the wire for one press of a buy button after another, whatever the shop and the way to it respond.
import { afterEach, expect, test, vi } from 'vitest'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { allRefusals, type ProblemCode } from '#contract/refusals.ts'
import { addressOf } from '../../forms/address-form.ts'
import { renewalTimer } from '../../page/page-state.ts'
import { buy, type Answers, type Order } from './buy.ts'

afterEach(() => {
  // Files share a worker: the timer of a signed-in page would end in the test of another file.
  clearTimeout(renewalTimer.get())
  renewalTimer.set(undefined)
  vi.unstubAllGlobals()
})

const session = {
  access_token: 'a',
  refresh_token: 'r',
  expires_at: 4_000_000_000,
  user: { id: 'buyer', email: 'buyer@example.com' },
}

function openStorage(items: Record<string, string> = {}) {
  return {
    getItem: (name: string) => items[name] ?? null,
    setItem: (name: string, value: string) => void (items[name] = value),
    removeItem: (name: string) => void delete items[name],
  }
}

const book: Order = {
  product_id: 'book',
  code: undefined,
  isForGuests: false,
  seller: 'author',
  asksConsent: false,
  seenShipping: undefined,
}

const at = (line1: string) => ({
  place: { shipping: 0, address: addressOf((field) => (field === 'line1' ? line1 : '')) },
})

type Sent = { country?: string | undefined; shipping?: number | undefined }

const terms: ShippingTerms = {
  asks_address: true,
  countries: ['US'],
  price: 0,
  country_prices: {},
  takes_payments: false,
  has_tax: false,
}
const byCountry = { ...terms, asks_address: false, countries: ['US', 'CA'], country_prices: { CA: 12.5 } }

/** A signed-in browser; each purchase gets the next of `responses`. */
function openBrowser(responses: (() => Response)[], shipping: ShippingTerms = terms) {
  const keys: (string | null)[] = []
  const addresses: (string | undefined)[] = []
  const places: Sent[] = []
  vi.stubGlobal('location', { origin: 'https://shop.example', assign: () => undefined })
  // The page is left at once.
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listener())
  vi.stubGlobal('localStorage', openStorage({ 'supabase.auth.token': JSON.stringify(session) }))
  vi.stubGlobal('sessionStorage', openStorage())
  vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit) => {
    if (method === 'GET') return Response.json(url.endsWith('/shipping') ? shipping : { items: [] })
    keys.push(new Headers(headers).get('idempotency-key'))
    const sent = JSON.parse(body as string) as Sent & { address?: { line1: string } }
    addresses.push(sent.address?.line1)
    places.push({ country: sent.country, shipping: sent.shipping })
    return responses.shift()!()
  })
  const press = (order: Partial<Order> = {}, answers: Answers = {}) => buy({ ...book, ...order }, answers)
  return { keys, addresses, places, press }
}

function refuse(code: ProblemCode): () => Response {
  const [status, detail] = allRefusals[code]
  return () => Response.json({ code, status, detail }, { status })
}

function loseAnswer(): never {
  throw new TypeError('Failed to fetch')
}

test('after a lost response every press is the same purchase, until a response decides', async () => {
  const responses = [
    loseAnswer,
    refuse('request.rate_limited'),
    refuse('access.signed_out'),
    () => new Response('<h1>Request Timeout</h1>', { status: 408 }),
    () => new Response('<h1>Forbidden</h1>', { status: 403 }),
    refuse('payments.unavailable'),
    refuse('products.not_found'),
    refuse('products.not_found'),
  ]
  const presses = responses.length
  const { keys, press } = openBrowser(responses)
  for (let n = 0; n < presses; n++) await press()
  expect(new Set(keys.slice(0, -1)).size).toBe(1)
  expect(keys.at(-1)).not.toBe(keys[0])
})

test('an address that was refused is asked for anew, one that got no response goes along with each try', async () => {
  const wrong = { code: 'request.invalid', status: 422, detail: '', fields: { 'address.city': 'Required' } }
  const { keys, addresses, press } = openBrowser([
    () => Response.json(wrong, { status: 422 }),
    loseAnswer,
    loseAnswer,
  ])
  const ships = { seenShipping: null }
  expect(await press(ships, at('Nowhere'))).toEqual({
    question: { ...terms, problems: { city: 'Required' } },
  })
  expect(await press(ships)).toEqual({ question: terms })
  await press(ships, at('1 Main Street'))
  await press(ships)
  expect(addresses).toEqual(['Nowhere', '1 Main Street', '1 Main Street'])
  expect(new Set(keys).size).toBe(1)
})

test('where consent is asked for nothing is sent before it is given, and it goes along with an address', async () => {
  const { keys, addresses, press } = openBrowser([loseAnswer])
  const asked = { asksConsent: true, seenShipping: null }
  expect(await press(asked)).toEqual({ question: 'consent' })
  expect(await press(asked, { consent: 'Yes.' })).toMatchObject({ question: { countries: ['US'] } })
  expect(keys).toEqual([])
  await press(asked, { consent: 'Yes.', ...at('1 Main Street') })
  expect(addresses).toEqual(['1 Main Street'])
})

test('the country is asked for where prices differ, and goes along with each retry of the same purchase', async () => {
  const { keys, places, press } = openBrowser(
    [loseAnswer, loseAnswer, refuse('shipments.price_changed')],
    byCountry,
  )
  const ships = { seenShipping: null }
  const place = { country: 'CA', shipping: 12.5 }
  expect(await press(ships)).toEqual({ question: byCountry })
  await press(ships, { place })
  await press(ships)
  const refused = await press(ships)
  expect(places).toEqual([place, place, place])
  expect(new Set(keys).size).toBe(1)
  expect(refused).toMatchObject({
    question: { ...byCountry, notice: expect.stringContaining('has changed') },
  })
  // Nothing was bought: the next press is another purchase, and asks again.
  expect(await press(ships)).toEqual({ question: byCountry })
})

test('nobody is asked what the card has said already, unless it is not true any more', async () => {
  const one = { ...byCountry, price: 4.9, country_prices: {} }
  const { places, press } = openBrowser([loseAnswer, loseAnswer], one)
  expect(await press({ seenShipping: 4.9 })).not.toHaveProperty('question')
  expect(places).toEqual([{ country: undefined, shipping: 4.9 }])
  const stale = openBrowser([loseAnswer], one)
  expect(await stale.press({ seenShipping: 0 })).toMatchObject({ question: one })
  expect(stale.places).toEqual([])
  const free = openBrowser([loseAnswer], { ...one, price: 0 })
  await free.press({ seenShipping: 0 })
  expect(free.places).toEqual([{}])
})
