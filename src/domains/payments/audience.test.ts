// An audience behind one address, as at a reading or behind a mobile carrier: everybody signs up, gets a code and buys.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { codeIn, password } from '#test/auth-client.ts'
import { given } from '#test/given.ts'
import { beginAsGuest, codeOf, newVisitor, openGuestShop } from '#test/guests.ts'
import { openPaidShop, sessionOf, startLiveStripe } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'

const hall = { 'x-forwarded-for': '203.0.113.60' }
const behindProxy = { RATE_LIMIT: 'on', TRUST_PROXY: '1' }

/** Calls `act` for all, a few at a time, as phones in a hall do. */
async function forAll<Item, Result>(items: Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += 20)
    results.push(...(await Promise.all(items.slice(at, at + 20).map(act))))
  return results
}

test('200 people behind one address sign up, confirm by the mailed code and buy', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { sendsMail: true, env: behindProxy })
  const { id: product_id } = await shop.product('digital')
  const people = Array.from({ length: 200 }, (_, nth) => ({
    email: `listener-${nth}@example.com`,
    'x-device-id': crypto.randomUUID(),
  }))
  const call = (device: string, path: string, body: object, token?: string) =>
    shop.call('POST', path, {
      body,
      headers: { ...hall, 'x-device-id': device },
      ...(token && { token }),
    })

  const signedUp = await forAll(people, ({ email, 'x-device-id': device }) =>
    call(device, '/auth/v1/signup', { email, password }),
  )
  expect(countOf(signedUp)).toEqual({ 200: 200 })

  const codes = await mailedCodes(shop, people.length)
  const bought = await forAll(people, async ({ email, 'x-device-id': device }) => {
    const token = codes.get(email)
    const verified = await call(device, '/auth/v1/verify', { type: 'signup', email, token })
    if (!verified.ok) return verified
    const { access_token } = (await verified.json()) as { access_token: string }
    const made = await call(device, '/api/purchases', { product_id }, access_token)
    if (!made.ok) return made
    const { id } = (await made.json()) as PurchaseMade
    stripe.pay(sessionOf(stripe, id).id)
    return call(device, `/api/purchases/${id}/settle`, {}, access_token)
  })
  expect(countOf(bought)).toEqual({ 200: 200 })
})

async function mailedCodes(shop: TestShop, count: number): Promise<Map<string, string>> {
  const read = async () =>
    new Map((await shop.mailbox.all()).map((mail) => [mail.to?.[0]?.address ?? '', codeIn(mail)]))
  await expect.poll(async () => (await read()).size).toBe(count)
  return read()
}

function countOf(responses: Response[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('one network holds a tenth of the copies that are left, 20 at most, and is told when it may hold another', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openGuestShop(stripe, { env: behindProxy })
  await given.copies(shop, 'paperback', 100)
  await given.copies(shop, 'hardcover', 1_000)
  const begin = (format: string) => () => beginAsGuest(shop, newVisitor(), { format, headers: hall })
  const many = Array.from({ length: 24 })
  expect(countOf(await forAll(many, begin('paperback')))).toEqual({ 201: 10, 429: 14 })
  // Another product has a tenth of its own.
  expect(countOf(await forAll(many, begin('hardcover')))).toEqual({ 201: 20, 429: 4 })
  const refused = await begin('paperback')()
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  expect(await refused.json()).toMatchObject({
    code: 'guest_checkout.too_many_reservations',
    detail: expect.stringMatching(/try again in (an hour|\d+ minutes)/),
  })
})

test('one network holds a tenth of the uses of a limited code that are left', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openGuestShop(stripe, { env: behindProxy })
  await given.code(shop, { code: 'HALL', percent: 10, max_uses: 40 })
  const begin = () => beginAsGuest(shop, newVisitor(), { code: 'HALL', headers: hall })
  const begun = await forAll(Array.from({ length: 6 }), begin)
  expect(countOf(begun)).toEqual({ 201: 4, 429: 2 })
  expect(await codeOf(await begin())).toBe('guest_checkout.too_many_reservations')
})
