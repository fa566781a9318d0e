// Shipments in the admin area: found, marked once, notified once, undone.
import { afterAll, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/overview/audit.ts'
import type { Page } from '#contract/fields.ts'
import type { AdminShipment, OrderList, ShipmentList, OrderDetail } from '#contract/orders/admin-orders.ts'
import { age } from '#test/changes.ts'
import { changePurchase, givePurchases, giveRefundRequest } from '#test/factories.ts'
import { someAddress } from '#test/addresses.ts'
import type { Person } from '#test/users.ts'
import { openTestShop } from '#test/shop.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

const list = async (admin: Person, query: Record<string, string> = {}) =>
  (await (
    await admin.call('GET', `/api/admin/shipments?${new URLSearchParams(query)}`)
  ).json()) as ShipmentList
const ids = async (admin: Person, query: Record<string, string> = {}) =>
  (await list(admin, query)).items.map(({ purchase_id }) => purchase_id)
const ship = (admin: Person, parcels: object[], more: object = {}) =>
  admin.call('POST', '/api/admin/shipments/shipped', { body: { parcels, ...more } })
const code = async (response: Response) => ((await response.json()) as { code: string }).code

test('whatever was paid for on paper is in the list, oldest first, until the money is back', async () => {
  const { db } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const paperback = await user.buy((await shop.product('paperback')).id)
  const hardcover = await user.buy((await shop.product('hardcover')).id, { address: someAddress })
  const bundle = await user.buy((await shop.product('bundle')).id)
  await user.buy((await shop.product('digital')).id)

  expect(await ids(admin)).toEqual([paperback.id, hardcover.id, bundle.id])
  expect(await list(admin)).toMatchObject({
    to_ship: { count: 3, isMore: false },
    items: [{ address: null, email: user.email }, { address: someAddress }, { format: 'bundle' }],
  })
  expect(await ids(admin, { format: 'hardcover' })).toEqual([hardcover.id])

  for (const status of ['refunded', 'disputed', 'canceled', 'pending'] as const) {
    await changePurchase(db, hardcover.id, { status })
    expect(await ids(admin)).toEqual([paperback.id, bundle.id])
    const response = await ship(admin, [{ purchase_id: hardcover.id }])
    expect(await response.json()).toEqual({ shipped: [], skipped: [hardcover.id] })
  }
  // A dispute that was won.
  await changePurchase(db, hardcover.id, { status: 'completed' })
  await changePurchase(db, bundle.id, { status: 'partially_refunded' })
  expect(await ids(admin)).toEqual([paperback.id, hardcover.id, bundle.id])
  // All of it was asked back, and the provider has not answered yet.
  await giveRefundRequest(db, paperback.id, paperback.amount)
  expect(await ids(admin)).toEqual([hardcover.id, bundle.id])
})

test('the parcel of a book that is not out stands apart with its day, may leave, and is due on the day', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const product = async (format: 'digital' | 'hardcover' | 'paperback' | 'bundle') =>
    (await shop.product(format)).id
  const hardcover = await product('hardcover')
  await pool.query('update products set release_on = shop_day() + 9 where id = $1', [hardcover])
  const [due, coming, early] = [
    await user.buy(await product('paperback')),
    await user.buy(hardcover),
    await user.buy(hardcover),
  ]
  const { rows } = await pool.query('select (shop_day() + 9)::text as day')
  const { day } = rows[0]
  const waiting = { count: 2, isMore: false, release_on: day }
  expect(await list(admin)).toMatchObject({
    to_ship: { count: 1, isMore: false },
    pre_orders: waiting,
    items: [{ purchase_id: due.id, release_on: null }],
  })
  const counts = await (await admin.call('GET', '/api/admin/counts')).json()
  expect(counts).toMatchObject({ to_ship: { count: 1, isMore: false } })
  expect(await list(admin, { view: 'pre_orders' })).toMatchObject({
    items: [
      { purchase_id: coming.id, release_on: day },
      { purchase_id: early.id, release_on: day },
    ],
  })
  const slips = await (await admin.call('GET', `/api/admin/shipments/slips?ids=${coming.id}`)).json()
  expect(slips).toMatchObject([{ release_on: day }])
  const order = await (await admin.call('GET', `/api/admin/purchases/${coming.id}`)).json()
  expect(order).toMatchObject({ release_on: day, shipment: { release_on: day, is_to_ship: true } })
  expect(await (await ship(admin, [{ purchase_id: early.id }])).json()).toMatchObject({ shipped: [early.id] })

  await pool.query('update products set release_on = shop_day() where id = $1', [hardcover])
  expect(await list(admin)).toMatchObject({
    to_ship: { count: 2, isMore: false },
    pre_orders: { count: 0, isMore: false, release_on: null },
  })
  expect(await ids(admin)).toEqual([due.id, coming.id])
})

test('a bundle is sent once its paper is out, whatever of its files is still to come', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await user.buy((await shop.product('bundle')).id)
  const wait = (isDigital: boolean) =>
    pool.query(
      `update products set release_on = case when format <> 'bundle' and is_digital = $1 then shop_day() + 9 end`,
      [isDigital],
    )
  await wait(true)
  expect(await ids(admin)).toEqual([id])
  await wait(false)
  expect(await ids(admin)).toEqual([])
  expect(await ids(admin, { view: 'pre_orders' })).toEqual([id])
})

test('a parcel ships with carrier and number, the user is notified, and the log knows who did it', async () => {
  await using shop = await openTestShop({ env: { ADMIN_EMAIL: 'author@books.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await shop.services.database.pool.query('update profiles set display_name = null')
  const { id } = await user.buy((await shop.product('paperback')).id, { address: someAddress })
  const parcel = { purchase_id: id, carrier: 'USPS', tracking_number: '9400 1000 0000 0000 0000 00' }
  expect(await (await ship(admin, [parcel])).json()).toEqual({ shipped: [id], skipped: [] })

  const mail = await shop.mailbox.to(user.email, /^On its way/)
  expect(mail.replyTo).toMatchObject([{ address: 'author@books.example' }])
  const link = 'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400100000000000000000'
  for (const words of [
    'Dear Ruth of Moab,',
    'USPS',
    parcel.tracking_number,
    '7 Barley Road',
    'Portland, OR 97201',
    link,
    '#1001',
  ])
    expect(mail.text).toContain(words)
  const order = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  await expect.poll(async () => (await order()).mails.map(({ kind }) => kind)).toContain('shipped')
  expect(await order()).toMatchObject({ shipment: { carrier: 'USPS', is_to_ship: false } })
  expect(await (await user.call('GET', '/api/purchases')).json()).toMatchObject({
    items: [{ shipment: { carrier: 'USPS', tracking_number: parcel.tracking_number, is_to_ship: false } }],
  })
  expect(await ids(admin)).toEqual([])
  expect(await ids(admin, { view: 'shipped' })).toEqual([id])
  expect(await ids(admin, { view: 'shipped', format: 'bundle' })).toEqual([])

  const again = await ship(admin, [parcel])
  expect(await again.json()).toEqual({ shipped: [], skipped: [id] })
  const track = (body: object) => admin.call('PUT', `/api/admin/shipments/${id}/tracking`, { body })
  expect(await (await track({ carrier: 'The Pony Express' })).json()).toMatchObject({
    carrier: 'The Pony Express',
    tracking_number: null,
  })
  const undo = () => admin.call('DELETE', `/api/admin/shipments/${id}/shipped`)
  expect(await (await undo()).json()).toMatchObject({ carrier: null, shipped_at: null, is_to_ship: true })
  expect(await code(await undo())).toBe('shipments.not_shipped')
  expect(await code(await track({ carrier: 'UPS' }))).toBe('shipments.not_shipped')
  const correct = await admin.call('PUT', `/api/admin/shipments/${id}/address`, {
    body: { ...someAddress, country: 'FR', city: 'Taizé', postal_code: '71250' },
  })
  expect(await correct.json()).toMatchObject({ address: { country: 'FR' } })

  await ship(admin, [parcel], { is_told: false })
  expect(
    await code(await admin.call('PUT', `/api/admin/shipments/${id}/address`, { body: someAddress })),
  ).toBe('shipments.already_shipped')
  await age(shop.services.database, 'shipments.shipped_at', '8 days')
  expect(await code(await undo())).toBe('shipments.too_late_to_undo')
  const log = (await (await admin.call('GET', '/api/admin/audit?q=shipments')).json()) as Page<AuditEntry>
  expect(log.items.map(({ action, subject }) => [action, subject])).toEqual(
    ['shipped', 'address_changed', 'unshipped', 'tracking_changed', 'shipped'].map((verb) => [
      `shipments.${verb}`,
      user.email,
    ]),
  )
})

test('a parcel whose address was corrected after the author saw it is not marked', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await user.buy((await shop.product('paperback')).id, { address: someAddress })
  const parcel = async () => {
    const [{ purchase_id, updated_at }] = (await list(admin)).items as [AdminShipment]
    return { purchase_id, updated_at }
  }
  const seen = await parcel()
  const body = { ...someAddress, line1: '8 Barley Road' }
  await user.call('PUT', `/api/purchases/${id}/address`, { body })
  expect(await (await ship(admin, [seen])).json()).toEqual({ shipped: [], skipped: [id] })
  expect(await (await ship(admin, [await parcel()])).json()).toEqual({ shipped: [id], skipped: [] })
})

test('what was undone before its mail left sends none', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await user.buy((await shop.product('paperback')).id)
  await ship(admin, [{ purchase_id: id }])
  await admin.call('DELETE', `/api/admin/shipments/${id}/shipped`)
  const { startWorkers } = await import('../../jobs.ts')
  await startWorkers(shop.services)
  await shop.mailbox.to(user.email, /receipt/i)
  const jobs = () =>
    shop.services.database.pool.query(`select distinct state from pgboss.job where name like 'mail.%'`)
  await expect.poll(async () => (await jobs()).rows).toEqual([{ state: 'completed' }])
  expect(await shop.mailbox.all()).toHaveLength(1)
})

test('slips come in the order asked for, and pages follow each other without a gap', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('paperback')
  const now = Date.now()
  // Three at the same moment: the id decides between them.
  await givePurchases(shop.services.db, 130, (n) => ({
    user_id: user.id,
    product_id,
    created_at: new Date(now - Math.floor(n / 3) * 60_000),
  }))
  const walk = async (query: Record<string, string>) => {
    const seen: AdminShipment[] = []
    for (let after = ''; ;) {
      const page = await list(admin, { ...query, ...(after && { after }) })
      seen.push(...page.items)
      if (!page.next) return seen
      after = page.next
    }
  }
  const open = await walk({ format: 'paperback' })
  expect(new Set(open.map(({ purchase_id }) => purchase_id)).size).toBe(130)
  expect(open.map(({ created_at }) => created_at)).toEqual(
    open.map(({ created_at }) => created_at).toSorted(),
  )
  const some = [open[7]!, open[3]!].map(({ purchase_id }) => purchase_id)
  const slips = await admin.call('GET', `/api/admin/shipments/slips?ids=${some.join(',')}`)
  expect(((await slips.json()) as AdminShipment[]).map(({ purchase_id }) => purchase_id)).toEqual(some)
  expect(await code(await admin.call('GET', '/api/admin/shipments/slips?ids=x'))).toBe('request.invalid')

  for (let from = 0; from < 130; from += 50)
    await ship(
      admin,
      open.slice(from, from + 50).map(({ purchase_id }) => ({ purchase_id })),
    )
  expect(new Set((await walk({ view: 'shipped' })).map(({ purchase_id }) => purchase_id)).size).toBe(130)
  expect((await list(admin)).to_ship).toEqual({ count: 0, isMore: false })
})

test('a slip lists the parts of a bundle, paper first, and a bundle that names no paper as it is', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const part = async (format: string) => {
    const { id, name } = await shop.product(format)
    return { product_id: id, name, format }
  }
  const bundle = await shop.product('bundle')
  const bought = [await user.buy((await shop.product('hardcover')).id), await user.buy(bundle.id)]
  const contents = async () => {
    const query = bought.map(({ id }) => id).join(',')
    const response = await admin.call('GET', `/api/admin/shipments/slips?ids=${query}`)
    return ((await response.json()) as AdminShipment[]).map((slip) => slip.contents)
  }
  const [hardcover, paperback, digital] = [
    await part('hardcover'),
    await part('paperback'),
    await part('digital'),
  ]
  const [single, parts] = await contents()
  expect([single, parts?.slice(0, 2)]).toEqual([[hardcover], [paperback, hardcover]])
  expect(parts).toContainEqual(digital)

  await shop.services.database.pool.query('delete from bundle_items')
  expect(await contents()).toEqual([
    [hardcover],
    [{ product_id: bundle.id, name: bundle.name, format: 'bundle' }],
  ])
})

test('two admins who mark the same parcels at once ship each once, and each user gets one mail', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const admins = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })]
  const user = await shop.person()
  const { id: product_id } = await shop.product('paperback')
  const bought = await Promise.all([1, 2, 3, 4].map(() => user.buy(product_id)))
  const parcels = bought.map(({ id: purchase_id }) => ({ purchase_id }))
  const responses = await Promise.all(
    [0, 1, 0, 1].map((who, n) => ship(admins[who]!, n % 2 ? parcels : parcels.toReversed())),
  )
  const outcomes = (await Promise.all(responses.map((response) => response.json()))) as {
    shipped: string[]
    skipped: string[]
  }[]
  expect(outcomes.flatMap(({ shipped }) => shipped).toSorted()).toEqual(bought.map(({ id }) => id).toSorted())
  expect(outcomes.flatMap(({ skipped }) => skipped)).toHaveLength(12)
  const countMails = async () =>
    (await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('On its way')).length
  await expect.poll(countMails).toBe(4)
  const { rows } = await shop.services.database.pool.query(
    `select count(*) as sent from pgboss.job where name = 'mail.shipped'`,
  )
  expect(rows).toEqual([{ sent: 4 }])
})

test('a parcel is shipped or refunded or its address changes first, never half of each', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('paperback')
  for (let round = 0; round < 6; round += 1) {
    const { id } = await user.buy(product_id)
    const [shipped, corrected, refunded] = await Promise.all([
      ship(admin, [{ purchase_id: id }]),
      user.call('PUT', `/api/purchases/${id}/address`, { body: someAddress }),
      admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} }),
    ])
    expect(refunded.status).toBe(202)
    const hasLeft = ((await shipped.json()) as { shipped: string[] }).shipped.length === 1
    const order = (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
    expect(order.shipment?.shipped_at !== null).toBe(hasLeft)
    expect(order.shipment?.address !== null).toBe(corrected.status === 200)
    expect([200, 409]).toContain(corrected.status)
  }
})

test('shipping is undone only while the parcel is owed: of an ended order its tracking stays', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('paperback')
  for (let round = 0; round < 4; round += 1) {
    const { id } = await user.buy(product_id)
    await ship(admin, [{ purchase_id: id, carrier: 'UPS', tracking_number: '1Z' }])
    const parcel = async () =>
      ((await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail).shipment
    expect(await parcel()).toMatchObject({ is_owed: true, is_to_ship: false })
    const undo = () => admin.call('DELETE', `/api/admin/shipments/${id}/shipped`)
    const refund = () => admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} })
    // The first order had ended before; then two admins press at once.
    const [refunded, undone] =
      round === 0 ? [await refund(), await undo()] : await Promise.all([refund(), undo()])
    expect(refunded.status).toBe(202)
    if (undone.status === 200) {
      expect(await parcel()).toMatchObject({ is_owed: false, shipped_at: null })
      continue
    }
    expect(await code(undone)).toBe('shipments.not_owed')
    expect(await parcel()).toMatchObject({ is_owed: false, carrier: 'UPS', tracking_number: '1Z' })
  }
})

test('an order is found by whom and where its parcel goes to', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('paperback')
  const { id } = await admin.buy(product_id, { address: { ...someAddress, name: 'Zoë Ångström' } })
  await admin.buy(product_id, { address: { ...someAddress, line1: '1 Mill Lane', postal_code: '45402' } })
  await admin.buy(product_id)
  const found = async (q: string) => {
    const response = await admin.call('GET', `/api/admin/purchases?${new URLSearchParams({ q })}`)
    return ((await response.json()) as OrderList).items.map((order) => order.id)
  }
  for (const q of ['zoe angstrom', 'barley road', '97201']) expect([q, await found(q)]).toEqual([q, [id]])
  expect(await found('portland')).toHaveLength(2)
  expect(await found('lan')).toHaveLength(2)
  expect(await found('la')).toEqual([])
  expect(await found('%')).toEqual([])
})
