// What goes over the wire for one press of a buy button after another, whatever the shop and the way to it answer.
import { afterEach, expect, test, vi } from 'vitest'
import { problemDetail, problemStatus, type ProblemCode } from '#contract/problems.ts'
import { buy } from './buy.ts'

afterEach(() => vi.unstubAllGlobals())

const session = {
  access_token: 'a',
  refresh_token: 'r',
  expires_at: 4_000_000_000,
  user: { id: 'reader', email: 'reader@example.com' },
}

function openStorage(items: Record<string, string> = {}) {
  return {
    getItem: (name: string) => items[name] ?? null,
    setItem: (name: string, value: string) => void (items[name] = value),
    removeItem: (name: string) => void delete items[name],
  }
}

/** A browser of somebody signed in; each purchase is answered by the next of `answers`. */
function openBrowser(answers: (() => Response)[]) {
  const keys: (string | null)[] = []
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  vi.stubGlobal('localStorage', openStorage({ 'supabase.auth.token': JSON.stringify(session) }))
  vi.stubGlobal('sessionStorage', openStorage())
  vi.stubGlobal('fetch', async (_: unknown, { method, headers }: RequestInit) => {
    if (method === 'GET') return Response.json([])
    keys.push(new Headers(headers).get('idempotency-key'))
    return answers.shift()!()
  })
  const form = new FormData()
  form.set('product_id', 'digital')
  return { keys, press: () => buy(form) }
}

function refuse(code: ProblemCode): () => Response {
  const [status, detail] = [problemStatus(code), problemDetail(code)]
  return () => Response.json({ code, status, detail }, { status })
}

function loseAnswer(): never {
  throw new TypeError('Failed to fetch')
}

test('after a lost answer every press is the same purchase, until an answer decides', async () => {
  const answers = [
    loseAnswer,
    refuse('request.rate_limited'),
    refuse('access.signed_out'),
    () => new Response('<h1>Request Timeout</h1>', { status: 408 }),
    () => new Response('<h1>Forbidden</h1>', { status: 403 }),
    refuse('payments.unavailable'),
    refuse('products.not_found'),
    refuse('products.not_found'),
  ]
  const presses = answers.length
  const { keys, press } = openBrowser(answers)
  for (let n = 0; n < presses; n++) await press()
  expect(new Set(keys.slice(0, -1)).size).toBe(1)
  expect(keys.at(-1)).not.toBe(keys[0])
})
