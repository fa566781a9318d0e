// Open checkouts at the price that a product had before: a job ends them once the price has changed.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Today } from '#contract/overview/today.ts'
import { age } from '#test/changes.ts'
import type { Person } from '#test/users.ts'
import { listAuditEvents } from '#test/needs.ts'
import { buy, openPaidShop, own, sessionOf, settle, startLiveStripe } from '#test/paying.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { endOldPricesJob } from './old-prices.ts'

async function admin(shop: TestShop) {
  const person = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const path = `/api/admin/products/${product_id}`
  return {
    person,
    setPrice: (price: number) => person.call('PATCH', path, { body: { price } }),
    countAt: async (price: number) =>
      (
        (await (await person.call('GET', `${path}/open-checkouts?price=${price}`)).json()) as {
          count: number
        }
      ).count,
    leftOver: async () =>
      ((await (await person.call('GET', '/api/admin/today')).json()) as Today).left_at_old_price,
    run: () =>
      endOldPricesJob.run(shop.services, { product_id }, { id: randomUUID(), number: 1, isLast: false }),
  }
}

const enqueued = async (shop: TestShop) =>
  (await shop.services.database.pool.query(`select from pgboss.job where name = 'payments.end_old_prices'`))
    .rowCount

const buyWith = async (shop: TestShop, person: Person, code: string) => {
  const { id: product_id } = await shop.product('digital')
  const response = await person.call('POST', '/api/purchases', { body: { product_id, code } })
  return (await response.json()) as { id: string }
}

test('after a price has changed, the checkouts at another price are ended, and those at today’s stay', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { person, setPrice, countAt, run } = await admin(shop)
  await person.call('POST', '/api/admin/discounts', { body: { code: 'THIRD', percent: 33 } })
  const [old, discounted, other] = [
    await buy(shop, await shop.person()),
    await buyWith(shop, await shop.person(), 'THIRD'),
    await buy(shop, await shop.person(), 'paperback'),
  ]
  expect([await countAt(14.99), await countAt(19.99)]).toEqual([0, 2])
  await person.call('PATCH', `/api/admin/products/${(await shop.product('digital')).id}`, {
    body: { description: 'Another' },
  })
  expect(await enqueued(shop)).toBe(0)
  await setPrice(19.99)
  expect(await enqueued(shop)).toBe(1)
  const [fresh, freshWithCode] = [
    await buy(shop, await shop.person()),
    await buyWith(shop, await shop.person(), 'THIRD'),
  ]
  await run()
  const statuses = [old, discounted, other, fresh, freshWithCode].map(
    ({ id }) => sessionOf(stripe, id).status,
  )
  expect(statuses).toEqual(['expired', 'expired', 'open', 'open', 'open'])
  expect(
    (await listAuditEvents(shop)).filter((each) => each === 'products.old_checkouts_ended'),
  ).toHaveLength(1)
  // Nothing to do is nothing done, and nothing logged.
  await run()
  expect(
    (await listAuditEvents(shop)).filter((each) => each === 'products.old_checkouts_ended'),
  ).toHaveLength(1)

  // Of two changes the later one counts, whichever job runs first.
  await setPrice(24.99)
  await setPrice(19.99)
  await Promise.all([run(), run()])
  expect(sessionOf(stripe, fresh.id).status).toBe('open')
})

test('the worker ends them by itself', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const { setPrice } = await admin(shop)
  const old = await buy(shop, await shop.person())
  await setPrice(19.99)
  await expect.poll(() => sessionOf(stripe, old.id).status, { timeout: 20_000 }).toBe('expired')
})

test('whoever pays in the moment in which the checkout is ended has paid', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { setPrice, run } = await admin(shop)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const [paid] = [await buy(shop, anna), await buy(shop, ben)]
  await setPrice(19.99)
  stripe.pay(sessionOf(stripe, paid.id).id)
  await Promise.all([run(), settle(anna, paid.id), run()])
  expect(await own(anna)).toMatchObject([{ status: 'completed', amount: 14.99 }])
  expect(await own(ben)).toMatchObject([{ status: 'canceled' }])
})

test('a purchase that is being made while the price changes is at the new price, or is ended', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { setPrice, run } = await admin(shop)
  const people = await Promise.all(Array.from({ length: 6 }, () => shop.person()))
  const [bought] = await Promise.all([
    Promise.all(people.map((each) => buy(shop, each))),
    setPrice(19.99).then(run),
  ])
  const { rows } = await shop.services.database.pool.query(
    `select count(*)::int as open from purchases where status = 'pending' and amount <> 19.99`,
  )
  expect(rows).toEqual([{ open: 0 }])
  expect(bought).toHaveLength(6)
})

test('what Stripe does not end is tried again, and stands on Today until nobody can pay it', async () => {
  const stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { setPrice, run, leftOver } = await admin(shop)
  const forMinutes = (minutes: number) =>
    shop.services.database.pool.query(
      'update product_prices set since = now() - make_interval(mins => $1) where until is null',
      [minutes],
    )
  for (const person of [await shop.person(), await shop.person()]) await buy(shop, person)
  await setPrice(19.99)
  await stripe[Symbol.asyncDispose]()
  for (let times = 0; times < 2; times += 1) await expect(run()).rejects.toThrow('could not be ended')
  // The job has some minutes first.
  expect(await leftOver()).toEqual([])
  await forMinutes(11)
  expect(await leftOver()).toMatchObject([{ count: 2 }])
  await setPrice(14.99)
  await forMinutes(12)
  expect(await leftOver()).toEqual([])
  await setPrice(19.99)
  await forMinutes(13)
  await age(shop.services.database, 'purchases.created_at', '26 hours')
  expect(await leftOver()).toEqual([])
})

test('a shop without Stripe ends nothing', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { setPrice, countAt } = await admin(shop)
  await setPrice(19.99)
  expect([await enqueued(shop), await countAt(1)]).toEqual([0, 0])
})
