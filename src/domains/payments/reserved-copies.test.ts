// Copies of a book on paper while they are being paid: reserved, released, and never sold twice without the author seeing it.
import { expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import { changePurchases } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { listHeld, press } from '#test/needs.ts'
import { begin, buy, openPaidShop, sessionOf, settle, startLiveStripe, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { reconcile } from './reconcile.ts'
import { settlePurchase } from './settle.ts'

async function copiesLeft({ services }: TestShop): Promise<number> {
  const { rows } = await services.database.pool.query<{ copies: number }>('select copies from stock')
  return rows[0]!.copies
}

const countCopies = (shop: TestShop, copies: number) => given.copies(shop, 'paperback', copies)
const code = async (response: Response) => ((await response.json()) as { code?: string }).code

test('the last copy is reserved while it is paid, is not opened twice, and is back when its checkout ends', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  await countCopies(shop, 1)
  const people = await Promise.all(Array.from({ length: 6 }, () => shop.person()))
  const responses = await Promise.all(people.map((person) => begin(shop, person, 'paperback')))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201, 409, 409, 409, 409, 409,
  ])
  const winner = people[responses.findIndex(({ status }) => status === 201)]!
  const loser = people[responses.findIndex(({ status }) => status === 409)]!
  expect(stripe.sessions.size).toBe(1)

  // Its buyer comes back to the same checkout.
  const { id, checkout_url } = await buy(shop, winner, 'paperback')
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  stripe.expire(sessionOf(stripe, id).id)
  await sendEvent(shop, stripe.event('checkout.session.expired', sessionOf(stripe, id)))
  await soon(shop, () => copiesLeft(shop)).toBe(1)
  const second = await buy(shop, loser, 'paperback')
  stripe.pay(sessionOf(stripe, second.id).id)
  expect(await settle(loser, second.id)).toBe('completed')
  expect([await copiesLeft(shop), await code(await begin(shop, winner, 'paperback'))]).toEqual([
    0,
    'stock.sold_out',
  ])
})

test('a checkout that is left open for an hour is ended, and its copy is back', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock })
  await countCopies(shop, 2)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const [left, paid] = [await buy(shop, anna, 'paperback'), await buy(shop, ben, 'paperback')]
  time.ahead = 59 * 60_000
  await reconcile(shop.services)
  expect(sessionOf(stripe, left.id).status).toBe('open')
  stripe.pay(sessionOf(stripe, paid.id).id)
  time.ahead = 3 * hourMs
  await reconcile(shop.services)
  expect(sessionOf(stripe, left.id).status).toBe('expired')
  const { rows } = await shop.services.database.pool.query('select status from purchases order by number')
  expect(rows).toEqual([{ status: 'canceled' }, { status: 'completed' }])
  expect(await copiesLeft(shop)).toBe(1)
})

test('a checkout that reserves a copy or a limited code is ended once its hour is over, and no other one', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock })
  await countCopies(shop, 1)
  const admin = await shop.person({ role: 'admin' })
  await admin.call('POST', '/api/admin/discounts', { body: { code: 'LIMITED', percent: 20, max_uses: 1 } })
  await admin.call('POST', '/api/admin/discounts', { body: { code: 'ENDLESS', percent: 20 } })
  const begun = await Promise.all(
    [
      { format: 'paperback' },
      { format: 'digital', code: 'LIMITED' },
      { format: 'digital', code: 'ENDLESS' },
    ].map(async ({ format, code }) => {
      const { id: product_id } = await shop.product(format)
      const person = await shop.person()
      const response = await person.call('POST', '/api/purchases', { body: { product_id, code } })
      return ((await response.json()) as { id: string }).id
    }),
  )
  const statuses = () => begun.map((id) => sessionOf(stripe, id).status)
  // The interval between two checks has grown to half an hour by then.
  for (const minutes of [5, 8, 12, 20, 36, 59]) {
    time.ahead = minutes * 60_000
    await reconcile(shop.services)
  }
  expect(statuses()).toEqual(['open', 'open', 'open'])
  time.ahead = 60 * 60_000 + 1000
  await reconcile(shop.services)
  expect(statuses()).toEqual(['expired', 'expired', 'open'])
  const { rows } = await shop.services.database.pool.query(
    `select code, uses from discount_codes order by code`,
  )
  expect(rows).toEqual([
    { code: 'ENDLESS', uses: 1 },
    { code: 'LIMITED', uses: 0 },
  ])
  expect(await copiesLeft(shop)).toBe(1)
})

test('what is paid after its copy was sold waits for the author, who gives the money back', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  await countCopies(shop, 1)
  const [admin, anna, ben] = [await shop.person({ role: 'admin' }), await shop.person(), await shop.person()]
  const late = await buy(shop, anna, 'paperback')
  // Canceled here, and still payable at Stripe, as after a restore or a lost response.
  await changePurchases(shop.services.db, { status: 'canceled' }, late.id)
  const taken = await buy(shop, ben, 'paperback')
  stripe.pay(sessionOf(stripe, late.id).id)
  expect(await settlePurchase(shop.services, late.id)).toBe('canceled')
  expect(await listHeld(admin)).toMatchObject([
    { id: late.id, reason: 'It was paid after its copy was sold to somebody else.' },
  ])
  expect((await press(admin, `held/${late.id}/refund`)).status).toBe(200)
  await soon(shop, async () => (await listHeld(admin)).length).toBe(0)
  expect(stripe.refunds).toMatchObject([{ amount: 2499 }])
  await shop.mailbox.to(anna.email, /Your refund/)
  stripe.pay(sessionOf(stripe, taken.id).id)
  expect([await settle(ben, taken.id), await copiesLeft(shop)]).toEqual(['completed', 0])
})

test('a late payment that was sold out completes when the author accepts it, and not when a copy is there again', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  await countCopies(shop, 2)
  const admin = await shop.person({ role: 'admin' })
  const late = await Promise.all(
    [1, 2].map(async () => (await buy(shop, await shop.person(), 'paperback')).id),
  )
  await changePurchases(shop.services.db, { status: 'canceled' })
  await countCopies(shop, 0)
  for (const id of late) {
    stripe.pay(sessionOf(stripe, id).id)
    expect(await settlePurchase(shop.services, id)).toBe('canceled')
  }
  expect((await press(admin, `held/${late[0]}/accept`)).status).toBe(200)
  await countCopies(shop, 1)
  expect(await (await press(admin, `held/${late[1]}/check`)).json()).toEqual({ status: null })
  const completed = async () =>
    (await shop.services.database.pool.query(`select from purchases where status = 'completed'`)).rowCount
  expect([await completed(), await copiesLeft(shop)]).toEqual([1, 1])
  expect((await press(admin, `held/${late[1]}/accept`)).status).toBe(200)
  expect([await completed(), await copiesLeft(shop)]).toEqual([2, 0])
})

test('a test order takes no copy, and cannot buy what is sold out', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  await countCopies(shop, 1)
  const [first, second] = [await buy(shop, user, 'paperback'), await buy(shop, await shop.person(), 'bundle')]
  for (const { id } of [first, second]) stripe.pay(sessionOf(stripe, id).id)
  expect([await settle(user, first.id), await copiesLeft(shop)]).toEqual(['completed', 1])
  await countCopies(shop, 0)
  for (const format of ['paperback', 'bundle'])
    expect(await code(await begin(shop, user, format))).toBe('stock.sold_out')
  // What was paid before is bought, as no copy was ever kept for it.
  expect(await settlePurchase(shop.services, second.id)).toBe('completed')
  await changePurchases(shop.services.db, { status: 'refunded' })
  expect(await copiesLeft(shop)).toBe(0)
})
