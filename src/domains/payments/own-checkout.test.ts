// Whose a checkout is, where several shops, or copies of one, use the same account at Stripe.
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { losePurchases } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { countAttentionItems } from '#test/needs.ts'
import { buy, openPaidShop, sessionOf, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import { reconcile, finishSearches, beginSearch } from './reconcile.ts'
import { settlePurchase } from './settle.ts'

const SITE_URL = 'https://shop.example'
const elsewhere = 'https://staging.example'
const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)
const code = async (response: Response) => ((await response.json()) as { code?: string }).code
const openCopy = (shop: TestShop, { env }: StripeStandIn, site_url = elsewhere) =>
  openSecondShop(shop, { env: { ...env, SITE_URL: site_url } })
const statuses = async (shop: TestShop) => (await run(shop, 'select status from purchases')).rows

/** As in an older backup; what was paid since is only at Stripe. */
async function payAndForget(shop: TestShop, stripe: StripeStandIn) {
  const session = sessionOf(stripe, (await buy(shop, await shop.person())).id)
  stripe.pay(session.id)
  await losePurchases(shop.services.db)
  await beginSearch(shop.services.db, new Date())
  return session
}

test('another shop at the same address on the same account takes no checkout that names its shop', async () => {
  await using stripe = await startStripe()
  for (const site of ['http://localhost:3000', SITE_URL]) {
    await using shop = await openPaidShop(stripe, { env: { SITE_URL: site }, hasWorkers: false })
    await using other = await openPaidShop(stripe, { env: { SITE_URL: site } })
    const admin = await other.person({ role: 'admin' })
    const { id } = await buy(shop, await shop.person())
    const session = sessionOf(stripe, id)
    stripe.pay(session.id)
    expect(session.metadata?.['shop_id']).toBe(shop.services.settings.get().shop.id)
    await beginSearch(other.services.db, new Date(0))
    await sendEvent(other, stripe.event('checkout.session.completed', session))
    await reconcile(other.services)
    const open = async () =>
      (await run(other, 'select from payment_events where handled_at is null')).rowCount
    await soon(other, open).toBe(0)
    expect([await statuses(other), await countAttentionItems(admin)]).toMatchObject([[], { count: 0 }])
    expect(await settlePurchase(shop.services, id)).toBe('completed')
  }
})

test('a checkout that names no shop is of none', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL }, hasWorkers: false })
  const session = await payAndForget(shop, stripe)
  delete session.metadata?.['shop_id']
  await finishSearches(shop.services, shop.services.payments.current()!)
  expect(await statuses(shop)).toEqual([])
})

test('a copy at another address takes, settles and refunds nothing until an admin has confirmed it', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  await using copy = await openCopy(shop, stripe)
  stripe.pay(sessionOf(stripe, id).id)
  const asked = stripe.calls.asked
  expect(await reconcile(copy.services)).toEqual({ checked: 0, failed: 0 })
  await expect(settlePurchase(copy.services, id)).rejects.toThrow()
  const at = (method: string, path: string, person: Person, body?: object) =>
    fetch(`${copy.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const { id: product_id } = await shop.product('digital')
  expect(await code(await at('POST', '/api/purchases', await shop.person(), { product_id }))).toBe(
    'payments.not_available',
  )
  const { body, headers } = stripe.event('checkout.session.completed', sessionOf(stripe, id))
  expect((await fetch(`${copy.url}/api/stripe/webhook`, { method: 'POST', body, headers })).status).toBe(503)
  expect([stripe.calls.asked, await statuses(shop)]).toEqual([asked, [{ status: 'pending' }]])

  const faults = async () =>
    ((await (await at('GET', '/api/admin/payments', admin)).json()) as AttentionList).faults
  expect(await faults()).toMatchObject([
    { kind: 'copy', about: elsewhere, check: { advice: expect.stringContaining(SITE_URL) } },
  ])
  const path = '/api/admin/payments/connection/confirmation'
  expect((await at('POST', path, user, { site_url: elsewhere })).status).toBe(403)
  expect(await code(await at('POST', path, admin, { site_url: SITE_URL }))).toBe('settings.changed')
  await given.passwordsGiven(shop, '11 minutes')
  expect(await code(await at('POST', path, admin, { site_url: elsewhere }))).toBe(
    'auth.reauthentication_needed',
  )
  await given.passwordsGiven(shop, '0 minutes')
  expect((await at('POST', path, admin, { site_url: elsewhere })).status).toBe(200)
  expect(await faults()).toEqual([])
  expect(await settlePurchase(copy.services, id)).toBe('completed')
  const { rows } = await run(shop, `select detail from audit_log where action = 'settings.changed'`)
  expect(rows).toEqual([{ detail: { confirmed_site_url: { from: SITE_URL, to: elsewhere } } }])
})

test('a restored shop at another address takes its payments once it was confirmed, by the id alone', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const session = await payAndForget(shop, stripe)
  await run(shop, `update settings set fields = fields - 'former_site_urls' where name = 'shop'`)
  await using moved = await openCopy(shop, stripe)
  await shop.services.settings.refresh()
  expect(moved.services.settings.get().shop.former_site_urls).toEqual([elsewhere])
  const response = await fetch(`${moved.url}/api/admin/payments/connection/confirmation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ site_url: elsewhere }),
  })
  expect(response.status).toBe(200)
  await finishSearches(moved.services, moved.services.payments.current()!)
  expect(await statuses(shop)).toEqual([{ status: 'completed' }])
  expect(session.success_url).toContain(SITE_URL)
  // Its former copy is one now.
  await shop.services.settings.refresh()
  expect(() => shop.services.payments.current()).toThrow()
})

test('the same address, a change on the screen, and a first address beyond this machine ask nobody', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'http://localhost:3000' } })
  const identity = ({ services }: Pick<TestShop, 'services'>) => services.settings.get().shop
  const first = identity(shop)
  expect(first).toMatchObject({
    former_site_urls: ['http://localhost:3000'],
    id: expect.stringMatching(/^[\da-f-]{36}$/),
  })
  for (const site of ['http://localhost:4000', SITE_URL, SITE_URL]) {
    await using next = await openCopy(shop, stripe, site)
    expect(next.services.payments.current()).toBeDefined()
    expect(identity(next)).toMatchObject({ id: first.id, confirmed_site_url: site })
  }
  await using last = await openCopy(shop, stripe, SITE_URL)
  expect(identity(last).former_site_urls).toEqual([
    'http://localhost:3000',
    'http://localhost:4000',
    SITE_URL,
  ])
})

test('the address that is changed on the screen is confirmed with it', async () => {
  await using shop = await openTestShop({ env: { SITE_URL: '' } })
  const admin = await shop.person({ role: 'admin' })
  const body = { revision: 0, values: { site_url: SITE_URL } }
  expect((await admin.call('PUT', '/api/admin/settings/shop', { body })).status).toBe(200)
  expect(shop.services.settings.get().shop).toMatchObject({ confirmed_site_url: SITE_URL })
  expect(unconfirmedCopyOf(shop.services.settings)).toBeUndefined()
})
