// Checkouts that are lost, late or out of date: a purchase is paid at most once, and at the price that is shown.
import { expect, test } from 'vitest'
import { changeCheckouts, changeProducts } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { begin, buy, openPaidShop, own, sessionOf, settle, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { cancelUnopened } from './settle.ts'

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

/** Stripe has opened a checkout; its response was lost. */
async function openUnanswered() {
  const stripe = await startStripe()
  const shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.faults.cut = 1
  expect((await begin(shop, user)).status).toBe(503)
  stripe.faults.cut = 0
  const [session] = [...stripe.sessions.values()]
  const close = async () => {
    await shop[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  }
  return { stripe, shop, user, session: session!, [Symbol.asyncDispose]: close }
}

test('a checkout whose response never came is the one that opens, whatever was renamed or set meanwhile', async () => {
  await using lost = await openUnanswered()
  const { stripe, shop, user, session } = lost
  await changeProducts(shop.services.db, { name: 'Another name' })
  await run(shop, `update profiles set email = 'other@example.com'`)
  shop.services.settings.get().tax.has_tax = true
  const two = await Promise.all([buy(shop, user), buy(shop, user)])
  expect(two.map(({ checkout_url }) => checkout_url)).toEqual([session.url, session.url])
  expect(stripe.sessions.size).toBe(1)
})

test('at another price it is over and never shown, and the buyer pays that price, once', async () => {
  await using lost = await openUnanswered()
  const { stripe, shop, user } = lost
  await given.price(shop, 'digital', 9.5)
  const second = await buy(shop, user)
  expect([second.amount, stripe.sessions.size]).toEqual([9.5, 2])
  const { rows } = await run(shop, 'select status from purchases order by number')
  expect(rows).toEqual([{ status: 'canceled' }, { status: 'pending' }])
  expect(second.checkout_url).toBe(sessionOf(stripe, second.id).url)
  stripe.pay(sessionOf(stripe, second.id).id)
  expect(await settle(user, second.id)).toBe('completed')
})

test('while a bank takes days to pay there is no second checkout, though Stripe has forgotten the first key', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  stripe.pay(session.id, { isSlow: true })
  stripe.clearKeys()
  expect(await buy(shop, user)).toMatchObject({ id, status: 'pending', checkout_url: null })
  expect(stripe.sessions.size).toBe(1)
  stripe.arrive(session.id)
  expect(await settle(user, id)).toBe('completed')
})

test('what is paid in a checkout that the shop has lost completes its purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  await changeCheckouts(shop.services.db, { session_id: null, url: null })
  stripe.pay(sessionOf(stripe, id).id)
  await sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  await soon(shop, async () => (await own(user))[0]!.status).toBe('completed')
})

test('what is no longer for sale is not sold by a checkout that was left open, unless it is paid already', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const [annas, bens] = [await buy(shop, anna), await buy(shop, ben)]
  stripe.pay(sessionOf(stripe, bens.id).id)
  await changeProducts(shop.services.db, { is_for_sale: false })
  const again = (person: typeof anna) =>
    person.call('POST', '/api/purchases', { body: { product_id: annas.product.id } })
  expect(await (await again(anna)).json()).toMatchObject({ code: 'products.not_found' })
  expect(sessionOf(stripe, annas.id).status).toBe('expired')
  expect(await (await again(ben)).json()).toMatchObject({ id: bens.id, status: 'completed' })
})

test('a checkout that comes after its purchase was ended is neither stored nor shown, and cannot be paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const payments = shop.services.payments.current()!
  const openCheckout = payments.openCheckout.bind(payments)
  payments.openCheckout = async (ask) => {
    const response = await openCheckout(ask)
    payments.openCheckout = openCheckout
    await cancelUnopened(shop.services.db, { id: ask.purchase_id, attempt: 1 })
    return response
  }
  expect(await (await begin(shop, user)).json()).toMatchObject({ code: 'purchases.checkout_ended' })
  expect([...stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired'])
  expect((await buy(shop, user)).checkout_url).toMatch(stripe.url)
})
