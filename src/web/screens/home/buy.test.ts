// What goes over the wire for one press of a buy button after another, whatever the shop and the way to it respond.
import { afterEach, expect, test, vi } from 'vitest'
import { problemDetail, problemStatus, type ProblemCode } from '../../../problems.ts'
import { buy } from './buy.ts'

afterEach(() => vi.unstubAllGlobals())

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

/** A signed-in browser; each purchase gets the next of `responses`. */
function openBrowser(responses: (() => Response)[]) {
  const keys: (string | null)[] = []
  const addresses: (string | undefined)[] = []
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  vi.stubGlobal('localStorage', openStorage({ 'supabase.auth.token': JSON.stringify(session) }))
  vi.stubGlobal('sessionStorage', openStorage())
  vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit) => {
    if (method === 'GET')
      return Response.json(
        url.endsWith('/shipping') ? { asks_address: true, countries: ['US'] } : { items: [] },
      )
    keys.push(new Headers(headers).get('idempotency-key'))
    addresses.push((JSON.parse(body as string) as { address?: { line1: string } }).address?.line1)
    return responses.shift()!()
  })
  function press(fields: Record<string, string> = {}) {
    const form = new FormData()
    for (const [name, value] of Object.entries({ product_id: 'book', ...fields })) form.set(name, value)
    return buy(form)
  }
  return { keys, addresses, press }
}

function refuse(code: ProblemCode): () => Response {
  const [status, detail] = [problemStatus(code), problemDetail(code)]
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
  const ships = { ships: '' }
  const asks = { countries: ['US'] }
  expect(await press({ ...ships, line1: 'Nowhere' })).toEqual({
    isOwned: false,
    asks: { ...asks, problems: { city: 'Required' } },
  })
  expect(await press(ships)).toEqual({ isOwned: false, asks })
  await press({ ...ships, line1: '1 Main Street' })
  await press(ships)
  expect(addresses).toEqual(['Nowhere', '1 Main Street', '1 Main Street'])
  expect(new Set(keys).size).toBe(1)
})

test('where consent is asked for nothing is sent before it is given, and it goes along with an address', async () => {
  const { keys, addresses, press } = openBrowser([loseAnswer])
  expect(await press({ asks_consent: 'yes', ships: 'yes' })).toEqual({ isOwned: false, asksConsent: true })
  const agreed = { asks_consent: 'yes', ships: 'yes', consent: 'Yes.' }
  expect(await press(agreed)).toMatchObject({ asks: { countries: ['US'] } })
  expect(keys).toEqual([])
  await press({ ...agreed, line1: '1 Main Street' })
  expect(addresses).toEqual(['1 Main Street'])
})
