// Discount codes: what they make of a price, how often, and until when.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { AdminDiscount } from '#contract/orders/discounts.ts'
import { takenOff } from '#contract/orders/prices.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { listAuditEvents, listAttentionItems } from '#test/needs.ts'
import { pauseFreeCodes } from './discounts.ts'
import { given } from '#test/given.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

const add = (admin: Person, body: object) => admin.call('POST', '/api/admin/discounts', { body })

const list = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/discounts')).json()) as AdminDiscount[]

const check = (shop: TestShop, code: string) => shop.call('POST', '/api/discounts/check', { body: { code } })

const buy = (person: Person, product_id: string, code?: string, key: string = randomUUID()) =>
  person.call('POST', '/api/purchases', {
    body: { product_id, ...(code && { code }) },
    headers: { 'idempotency-key': key },
  })

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('a price is discounted to the cent, and never below nothing', () => {
  const percent = (value: number) => ({ percent: value, amount_off: null })
  expect(takenOff(1499n, percent(15), 'usd')).toBe(225n)
  expect(takenOff(1490n, percent(25), 'usd')).toBe(373n)
  expect(takenOff(1499n, percent(100), 'usd')).toBe(1499n)
  expect(takenOff(1499n, { percent: null, amount_off: 500n }, 'usd')).toBe(500n)
  expect(takenOff(1499n, { percent: null, amount_off: 2000n }, 'usd')).toBe(1499n)
})

test('a code makes what it is for cheaper, and the receipt says how', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const [digital, paper] = [await shop.product('digital'), await shop.product('paperback')]
  expect((await add(admin, { code: ' spring-26 ', percent: 20, product_id: digital.id })).status).toBe(201)
  expect(await (await check(shop, 'Spring-26')).json()).toEqual({
    code: 'SPRING-26',
    percent: 20,
    amount_off: null,
    product_id: digital.id,
    // It was not for sale for a day before.
    former_prices: {},
  })
  const key = randomUUID()
  const made = await buy(user, digital.id, 'spring-26', key)
  const purchase = (await made.json()) as Purchase
  expect([made.status, purchase.amount]).toEqual([201, 11.99])
  const again = await buy(user, digital.id, 'SPRING-26', key)
  expect([again.status, ((await again.json()) as Purchase).id]).toEqual([200, purchase.id])
  expect(await codeOf(await buy(user, digital.id, undefined, key))).toBe('purchases.key_reused')
  expect(await codeOf(await buy(user, paper.id, 'SPRING-26'))).toBe('discounts.other_product')
  const receipt = (await (await user.call('GET', `/api/purchases/${purchase.id}/receipt`)).json()) as Receipt
  expect(receipt).toMatchObject({ price: 14.99, discount: 3, total: 11.99, tax: 0 })
  const order = (await (await admin.call('GET', `/api/admin/purchases/${purchase.id}`)).json()) as OrderDetail
  expect(order).toMatchObject({ amount: 11.99, discount: 3, code: 'SPRING-26', is_given: false })
  const listed = await (await admin.call('GET', '/api/admin/purchases')).json()
  expect(listed).toMatchObject({ items: [{ id: purchase.id, code: 'SPRING-26' }] })
  expect(await list(admin)).toMatchObject([{ code: 'SPRING-26', uses: 1, state: 'active' }])
})

test('a code ends by its day, by its uses and by a click, and what was bought with it stays', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('digital')
  await add(admin, { code: 'YESTERDAY', percent: 10, ends_on: '2020-01-01' })
  await add(admin, { code: 'ONCE', amount_off: 5, max_uses: 1 })
  await add(admin, { code: 'ALWAYS', percent: 10 })
  expect(await codeOf(await add(admin, { code: 'always', percent: 20 }))).toBe('discounts.code_taken')
  const key = randomUUID()
  expect((await buy(user, id, 'ONCE', key)).status).toBe(201)
  expect(await codeOf(await check(shop, 'ONCE'))).toBe('discounts.used_up')
  expect(await codeOf(await buy(user, id, 'ONCE'))).toBe('discounts.used_up')
  expect((await buy(user, id, 'ONCE', key)).status).toBe(200)
  for (const code of ['YESTERDAY', 'UNKNOWN']) {
    expect(await codeOf(await check(shop, code))).toBe('discounts.not_valid')
    expect(await codeOf(await buy(user, id, code))).toBe('discounts.not_valid')
  }
  const always = (await list(admin)).find(({ code }) => code === 'ALWAYS')!
  const end = () => admin.call('PUT', `/api/admin/discounts/${always.id}/ended`)
  expect((await end()).status).toBe(200)
  expect((await end()).status).toBe(200)
  expect(await codeOf(await check(shop, 'ALWAYS'))).toBe('discounts.not_valid')
  // No code looks like these.
  for (const typed of ['NIX', 'été 20', '%'])
    expect(await codeOf(await check(shop, typed))).toBe('discounts.not_valid')
  for (const typed of ['ALWAYS\0', '\ud800'])
    expect(await codeOf(await check(shop, typed))).toBe('request.invalid')
  expect((await add(admin, { code: 'ALWAYS', percent: 20 })).status).toBe(201)
  const states = (await list(admin)).map(({ code, state }) => `${code} ${state}`)
  expect(states).toEqual(['ALWAYS active', 'ALWAYS ended', 'ONCE used_up', 'YESTERDAY expired'])
  const none = await admin.call('PUT', `/api/admin/discounts/${randomUUID()}/ended`)
  expect(await codeOf(none)).toBe('discounts.not_found')
})

test('of many who enter a code at once, as many get it as it has uses left', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  await add(admin, { code: 'THREE', percent: 50, max_uses: 3 })
  const people = await Promise.all(Array.from({ length: 10 }, () => shop.person()))
  const responses = await Promise.all(people.map((person) => buy(person, id, 'THREE')))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(await list(admin)).toMatchObject([{ uses: 3, state: 'used_up' }])
  const { rows } = await shop.services.database.pool.query('select amount from purchases')
  expect(rows).toEqual([{ amount: 7.49 }, { amount: 7.49 }, { amount: 7.49 }])
})

test('a code says what it takes off, in one way, and within bounds', async () => {
  const admin = await shop.person({ role: 'admin' })
  const bad: [object, string][] = [
    [{ code: 'ab', percent: 10 }, 'code'],
    [{ code: 'has space', percent: 10 }, 'code'],
    [{ code: 'GOOD' }, 'percent'],
    [{ code: 'GOOD', percent: 10, amount_off: 1 }, 'percent'],
    [{ code: 'GOOD', percent: 101 }, 'percent'],
    [{ code: 'GOOD', amount_off: 0 }, 'amount_off'],
    [{ code: 'GOOD', amount_off: 1.005 }, 'amount_off'],
    [{ code: 'GOOD', percent: 10, max_uses: 0 }, 'max_uses'],
    [{ code: 'GOOD', percent: 10, ends_on: '2026-02-30' }, 'ends_on'],
  ]
  for (const [body, field] of bad) {
    const response = await add(admin, body)
    const { fields } = (await response.json()) as { fields: Record<string, string> }
    expect([response.status, Object.keys(fields)]).toEqual([422, [field]])
  }
  expect((await add(admin, { code: 'GOOD', percent: 10, product_id: randomUUID() })).status).toBe(404)
})

const tooMany = /^Too many wrong codes were tried. Please wait (a minute|\d+ minutes)/

test('20 wrong codes of a network are refused, and valid ones do not count', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await add(admin, { code: 'RIGHT', percent: 10 })
  for (let nth = 0; nth < 20; nth += 1) {
    expect((await check(shop, 'RIGHT')).status).toBe(200)
    expect((await check(shop, `WRONG${nth}`)).status).toBe(422)
  }
  const stopped = await check(shop, 'RIGHT')
  expect([stopped.status, Number(stopped.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  expect(await stopped.json()).toMatchObject({ detail: expect.stringMatching(tooMany) })
})

test('a guesser stops no purchase of others in the same network, and is stopped by account', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, guesser, reader] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const { id } = await shop.product('digital')
  await add(admin, { code: 'RIGHT', percent: 10 })
  for (let nth = 0; nth < 20; nth += 1) {
    expect((await check(shop, `WRONG${nth}`)).status).toBe(422)
    expect((await buy(guesser, id, `WRONG${nth}`)).status).toBe(422)
  }
  const stopped = await buy(guesser, id, 'RIGHT')
  expect([stopped.status, Number(stopped.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  expect(await stopped.json()).toMatchObject({ detail: expect.stringMatching(tooMany) })
  expect((await buy(guesser, id)).status).toBe(201)
  expect((await check(shop, 'RIGHT')).status).toBe(429)
  expect((await buy(reader, id, 'RIGHT')).status).toBe(201)
})

test('buyers of one network who enter a right code at the same moment are not taken for guessers', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('digital')
  await add(admin, { code: 'RIGHT', percent: 10 })
  const responses = await Promise.all(Array.from({ length: 28 }, () => buy(user, id, 'RIGHT')))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
})

test('of many codes that are tried at the same moment, no more are answered than one by one', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await add(admin, { code: 'RIGHT', percent: 10 })
  const tries = Array.from({ length: 200 }, (_, nth) => check(shop, nth === 199 ? 'RIGHT' : `WRONG${nth}`))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})

test('of any number of codes, each that was not ended is listed, and so can be ended', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await add(admin, { code: 'OLDEST', percent: 10 })
  const { pool } = shop.services.database
  const insert = (ended_at: string, count: number) =>
    pool.query(`insert into discount_codes (id, code, percent, ended_at)
      select gen_random_uuid(), 'X' || n, 10, ${ended_at} from generate_series(1, ${count}) n`)
  await insert('now()', 500)
  expect((await list(admin)).at(-1)).toMatchObject({ code: 'OLDEST', state: 'active' })
  await insert('null', 499)
  expect(await codeOf(await add(admin, { code: 'ONEMORE', percent: 10 }))).toBe('discounts.too_many')
  const listed = await list(admin)
  expect([listed.length, listed.at(-1)?.code]).toEqual([500, 'OLDEST'])
})

// Codes that leave nothing to pay are paused by a restore until the author has looked at them.

const code = async (response: Response) => ((await response.json()) as { code?: string }).code

test('a restore pauses the codes that leave nothing to pay, until the author resumes or ends each', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('digital')
  for (const body of [
    { code: 'FREE', percent: 100, max_uses: 1 },
    { code: 'GONE', percent: 100 },
    { code: 'ALLOFF', amount_off: 20, product_id },
    { code: 'HALF', percent: 50 },
    { code: 'SOMEOFF', amount_off: 2 },
  ])
    await admin.call('POST', '/api/admin/discounts', { body })
  const list = async () => (await (await admin.call('GET', '/api/admin/discounts')).json()) as AdminDiscount[]
  const states = async () => Object.fromEntries((await list()).map((each) => [each.code, each.state]))
  const idOf = async (name: string) => (await list()).find((each) => each.code === name)!.id
  await pauseFreeCodes(shop.services.db, new Date())
  const paused = { FREE: 'paused', GONE: 'paused', ALLOFF: 'paused' }
  expect(await states()).toEqual({ ...paused, HALF: 'active', SOMEOFF: 'active' })
  const buy = () => user.call('POST', '/api/purchases', { body: { product_id, code: 'FREE' } })
  expect(await code(await buy())).toBe('discounts.paused')
  const check = await shop.call('POST', '/api/discounts/check', { body: { code: 'FREE' } })
  expect([check.status, await code(check)]).toEqual([409, 'discounts.paused'])
  const waiting = async () =>
    (await listAttentionItems(admin)).items
      .flatMap((need) => (need.kind === 'code' ? [need.code] : []))
      .toSorted()
  expect(await waiting()).toEqual(['ALLOFF', 'FREE', 'GONE'])

  const path = `/api/admin/discounts/${await idOf('FREE')}/resumed`
  for (let presses = 0; presses < 2; presses += 1) expect((await admin.call('PUT', path)).status).toBe(200)
  await admin.call('PUT', `/api/admin/discounts/${await idOf('GONE')}/ended`)
  expect(await waiting()).toEqual(['ALLOFF'])
  expect((await buy()).status).toBe(201)
  expect((await listAuditEvents(shop)).filter((action) => action === 'discounts.resumed')).toHaveLength(1)
})

test('a code that leaves less than half of a present price is made and resumed with a recent proof', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const [digital, bundle] = [await shop.product('digital'), await shop.product('bundle')]
  const resume = async (code: string) => {
    const { id } = (await list(admin)).find((each) => each.code === code)!
    return (await admin.call('PUT', `/api/admin/discounts/${id}/resumed`)).status
  }
  expect((await add(admin, { code: 'FREE', percent: 100 })).status).toBe(201)
  expect((await add(admin, { code: 'HALF-OFF', percent: 50 })).status).toBe(201)
  await pauseFreeCodes(shop.services.db, new Date())
  await shop.services.database.pool.query('update discount_codes set paused_at = now()')
  await given.passwordsGiven(shop, '1 hour')

  for (const body of [
    { code: 'MOST', percent: 51 },
    { code: 'TOO-MUCH', amount_off: 7.5, product_id: digital.id },
    // The dearest leave much; the ebook is among all.
    { code: 'FOR-ALL', amount_off: 8 },
  ])
    expect(await codeOf(await add(admin, body))).toBe('auth.reauthentication_needed')
  expect((await add(admin, { code: 'HALF', percent: 50 })).status).toBe(201)
  expect((await add(admin, { code: 'CENTS', amount_off: 7.49, product_id: digital.id })).status).toBe(201)
  expect((await add(admin, { code: 'BUNDLE', amount_off: 8, product_id: bundle.id })).status).toBe(201)
  expect(await resume('FREE')).toBe(400)
  expect(await resume('HALF-OFF')).toBe(200)

  // An archived product has no present price.
  await admin.call('PUT', `/api/admin/products/${digital.id}/archived`, { body: { is_archived: true } })
  expect((await add(admin, { code: 'FOR-ALL', amount_off: 8 })).status).toBe(201)
})
