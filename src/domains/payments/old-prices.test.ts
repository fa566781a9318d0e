// Open checkouts at the price that a product had before, ended by the author.
import { expect, test } from 'vitest'
import { given } from '#test/given.ts'
import type { Person } from '#test/users.ts'
import { listAuditEvents } from '#test/needs.ts'
import { begin, buy, openPaidShop, own, sessionOf, settle, startLiveStripe } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'

async function admin(shop: TestShop) {
  const person = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const path = `/api/admin/products/${id}/old-price-checkouts`
  return {
    person,
    setPrice: (price: number) => person.call('PATCH', `/api/admin/products/${id}`, { body: { price } }),
    end: async () => (await (await person.call('DELETE', path)).json()) as Record<string, number>,
    path,
  }
}

const buyWith = async (shop: TestShop, person: Person, code: string) => {
  const { id: product_id } = await shop.product('digital')
  const response = await person.call('POST', '/api/purchases', { body: { product_id, code } })
  return (await response.json()) as { id: string }
}

test('after a price was raised, the checkouts at the old price are ended, and those at today’s price stay', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { person, setPrice, end } = await admin(shop)
  await person.call('POST', '/api/admin/discounts', { body: { code: 'THIRD', percent: 33 } })
  const [old, discounted, other] = [
    await buy(shop, await shop.person()),
    await buyWith(shop, await shop.person(), 'THIRD'),
    await buy(shop, await shop.person(), 'paperback'),
  ]
  const none = { ended: 0, paid: 0, kept: 0, failed: 0 }
  expect(await end()).toEqual(none)
  await setPrice(19.99)
  const [fresh, freshWithCode] = [
    await buy(shop, await shop.person()),
    await buyWith(shop, await shop.person(), 'THIRD'),
  ]
  // Two were opened before; the newer ones are at today's price, with a code or without.
  expect(await end()).toEqual({ ...none, ended: 2 })
  const statuses = [old, discounted, other, fresh, freshWithCode].map(
    ({ id }) => sessionOf(stripe, id).status,
  )
  expect(statuses).toEqual(['expired', 'expired', 'open', 'open', 'open'])
  expect(await listAuditEvents(shop)).toContain('products.old_checkouts_ended')
  // Nothing to do is nothing done.
  expect(await end()).toEqual(none)
})

test('who pays in the moment in which the checkout is ended stays paid, and the answer says so', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { setPrice, end } = await admin(shop)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const [paid] = [await buy(shop, anna), await buy(shop, ben)]
  await setPrice(19.99)
  stripe.pay(sessionOf(stripe, paid.id).id)
  expect(await end()).toEqual({ ended: 1, paid: 1, kept: 0, failed: 0 })
  expect(await own(anna)).toMatchObject([{ status: 'completed', amount: 14.99 }])
  expect(await own(ben)).toMatchObject([{ status: 'canceled' }])
  expect(await settle(anna, paid.id)).toBe('completed')
})

test('what Stripe could not be asked about is still there, and counted as not ended', async () => {
  const stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { setPrice, end } = await admin(shop)
  for (const person of [await shop.person(), await shop.person()]) await buy(shop, person)
  await setPrice(19.99)
  await stripe[Symbol.asyncDispose]()
  for (let times = 0; times < 2; times += 1)
    expect(await end()).toEqual({ ended: 0, paid: 0, kept: 0, failed: 2 })
})

test('ending checkouts asks for a sign-in of the last day', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { person, path } = await admin(shop)
  await begin(shop, await shop.person())
  const code = async () => ((await (await person.call('DELETE', path)).json()) as { code?: string }).code
  expect(await code()).toBeUndefined()
  await given.passwordsGiven(shop, '25 hours')
  expect(await code()).toBe('auth.reauthentication_needed')
})
