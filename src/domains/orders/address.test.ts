// Where books on paper go: asked for with the purchase where the shop says so, corrected by the user until they leave.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OwnPurchases, Purchase } from '#contract/orders/purchases.ts'
import { changeProducts } from '#test/changes.ts'
import { changePurchase } from '#test/factories.ts'
import { someAddress } from '#test/addresses.ts'
import type { Person } from '#test/users.ts'
import { openTestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'

const own = async (user: Person) =>
  ((await (await user.call('GET', '/api/purchases')).json()) as OwnPurchases).items
const code = async (response: Response) => ((await response.json()) as { code: string }).code

test('a shop that requires addresses sells nothing on paper without one, and saves it with the purchase', async () => {
  await using shop = await openTestShop({ env: { ASK_ADDRESS: 'on', SHIPPING_COUNTRIES: 'US, CA' } })
  expect(await (await shop.call('GET', '/api/shipping')).json()).toEqual({
    asks_address: true,
    countries: ['US', 'CA'],
    price: 0,
    country_prices: {},
    takes_payments: false,
    has_tax: false,
  })
  const user = await shop.person()
  const { id: product_id } = await shop.product('paperback')
  const buy = (body: object, key: string = randomUUID()) =>
    user.call('POST', '/api/purchases', {
      body: { product_id, ...body },
      headers: { 'idempotency-key': key },
    })

  const refused = await buy({})
  expect([refused.status, await code(refused)]).toEqual([422, 'purchases.address_needed'])
  const abroad = { ...someAddress, country: 'GB', postal_code: 'SW1A 1AA' }
  expect(await code(await buy({ address: abroad }))).toBe('shipments.country_not_served')
  const incomplete = await buy({ address: { ...someAddress, state: '', postal_code: '9720' } })
  expect(await incomplete.json()).toMatchObject({
    code: 'request.invalid',
    fields: { 'address.state': 'Please fill in this field.', 'address.postal_code': /five digits/ },
  })
  const noState = await buy({ address: { ...someAddress, state: 'Ontario' } })
  expect(await noState.json()).toMatchObject({ fields: { 'address.state': 'Please choose a state.' } })
  expect(await own(user)).toEqual([])

  const key = randomUUID()
  const made = await buy({ address: someAddress }, key)
  expect(made.status).toBe(201)
  expect(await made.json()).toMatchObject({
    shipment: { address: someAddress, shipped_at: null, is_to_ship: true },
  })
  // The digital book needs none.
  await user.buy((await shop.product('digital')).id)
  expect((await own(user)).map(({ shipment }) => shipment?.address?.city ?? null)).toEqual([null, 'Portland'])

  expect((await buy({ address: someAddress }, key)).status).toBe(200)
  const other = await buy({ address: { ...someAddress, line1: '8 Barley Road' } }, key)
  expect([other.status, await code(other)]).toEqual([409, 'purchases.key_reused'])
  expect(await code(await buy({}, key))).toBe('purchases.key_reused')
})

test('of many at once with one key, one buys, and with one address', async () => {
  await using shop = await openTestShop({ env: { ASK_ADDRESS: 'on', RATE_LIMIT: 'off' }, hasWorkers: false })
  const user = await shop.person()
  const { id: product_id } = await shop.product('hardcover')
  const headers = { 'idempotency-key': randomUUID() }
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, n) => {
      const address = { ...someAddress, line1: `${n % 2} Barley Road` }
      return user.call('POST', '/api/purchases', { body: { product_id, address }, headers })
    }),
  )
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([200, 200, 200, 201, 409, 409, 409, 409])
  expect(await own(user)).toHaveLength(1)
})

test('without the setting nobody is asked, and an address can be given and corrected until the book leaves', async () => {
  await using shop = await openTestShop()
  const [user, other] = [await shop.person(), await shop.person()]
  const admin = await shop.person({ role: 'admin' })
  expect(await (await shop.call('GET', '/api/shipping')).json()).toMatchObject({ asks_address: false })
  const { id } = await user.buy((await shop.product('bundle')).id)
  expect(await own(user)).toMatchObject([{ shipment: { address: null, is_to_ship: true } }])

  const correct = (person: Person, address: object = someAddress, of = id) =>
    person.call('PUT', `/api/purchases/${of}/address`, { body: address })
  expect((await correct(user)).status).toBe(200)
  expect(await own(user)).toMatchObject([{ shipment: { address: someAddress } }])
  expect(await (await correct(user, { ...someAddress, city: 'Salem' })).json()).toMatchObject({
    shipment: { address: { city: 'Salem' } },
  })
  expect([(await correct(other)).status, (await correct(admin)).status]).toEqual([404, 404])
  expect(await code(await correct(user, { ...someAddress, country: 'FR' }))).toBe(
    'shipments.country_not_served',
  )

  const body = { parcels: [{ purchase_id: id }] }
  expect((await admin.call('POST', '/api/admin/shipments/shipped', { body })).status).toBe(200)
  const late = await correct(user)
  expect([late.status, await code(late)]).toEqual([409, 'shipments.already_shipped'])
  expect(await own(user)).toMatchObject([{ shipment: { address: { city: 'Salem' }, is_to_ship: false } }])

  const { id: file } = await user.buy((await shop.product('digital')).id)
  expect(await code(await correct(user, someAddress, file))).toBe('shipments.not_found')
  const { id: returned } = await user.buy((await shop.product('paperback')).id)
  await changePurchase(shop.services.db, returned, { status: 'refunded' })
  expect(await code(await correct(user, someAddress, returned))).toBe('shipments.not_due')
})

test('the same address again changes nothing, so that the parcel the author sees can be shipped', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('paperback')).id)
  const give = async (address: object) =>
    (await (await user.call('PUT', `/api/purchases/${id}/address`, { body: address })).json()) as Purchase
  const first = await give(someAddress)
  expect(first.shipment).toMatchObject({ address: someAddress })
  const again = await Promise.all([give(someAddress), give({ ...someAddress, state: 'Oregon' })])
  for (const { shipment } of again) expect(shipment).toEqual(first.shipment)
  const other = await give({ ...someAddress, phone: '555 0100' })
  expect(other.shipment?.updated_at).not.toBe(first.shipment?.updated_at)
})

test('where payments are taken, the provider’s address is saved, and can be corrected', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, ASK_ADDRESS: 'on' } })
  expect(await (await shop.call('GET', '/api/shipping')).json()).toMatchObject({ asks_address: false })
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('paperback')).id)
  expect(await own(user)).toMatchObject([{ status: 'pending', shipment: null }])
  const session = [...stripe.sessions.values()][0]!
  const { name, phone, ...place } = someAddress
  stripe.pay(session.id, { ships_to: { name, address: place, phone } })
  await user.call('POST', `/api/purchases/${id}/settle`)
  expect(await own(user)).toMatchObject([{ shipment: { address: someAddress, is_to_ship: true } }])
  const body = { ...someAddress, line1: '8 Barley Road' }
  expect((await user.call('PUT', `/api/purchases/${id}/address`, { body })).status).toBe(200)
})

test('a bundle ships when it holds paper, or says nothing of what it holds; what was bought before stays', async () => {
  await using shop = await openTestShop({ env: { ASK_ADDRESS: 'on' } })
  const admin = await shop.person({ role: 'admin' })
  const digital = await shop.product('digital')
  const paperback = await shop.product('paperback')
  const bundle = await shop.product('bundle')
  await changeProducts(shop.services.db, { is_for_sale: false }, paperback.id)
  async function hold(...parts: { id: string }[]) {
    const body = { ids: parts.map(({ id }) => id) }
    await admin.call('PUT', `/api/admin/products/${bundle.id}/parts`, { body })
    return shop.product('bundle')
  }

  expect(await hold(digital)).toMatchObject({ ships: false, holds: ['digital'] })
  const { id } = await admin.buy(bundle.id)
  const mail = await shop.mailbox.to(admin.email, /receipt/)
  expect(mail.text).not.toContain('We will process your order')
  for (const parts of [[paperback, digital], []]) {
    const holds = parts.length ? ['digital', 'paperback'] : []
    expect(await hold(...parts)).toMatchObject({ ships: true, holds })
    const response = await admin.call('POST', '/api/purchases', { body: { product_id: bundle.id } })
    expect(await code(response)).toBe('purchases.address_needed')
  }
  expect(await own(admin)).toMatchObject([{ id, shipment: null }])
})

test('the provider requires no address where a bundle holds files alone', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: stripe.env })
  const user = await shop.person()
  const { pool } = shop.services.database
  const { id } = await shop.product('bundle')
  await pool.query(
    `delete from bundle_items i using products p where p.id = i.product_id and p.format <> 'digital'`,
  )
  await user.buy(id)
  const [session] = stripe.sessions.values()
  expect(session!.shipping_address_collection).toBeNull()
  stripe.pay(session!.id)
  await user.call('POST', `/api/purchases/${(await own(user))[0]!.id}/settle`)
  expect(await own(user)).toMatchObject([{ status: 'completed', shipment: null }])
})
