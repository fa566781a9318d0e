// What may stand struck out beside a price with a code: the lowest price of the thirty days before its reduction.
import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { Discount, NewDiscount } from '#contract/orders/discounts.ts'
import { changeProduct } from '#domains/catalog/change-products.ts'
import { given } from '#test/given.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { endDiscount, listDiscounts, resumeDiscount } from './discounts.ts'

const setDay = (day: number) => void (time.ahead = day * dayMs)

async function openPricedShop() {
  const shop = await openTestShop({ clock, hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const { id } = await shop.product('digital')
  const former = async (code: string) => {
    const checked = await shop.call('POST', '/api/discounts/check', { body: { code } })
    return ((await checked.json()) as Discount).former_prices
  }
  return Object.assign(shop, { id, former, formerOwn: async (code: string) => (await former(code))?.[id] })
}

const author = { id: null, email: 'author@example.com', ip: null }

const add = (shop: TestShop, code: string, terms: Partial<NewDiscount> = { percent: 10 }) =>
  given.code(shop, { code, ...terms })

async function idOf({ services }: TestShop, code: string): Promise<string> {
  const listed = await listDiscounts(services.db)
  return listed.find((each) => each.code === code)!.id
}

const end = async (shop: TestShop, code: string) => endDiscount(shop.services, author, await idOf(shop, code))

test('the days that count end where the reduction began, however long the code is in force', async () => {
  await using shop = await openPricedShop()
  setDay(1)
  await given.price(shop, 'digital', 15)
  setDay(20)
  await given.price(shop, 'digital', 20)
  await add(shop, 'EARLY')
  setDay(49)
  await add(shop, 'JUST')
  setDay(51)
  await add(shop, 'LATE')
  await given.price(shop, 'digital', 12)
  setDay(200)
  expect(await shop.formerOwn('EARLY')).toBe(14.99)
  expect(await shop.formerOwn('JUST')).toBe(15)
  expect(await shop.formerOwn('LATE')).toBe(18)
})

test('other codes for everybody count for what they are for, while they are in force; personal ones do not', async () => {
  await using shop = await openPricedShop()
  setDay(40)
  await given.price(shop, 'digital', 20)
  const paper = await shop.product('paperback')
  await add(shop, 'PAPER', { percent: 50, product_id: paper.id })
  await add(shop, 'ONCE', { percent: 90, max_uses: 1 })
  await add(shop, 'SOME', { amount_off: 4, max_uses: 100 })
  setDay(45)
  await end(shop, 'SOME')
  setDay(74)
  await add(shop, 'WITHIN')
  // The last day with SOME.
  expect(await shop.formerOwn('WITHIN')).toBe(16)
  setDay(80)
  await end(shop, 'WITHIN')
  await add(shop, 'AFTER')
  expect(await shop.formerOwn('AFTER')).toBe(18)
  expect((await shop.former('AFTER'))?.[paper.id]).toBe(12.49)
  expect(await shop.former('ONCE')).toBeNull()
  // Of what the code is not for nothing is said, however low it was.
  await end(shop, 'AFTER')
  setDay(130)
  await add(shop, 'NEXT')
  expect(await shop.formerOwn('NEXT')).toBe(20)
})

test('a product that was not for sale for a day before the code has no price before it', async () => {
  await using shop = await openPricedShop()
  const sell = (is_for_sale: boolean) => changeProduct(shop.services, author, shop.id, { is_for_sale })
  await add(shop, 'FIRST')
  expect(await shop.former('FIRST')).toEqual({})
  setDay(0.9)
  await add(shop, 'SAME')
  expect(await shop.formerOwn('SAME')).toBeUndefined()
  setDay(1.1)
  await add(shop, 'NEXT')
  expect(await shop.formerOwn('NEXT')).toBe(13.49)
  await sell(false)
  setDay(60)
  await sell(true)
  setDay(60.5)
  await add(shop, 'BACK')
  expect(await shop.formerOwn('BACK')).toBeUndefined()
})

test('a code that was resumed reduces prices from then on', async () => {
  await using shop = await openPricedShop()
  await add(shop, 'PAUSED')
  setDay(10)
  await shop.services.database.pool.query(`update discount_codes set paused_at = now()`)
  await given.price(shop, 'digital', 30)
  setDay(50)
  await resumeDiscount(shop.services, author, await idOf(shop, 'PAUSED'))
  expect(await shop.formerOwn('PAUSED')).toBe(30)
})
