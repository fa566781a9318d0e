// What Stripe does not do for this account: buyers are not shown a bug, and the author reads Stripe's words, until it works.
import { expect, test, vi } from 'vitest'
import type { AttentionCount, AttentionList } from '#contract/payments/needs-attention.ts'
import { checkTax, watchPayments } from './faults.ts'
import { reconcile } from './reconcile.ts'
import { age, changeProducts } from '#test/changes.ts'
import { begin, buy, openPaidShop, sessionOf, settle } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import type { Settings } from '#platform/settings.ts'
import { startStripe } from '@lectern/stripe-stand-in'

const list = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/payments')).json()) as AttentionList
const count = async (admin: Person) =>
  ((await (await admin.call('GET', '/api/admin/payments/count')).json()) as AttentionCount).count

test('with a revoked key buyers read that payments are not available, and the author reads Stripe’s words', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const lines: unknown[] = []
  shop.services.log.error = (...line: unknown[]) => void lines.push(line)
  stripe.denied.add('key')
  for (let click = 0; click < 3; click += 1)
    expect(await (await begin(shop, user)).json()).toMatchObject({
      status: 503,
      code: 'payments.not_available',
      detail: expect.stringContaining('Payments are not available at the moment'),
    })
  expect(await reconcile(shop.services)).toEqual({ asked: 0, failed: 0 })
  expect(lines).toHaveLength(1)
  expect(await list(admin)).toMatchObject({
    items: [],
    faults: [{ kind: 'key', about: null, words: 'Invalid API Key provided: sk_test_x' }],
  })
  expect(await count(admin)).toBe(1)

  stripe.denied.clear()
  // Whatever is asked: it works again.
  await reconcile(shop.services)
  expect([(await list(admin)).faults, await count(admin)]).toEqual([[], 0])
  expect((await buy(shop, user)).checkout_url).toMatch(stripe.url)
})

test('a missing permission is shown until that very call works again, and is not repeated to the next buyer', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.denied.add('POST sessions')
  expect(await (await begin(shop, user)).json()).toMatchObject({ code: 'payments.not_available' })
  await reconcile(shop.services)
  expect((await list(admin)).faults).toMatchObject([
    {
      kind: 'permission',
      about: 'checkout.sessions.create',
      words: expect.stringContaining('does not have the required permissions'),
    },
  ])
  stripe.denied.clear()
  await buy(shop, user)
  expect((await list(admin)).faults).toEqual([])
})

test('a fault names the call that is not permitted; a buyer who has paid reads that the payment could not be checked yet', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  stripe.pay(sessionOf(stripe, id).id)
  for (const [denied, about] of [
    ['GET refunds', 'refunds.list'],
    ['GET disputes', 'disputes.list'],
  ] as const) {
    stripe.denied.add(denied)
    const response = await user.call('POST', `/api/purchases/${id}/settle`)
    expect(await response.json()).toMatchObject({
      code: 'payments.not_available',
      detail: 'Your payment could not be checked yet. Please look here again later.',
    })
    expect((await list(admin)).faults).toMatchObject([{ kind: 'permission', about }])
    stripe.denied.clear()
  }
  await settle(user, id)
  expect((await list(admin)).faults).toEqual([])
})

test('a missing permission is shown until six hours after its last refusal, though the call is not made again', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.denied.add('POST sessions')
  await begin(shop, user)
  await age(shop.services.database, 'payment_faults.last_at', '7 hours')
  expect([(await list(admin)).faults, await count(admin)]).toEqual([[], 0])
  await begin(shop, user)
  expect((await list(admin)).faults).toHaveLength(1)
})

function withKey(settings: Settings, secret_key: string): Settings {
  const values = settings.get()
  return { ...settings, get: () => ({ ...values, payments: { ...values.payments, secret_key } }) }
}

test('a process with another key clears no fault of this one, and asks for none while none is known', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db, log, settings } = shop.services
  const watch = watchPayments({ db, log, settings })
  await watch.denied({ call: 'refunds.list', kind: 'permission', words: 'No.' })
  await watchPayments({ db, log, settings: withKey(settings, 'sk_test_old') }).worked('refunds.list')
  const known = async () => (await shop.services.database.pool.query('select from payment_faults')).rowCount
  expect(await known()).toBe(1)
  await watch.worked('refunds.list')
  expect(await known()).toBe(0)
  const deletes = vi.spyOn(db, 'delete')
  for (let call = 0; call < 3; call += 1) await watch.worked('refunds.list')
  expect(deletes).not.toHaveBeenCalled()
  await watch.denied({ call: 'refunds.list', kind: 'permission', words: 'No.' })
  await watch.worked('refunds.list')
  expect(await known()).toBe(0)
})

test('a fault with a key that was changed since is none', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.denied.add('POST sessions')
  await begin(shop, user)
  expect((await list(admin)).faults).toHaveLength(1)
  const { settings } = shop.services
  const other = withKey(settings, 'sk_test_new').get()
  vi.spyOn(settings, 'get').mockImplementation(() => other)
  expect((await list(admin)).faults).toEqual([])
})

test('what Stripe refuses to sell is shown in its words, until it is changed or bought', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, env: { STRIPE_TAX: 'on' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.tax.missing = ['head_office']
  await checkTax(shop.services)
  expect(await (await begin(shop, user)).json()).toMatchObject({ code: 'payments.refused' })
  expect((await list(admin)).faults).toMatchObject([
    { kind: 'tax', words: 'head_office' },
    {
      kind: 'product',
      product: { id: (await shop.product('digital')).id },
      words: expect.stringContaining('You must have a valid head office address'),
    },
  ])
  stripe.tax.missing = []
  await checkTax(shop.services)
  expect((await list(admin)).faults).toMatchObject([{ kind: 'product' }])
  await buy(shop, user)
  expect((await list(admin)).faults).toEqual([])

  stripe.denied.add('GET tax/settings')
  await checkTax(shop.services)
  expect((await list(admin)).faults).toMatchObject([{ kind: 'permission', about: 'tax.settings.retrieve' }])
  stripe.denied.clear()
  await checkTax(shop.services)
  expect((await list(admin)).faults).toEqual([])
})

test('a price that Stripe never takes is refused where Stripe is on, and an earlier one is reported', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const set = (price: number) => admin.call('PATCH', `/api/admin/products/${id}`, { body: { price } })
  const add = (price: number) =>
    admin.call('POST', '/api/admin/products', {
      body: { name: 'A Leaflet', price, format: 'paperback', is_digital: false },
    })
  for (const price of [0.01, 0.49, 1_000_000]) {
    for (const refused of [await set(price), await add(price)]) {
      const fields = { price: expect.stringContaining('$0.50') }
      expect(await refused.json()).toMatchObject({ status: 422, code: 'request.invalid', fields })
    }
  }
  for (const price of [0, 0.5, 999_999.99]) expect((await set(price)).status).toBe(200)

  await changeProducts(shop.services.db, { price: 30n }, id)
  expect((await list(admin)).faults).toMatchObject([{ kind: 'price', product: { id } }])
  expect((await set(3)).status).toBe(200)
  expect((await list(admin)).faults).toEqual([])
})
