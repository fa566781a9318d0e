// Keys of Stripe that an admin pastes: checked, stored, in force at once, and changed only when nothing is open.
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { changePurchases } from '#test/changes.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { listHeld, press } from '#test/needs.ts'
import { begin, buy, openPaidShop, own, sellByLink, sessionOf, sendEvent } from '#test/paying.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { settlePurchase } from '#domains/payments/settle.ts'
import type { Connection } from '#contract/settings/settings.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'

const path = '/api/admin/payments/connection'

async function openKeylessShop({ url }: StripeStandIn, env: Record<string, string> = {}) {
  const shop = await openTestShop({
    env: { RATE_LIMIT: 'off', STRIPE_API_BASE: url, SITE_URL: 'https://books.example', ...env },
    hasWorkers: false,
  })
  return Object.assign(shop, { admin: await shop.person({ role: 'admin' }) })
}

async function paste(admin: Person, secret_key: string) {
  const response = await admin.call('PUT', path, { body: { secret_key } })
  return { status: response.status, body: (await response.json()) as Partial<Connection> & { code?: string } }
}

async function reasonOf(admin: Person, key: string): Promise<string | undefined> {
  const { body } = await paste(admin, key)
  return (body as { fields?: Record<string, string> }).fields?.['secret_key']
}

/** Neither for one of these keys nor for none. */
async function expectNotLeft(admin: Person, keys: string[]) {
  for (const key of keys)
    expect(await paste(admin, key)).toMatchObject({ status: 409, body: { code: 'payments.still_open' } })
  expect((await admin.call('DELETE', path, { body: {} })).status).toBe(409)
}

const read = async (admin: Person) => (await (await admin.call('GET', path)).json()) as Connection

test('a pasted key is in force at once in every process, and its webhook is signed with the new secret', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  const { admin } = shop
  await using other = await openSecondShop(shop)
  expect(await read(admin)).toMatchObject({ mode: 'none', account: null, key: null, test_order: null })
  const { status, body } = await paste(admin, '  sk_test_x ')
  expect(status).toBe(200)
  expect(body).toMatchObject({ mode: 'test', account: { id: 'acct_stand_in' }, has_webhook: true })
  expect(JSON.stringify(body)).not.toContain('sk_test_x')
  await expect.poll(() => other.services.payments.mode()).toBe('test')

  const user = await shop.person()
  const { id, checkout_url } = await buy(shop, user)
  expect(checkout_url).toContain(stripe.url)
  stripe.pay(sessionOf(stripe, id).id)
  const [endpoint] = stripe.endpoints
  expect(endpoint!.api_version).toBe(Stripe.API_VERSION)
  expect(endpoint).toMatchObject({ url: 'https://books.example/api/stripe/webhook' })
  const session = stripe.sessions.get(sessionOf(stripe, id).id)!
  const signed = stripe.event('checkout.session.completed', session, endpoint!.secret)
  expect((await sendEvent(shop, signed)).status).toBe(200)
  const forged = stripe.event('checkout.session.completed', session, 'whsec_other')
  expect((await sendEvent(shop, forged)).status).toBe(400)

  expect((await paste(admin, 'sk_test_x')).status).toBe(200)
  expect(stripe.endpoints).toHaveLength(1)
  expect(stripe.endpoints[0]!.id).not.toBe(endpoint!.id)
  await user.call('POST', `/api/purchases/${id}/settle`)
  await begin(shop, await shop.person())
  expect((await read(admin)).test_order).toMatchObject({ id, is_paid: true, is_refunded: false })
})

test('a key that Stripe or the shop cannot use is refused with the reason, and nothing is stored', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  const { admin } = shop
  stripe.addKey('rk_test_weak', { denied: ['POST refunds', 'GET events'] })
  stripe.addKey('sk_live_new', { chargesEnabled: false })
  expect(await reasonOf(admin, 'pk_test_x')).toContain('publishable')
  expect(await reasonOf(admin, 'hello')).toContain('copy it whole')
  expect(await reasonOf(admin, 'sk_test_unknown')).toContain('Stripe does not accept this key')
  expect(await reasonOf(admin, 'rk_test_weak')).toMatch(/Charges and Refunds: write, Events: read\.$/)
  expect(await reasonOf(admin, 'sk_live_new')).toContain('activation')
  expect((await read(admin)).mode).toBe('none')
  expect(stripe.endpoints).toEqual([])
  stripe.addKey('rk_test_able', {})
  expect(await paste(admin, 'rk_test_able')).toMatchObject({ status: 200, body: { mode: 'test' } })
  // No screen of settings sets it directly.
  const direct = { revision: 1, values: { secret_key: 'sk_test_x' } }
  expect((await admin.call('PUT', '/api/admin/settings/payments', { body: direct })).status).toBe(422)
})

test('where Link sells files, a key of an account that does not have it sell is refused in Stripe’s words', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  const { admin } = shop
  // A pre-order alone is the author's.
  await shop.services.database.pool.query(`update products set release_on = shop_day() + 9`)
  sellByLink(shop)
  stripe.managedPayments.isAvailable = false
  expect(await reasonOf(admin, 'sk_test_x')).toContain(
    'You must accept the Managed Payments terms of service',
  )
  expect(stripe.endpoints).toEqual([])
  await shop.services.database.pool.query('update products set price = 0')
  expect(await reasonOf(admin, 'sk_test_x')).toContain('no payment page of a file on which Link sells')
  stripe.managedPayments.isAvailable = true
  expect((await paste(admin, 'sk_test_x')).status).toBe(200)
  expect([...stripe.sessions.values()]).toMatchObject([
    { status: 'expired', managed_payments: { enabled: true } },
  ])
})

test('where Stripe cannot reach the shop payments work, and the shop asks', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe, { SITE_URL: 'http://localhost:3000' })
  stripe.addKey('sk_live_x')
  expect(await reasonOf(shop.admin, 'sk_live_x')).toContain('https')
  expect(await paste(shop.admin, 'sk_test_x')).toMatchObject({ status: 200, body: { has_webhook: false } })
  const { id } = await buy(shop, shop.admin)
  stripe.pay(sessionOf(stripe, id).id)
  await shop.admin.call('POST', `/api/purchases/${id}/settle`)
  expect(await own(shop.admin)).toMatchObject([{ id, status: 'completed' }])
})

test('a live account cannot be replaced while its payments are open; a test account can', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  const { admin } = shop
  const live = stripe.addKey('sk_live_x')
  stripe.addKey('sk_live_other', { id: 'acct_other', name: 'Another' })
  await paste(admin, 'sk_test_x')
  await begin(shop, await shop.person())
  expect(await paste(admin, 'sk_live_x')).toMatchObject({ status: 200, body: { mode: 'live' } })
  expect([stripe.endpoints.length, live.endpoints.length]).toEqual([0, 1])
  const { id } = await buy(shop, await shop.person())
  await expectNotLeft(admin, ['sk_live_other', 'sk_test_x'])
  // Another key of the same account is no other account.
  stripe.addKey('rk_live_x')
  expect((await paste(admin, 'rk_live_x')).status).toBe(200)
  live.expire(sessionOf(live, id).id)
  expect(await settlePurchase(shop.services, id)).toBe('canceled')
  expect(await paste(admin, 'sk_live_other')).toMatchObject({ body: { account: { name: 'Another' } } })
  expect(live.endpoints).toEqual([])
  expect((await admin.call('DELETE', path, { body: {} })).status).toBe(200)
  expect((await read(admin)).mode).toBe('none')
})

test('an account with a held payment is not left, whatever became of its order', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  const { admin } = shop
  const live = stripe.addKey('sk_live_x')
  stripe.addKey('sk_live_other', { id: 'acct_other' })
  await paste(admin, 'sk_live_x')
  const { pool } = shop.services.database
  const { id } = await buy(shop, await shop.person(), 'paperback')
  // Canceled here, and still payable at Stripe, as after a lost response.
  await changePurchases(shop.services.db, { status: 'canceled' })
  await pool.query(`insert into stock (product_id, copies) select product_id, 0 from purchases`)
  live.pay(sessionOf(live, id).id)
  expect(await settlePurchase(shop.services, id)).toBe('canceled')
  expect(await listHeld(admin)).toMatchObject([{ id }])
  await expectNotLeft(admin, ['sk_live_other'])
  expect((await press(admin, `held/${id}/dismissal`, { note: 'Given back at Stripe' })).status).toBe(200)
  expect((await paste(admin, 'sk_live_other')).status).toBe(200)
})

test('what another admin or a buyer does while Stripe is asked refuses the key, and its endpoint is removed', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  const { admin } = shop
  stripe.addKey('sk_live_x')
  const other = stripe.addKey('sk_live_other', { id: 'acct_other' })
  await paste(admin, 'sk_live_x')
  const { database } = shop.services
  const settings = await database.pool.connect()
  // Else a failure here would leave the test shop waiting for the end of this transaction.
  using _released = { [Symbol.dispose]: () => settings.release(true) }
  const pasteAfter = async (change: () => Promise<unknown>) => {
    await settings.query(`begin; select pg_advisory_xact_lock(hashtext('lectern settings'))`)
    const pasted = paste(admin, 'sk_live_other')
    await untilWaiting(database, 1)
    expect(other.endpoints).toHaveLength(1)
    await change()
    await settings.query('commit')
    return pasted
  }
  const unserved = await pasteAfter(() =>
    settings.query(`insert into settings (name, fields, revision, changed_by)
      values ('shipping', '{"countries": ["US", "CU"]}', 1, 'another admin')`),
  )
  expect(unserved).toMatchObject({
    status: 422,
    body: { fields: { secret_key: expect.stringMatching(/Cuba.*under Shipping/) } },
  })
  await database.pool.query(`delete from settings where name = 'shipping'`)
  const open = await pasteAfter(async () => buy(shop, await shop.person()))
  expect(open).toMatchObject({ status: 409, body: { code: 'payments.still_open' } })
  expect([other.endpoints, (await read(admin)).account]).toMatchObject([[], { id: 'acct_stand_in' }])
})

test('while Stripe makes no endpoint because it cannot be asked, the key is to be pasted again later', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  stripe.fail(3, 'POST webhook_endpoints')
  expect(await paste(shop.admin, 'sk_test_x')).toMatchObject({
    status: 503,
    body: { code: 'payments.unavailable' },
  })
  expect((await read(shop.admin)).mode).toBe('none')
})

test('test orders that nobody can pay any more end with the test key, and then nothing is for sale', async () => {
  await using stripe = await startStripe()
  await using shop = await openKeylessShop(stripe)
  await paste(shop.admin, 'sk_test_x')
  const user = await shop.person()
  await buy(shop, user)
  expect(await own(user)).toMatchObject([{ status: 'pending' }])
  expect((await shop.admin.call('DELETE', path, { body: {} })).status).toBe(200)
  expect(await own(user)).toMatchObject([{ status: 'canceled' }])
  expect(await buy(shop, user)).toMatchObject({ status: 409, code: 'purchases.not_for_sale' })
})

test('the environment wins and says so, and a key that cannot be opened any more sells nothing', async () => {
  await using stripe = await startStripe()
  await using fixed = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await fixed.person({ role: 'admin' })
  expect(await read(admin)).toMatchObject({ mode: 'test', is_from_environment: true, account: null })
  expect(await paste(admin, 'sk_test_x')).toMatchObject({ status: 409, body: { code: 'settings.fixed' } })

  await using shop = await openKeylessShop(stripe)
  await paste(shop.admin, 'sk_test_x')
  await shop.services.database.pool.query(`update auth.setting_secrets set sealed = '\\x00'`)
  await shop.services.settings.refresh()
  const refused = await begin(shop, await shop.person())
  expect(await refused.json()).toMatchObject({ code: 'payments.not_available' })
  expect((await read(shop.admin)).key).toMatchObject({ is_readable: false })
})

// The webhook endpoint follows the shop to another address, once an admin asks for it.

test('a shop that has moved says so, and Stripe reports to its present address when an admin asks for it', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({
    env: { RATE_LIMIT: 'off', STRIPE_API_BASE: stripe.url, SITE_URL: '' },
    hasWorkers: false,
  })
  const admin = await shop.person({ role: 'admin' })
  const moveTo = async (site_url: string, revision: number) =>
    admin.call('PUT', '/api/admin/settings/shop', { body: { revision, values: { site_url } } })
  const move = async () => {
    const response = await admin.call('POST', `${path}/webhook`)
    return { status: response.status, body: (await response.json()) as object }
  }
  const read = async () => (await (await admin.call('GET', path)).json()) as Connection
  const urls = () => stripe.endpoints.map(({ url }) => url)
  expect(await move()).toMatchObject({ status: 409, body: { code: 'payments.not_connected' } })
  expect((await moveTo('https://old.example', 0)).status).toBe(200)
  const pasted = await admin.call('PUT', path, { body: { secret_key: 'sk_test_x' } })
  expect(await pasted.json()).toMatchObject({ has_webhook: true, former_webhook: null })
  const [before] = stripe.endpoints
  expect((await moveTo('https://new.example', 1)).status).toBe(200)
  expect(await read()).toMatchObject({ has_webhook: true, former_webhook: 'https://old.example' })
  const faults = async () =>
    ((await (await admin.call('GET', '/api/admin/payments')).json()) as AttentionList).faults
  expect(await faults()).toMatchObject([
    { kind: 'webhook', check: { says: expect.stringContaining('https://old.example') } },
  ])

  // The later ones are refused, or do it once more.
  const pressed = (await Promise.all([move(), move(), move()])).map(({ status }) => status)
  expect(pressed).toContain(200)
  expect([200, 409]).toEqual(expect.arrayContaining(pressed))
  expect(urls()).toEqual(['https://new.example/api/stripe/webhook'])
  expect(await read()).toMatchObject({ has_webhook: true, former_webhook: null })
  expect(await faults()).toEqual([])
  const { id } = await buy(shop, admin)
  stripe.pay(sessionOf(stripe, id).id)
  const session = sessionOf(stripe, id)
  const signed = (secret: string) => stripe.event('checkout.session.completed', session, secret)
  expect((await sendEvent(shop, signed(stripe.endpoints[0]!.secret))).status).toBe(200)
  expect((await sendEvent(shop, signed(before!.secret))).status).toBe(400)

  // Where Stripe makes none, what there is stays.
  expect((await moveTo('http://localhost:3000', 2)).status).toBe(200)
  const refused = await move()
  expect(refused).toMatchObject({ status: 409, body: { code: 'payments.webhook_refused' } })
  expect(JSON.stringify(refused.body)).toContain('publicly accessible')
  expect(urls()).toEqual(['https://new.example/api/stripe/webhook'])
  expect(await read()).toMatchObject({ former_webhook: 'https://new.example' })
})

test('a shop that Stripe cannot reach says so', async () => {
  for (const [url, reason] of [
    ['http://localhost:3000', 'computer'],
    ['https://books.localhost', 'computer'],
    ['http://192.168.1.4', 'network'],
    ['http://books.example', 'no_https'],
  ]) {
    await using shop = await openTestShop({ env: { SITE_URL: url! }, hasWorkers: false, isEmpty: true })
    const { unreachable } = await read(await shop.person({ role: 'admin' }))
    expect(unreachable).toEqual({ url, reason })
  }
  await using shop = await openTestShop({ env: { SITE_URL: 'https://books.example' }, hasWorkers: false })
  expect((await read(await shop.person({ role: 'admin' }))).unreachable).toBeNull()
})
