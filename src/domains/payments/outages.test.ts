// A stretch in which nobody could pay: counted by people, told once it is over, once, and dismissed.
import { expect, test, vi } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { listAuditEvents, listAttentionItems, press } from '#test/needs.ts'
import { begin, buy, openPaidShop, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { openSecondShop } from '#test/second-shop.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'
import { describeOutage } from './outages.ts'
import { checkTax, watchPayments } from './faults.ts'
import type { AttentionCount, AttentionList } from '#contract/payments/needs-attention.ts'
import { reconcile } from './reconcile.ts'
import { age, changeProducts } from '#test/changes.ts'
import type { Settings } from '#platform/settings.ts'

const people = (shop: TestShop, count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => shop.person()))

const noticesOf = async (shop: TestShop) =>
  (await shop.mailbox.all()).filter(({ subject }) => subject === 'Nobody could pay for a while')

test('who could not pay is counted once, in all processes, and the author is told once when a checkout opens', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { clock, env: { TIME_ZONE: 'Europe/Berlin' } })
  const admin = await shop.person({ role: 'admin' })
  const crowd = await people(shop, 6)
  const lines: unknown[][] = []
  shop.services.log.warn = (...line: unknown[]) => void lines.push(line)
  stripe.faults.away = 1
  {
    await using other = await openSecondShop(shop, { env: stripe.env })
    const { id: product_id } = await shop.product('digital')
    const there = ({ token }: Person) =>
      fetch(`${other.url}/api/purchases`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ product_id }),
      })
    const refused = await Promise.all([
      ...crowd.slice(0, 4).map((person) => begin(shop, person)),
      ...crowd.slice(2).map((person) => there(person)),
    ])
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  }
  // Not over yet, though a process has ended.
  expect((await listAttentionItems(admin)).items).toEqual([])
  time.ahead = 3 * 60_000
  stripe.faults.away = 0
  await Promise.all((await people(shop, 3)).map((person) => buy(shop, person)))
  const { items } = await listAttentionItems(admin)
  const { rows } = await shop.services.database.pool.query<{ began_at: Date; ended_at: Date }>(
    'select began_at, ended_at from payment_outages',
  )
  expect(rows[0]!.ended_at.getTime() - rows[0]!.began_at.getTime()).toBeGreaterThan(2 * 60_000)
  const words = describeOutage({ reason: 'unavailable', ...rows[0]!, people: 6 }, 'Europe/Berlin')
  expect(words).toContain('Stripe did not answer; 6 people could not pay.')
  expect(items).toMatchObject([
    { kind: 'outage', reason: words, people: 6, emails: crowd.map(({ email }) => email).toSorted() },
  ])
  await soon(shop, async () => (await noticesOf(shop)).length).toBe(1)
  const [mail] = await noticesOf(shop)
  for (const { email } of crowd) expect(mail!.text).toContain(email)
  expect(mail!.text!.replaceAll(/\s+/g, ' ')).toContain(words)
  const log = JSON.stringify(lines)
  expect(log).toContain('"people":6')
  for (const { email } of crowd) expect(log).not.toContain(email)

  const { id } = items[0]!
  const dismiss = () => press(admin, `outage/${id}/dismissal`, { note: 'Wrote to them' })
  const twice = await Promise.all([dismiss(), dismiss()])
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect(await listAuditEvents(shop)).toContain('outages.dismissed')
  // The next checkouts end nothing, and a new outage is another one.
  await buy(shop, await shop.person())
  stripe.faults.away = 1
  await begin(shop, await shop.person())
  stripe.faults.away = 0
  await buy(shop, await shop.person())
  expect((await listAttentionItems(admin)).items).toMatchObject([{ kind: 'outage', people: 1 }])
  await soon(shop, async () => (await noticesOf(shop)).length).toBe(2)
})

test('a key that Stripe does not accept is said as such, and a refusal of another kind is no outage', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const [anna, ben] = [await shop.person(), await shop.person()]
  await begin(shop, anna, 'digital', 'one-key-for-two')
  expect((await begin(shop, anna, 'paperback', 'one-key-for-two')).status).toBe(409)
  stripe.denied.add('key')
  await begin(shop, anna, 'hardcover')
  stripe.denied.clear()
  await buy(shop, ben)
  // Once resumed, it is no new checkout.
  await buy(shop, ben)
  expect((await listAttentionItems(admin)).items).toMatchObject([
    {
      kind: 'outage',
      reason: expect.stringContaining('Stripe did not accept the key of the shop; 1 person'),
    },
  ])
})

test('an outage is said in the time zone of the shop, with both days where it lasted over midnight', () => {
  const outage = {
    reason: 'unavailable' as const,
    began_at: new Date('2026-03-01T09:02:00Z'),
    ended_at: new Date('2026-03-01T09:05:00Z'),
    people: 1,
  }
  expect(describeOutage(outage, 'Europe/Berlin')).toBe(
    'On Mar 01, 2026, from 10:02 to 10:05 (Europe/Berlin) Stripe did not answer; 1 person could not pay.',
  )
  const later = { ...outage, ended_at: new Date('2026-03-02T00:01:00Z'), people: 6 }
  expect(describeOutage(later, 'UTC')).toBe(
    'From 09:02 on Mar 01, 2026 to 00:01 on Mar 02, 2026 (UTC) Stripe did not answer; 6 people could not pay.',
  )
})

// What Stripe does not do for this account: buyers are not shown a bug, and the author reads Stripe's words, until it works.

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
  expect(await reconcile(shop.services)).toEqual({ checked: 0, failed: 0 })
  expect(lines).toHaveLength(1)
  expect(await list(admin)).toMatchObject({
    items: [],
    faults: [
      {
        kind: 'key',
        about: null,
        check: {
          says: 'Stripe does not accept the shop’s key, so nobody can pay',
          answer: 'Invalid API Key provided: sk_test_x',
        },
      },
    ],
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
      check: { answer: expect.stringContaining('does not have the required permissions') },
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
    { kind: 'tax', check: { answer: 'head_office' } },
    {
      kind: 'product',
      product: { id: (await shop.product('digital')).id },
      check: { answer: expect.stringContaining('You must have a valid head office address') },
    },
  ])
  const readConnection = await admin.call('GET', '/api/admin/payments/connection')
  expect(await readConnection.json()).toMatchObject({
    refused_checkouts: [{ words: expect.stringContaining('You must have a valid head office address') }],
  })
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
