// All purchases in the admin area: found by whom, what and which, narrowed, paged, and shown with what became of them.
import { afterAll, expect, test } from 'vitest'
import type { Order, OrderDetail, OrderList } from '#contract/orders/admin-orders.ts'
import { age, loseJobs } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { changePurchase, givePurchases, giveProfiles, giveRefund } from '#test/factories.ts'
import type { Person } from '#test/users.ts'
import { openPaidShop, startLiveStripe, buy, buyAndPay } from '#test/paying.ts'
import { openTestShop } from '#test/shop.ts'
import { call, draftOf, take } from '#test/book-setup.ts'
import { save, valuesOf } from '#test/mail-setup.ts'
import { soon } from '#test/retries.ts'
import { saveGroup } from '#test/settings.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { DraftWarning } from '#contract/book/book.ts'
import type { MailList } from '#contract/mail/mails.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import type { Sales } from '#contract/reports/sales.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { readSums } from '#test/sales-sums.ts'
import { alignTestOrders, stopCountingSample } from '#domains/settings/sums-settings.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

const list = async (admin: Person, query: Record<string, string> = {}) =>
  (await (await admin.call('GET', `/api/admin/purchases?${new URLSearchParams(query)}`)).json()) as OrderList

test('a list says how many orders it has and what they brought, as far as that is quickly counted', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const ruth = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const digital = await ruth.buy(product_id)
  const paperback = await ruth.buy((await shop.product('paperback')).id)
  await changePurchase(db, (await ruth.buy(product_id)).id, { status: 'pending' })
  await giveRefund(db, digital.id, 4.99)
  await changePurchase(db, digital.id, { status: 'partially_refunded' })
  const shown = async (query: Record<string, string> = {}) => (await list(admin, query)).shown
  expect(await shown()).toEqual({ count: 3, isMore: false, earned: 34.99 })
  expect(await shown({ format: 'paperback' })).toEqual({ count: 1, isMore: false, earned: 24.99 })
  expect(await shown({ q: digital.id })).toEqual({ count: 1, isMore: false, earned: 10 })
  expect(await shown({ q: 'nobody at all' })).toEqual({ count: 0, isMore: false, earned: null })
  await changePurchase(db, paperback.id, { currency: 'eur' })
  expect(await shown()).toEqual({ count: 3, isMore: false, earned: null })
  await givePurchases(db, 998, () => ({ user_id: ruth.id, product_id }))
  expect(await shown()).toEqual({ count: 1_000, isMore: true, earned: null })
})

test('all of an order is of one moment, also where a refund is settled while it is read', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db, database } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { id } = await admin.buy((await shop.product('digital')).id)
  const locker = await database.pool.connect()
  try {
    await locker.query('begin; lock table mails in access exclusive mode')
    const read = admin.call('GET', `/api/admin/purchases/${id}`)
    await soon(shop, async () => {
      const { rows } = await database.pool.query(`select from pg_locks where not granted`)
      return rows.length
    }).toBe(1)
    await giveRefund(db, id, 4.99)
    await changePurchase(db, id, { status: 'partially_refunded' })
    await locker.query('commit')
    expect(await (await read).json()).toMatchObject({ status: 'completed', refunded: 0, adjustments: [] })
  } finally {
    locker.release()
  }
  const again = await admin.call('GET', `/api/admin/purchases/${id}`)
  expect(await again.json()).toMatchObject({ status: 'partially_refunded', refunded: 4.99 })
})

test('an order says whether its format alone tells which product it is', async () => {
  const admin = await shop.person({ role: 'admin' })
  await admin.buy((await shop.product('digital')).id)
  await admin.buy((await shop.product('hardcover')).id)
  await shop.services.database.pool.query(
    `update products set format = 'hardcover' where format = 'paperback'`,
  )
  const { items } = await list(admin)
  expect(items.map(({ product }) => [product.format, product.is_one_of_several])).toEqual([
    ['hardcover', true],
    ['digital', false],
  ])
})

test('a purchase is found by its buyer, its product and its id, and narrowed by state, format and day', async () => {
  await using shop = await openTestShop({
    env: { RATE_LIMIT: 'off', TIME_ZONE: 'America/New_York' },
    hasWorkers: false,
  })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin', display_name: 'The Author' })
  const ruth = await shop.person({ email: 'ruth@moab.example', display_name: 'Ruth' })
  const digital = await ruth.buy((await shop.product('digital')).id)
  const paperback = await ruth.buy((await shop.product('paperback')).id)
  const other = await admin.buy((await shop.product('hardcover')).id)
  await changePurchase(db, paperback.id, { created_at: new Date('2026-03-01T03:00:00Z') })
  await changePurchase(db, other.id, { status: 'refunded' })
  const ids = async (query: Record<string, string>) => (await list(admin, query)).items.map(({ id }) => id)

  expect(await ids({})).toEqual([other.id, digital.id, paperback.id])
  expect(await ids({ q: 'moab' })).toEqual([digital.id, paperback.id])
  expect(await ids({ q: 'RUTH', format: 'paperback' })).toEqual([paperback.id])
  expect(await ids({ q: 'Hardcover' })).toEqual([other.id])
  expect(await ids({ q: digital.id })).toEqual([digital.id])
  expect(await ids({ q: paperback.id.slice(0, 35) })).toContain(paperback.id)
  expect(await ids({ q: 'nobody at all' })).toEqual([])
  expect(await ids({ q: "'; drop table purchases; --" })).toEqual([])
  expect(await ids({ status: 'refunded' })).toEqual([other.id])
  expect(await ids({ user_id: ruth.id })).toEqual([digital.id, paperback.id])
  expect(await ids({ from: '2026-02-28', to: '2026-02-28' })).toEqual([paperback.id])
  expect(await ids({ from: '2026-03-01', to: '2026-03-01' })).toEqual([])

  const beside = async ({ id }: { id: string }) =>
    ((await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail).neighbors
  expect(await beside(digital)).toEqual({ newer: other.id, older: paperback.id })
  expect(await beside(other)).toEqual({ newer: null, older: digital.id })
  expect(await beside(paperback)).toEqual({ newer: digital.id, older: null })
})

test('pages follow each other without a gap, also through a search by very many buyers', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const users = await giveProfiles(db, 1_200, (n) => ({ email: `many${n}@example.com` }))
  const now = Date.now()
  // Three at the same moment: the id decides between them.
  await givePurchases(db, 130, (n) => ({
    user_id: users[n]!,
    product_id,
    created_at: new Date(now - Math.floor(n / 3) * 60_000),
  }))
  const queries: Record<string, string>[] = [{}, { q: 'many' }, { q: 'Change' }]
  for (const query of queries) {
    const seen: string[] = []
    for (let after = ''; ;) {
      const page = await list(admin, { ...query, ...(after && { after }) })
      seen.push(...page.items.map((each) => each.id))
      if (!page.next) break
      after = page.next
    }
    expect([seen.length, new Set(seen).size]).toEqual([130, 130])
  }
})

test('a purchase is shown with its mails, its downloads and what was given back', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('digital')).id)
  await shop.services.database.pool.query("update product_files set title = 'Der Deichwächter'")
  await shop.mailbox.to(user.email, /receipt|purchase/i)
  const link = await user.call('POST', `/api/purchases/${id}/download`, { body: {} })
  await (await shop.call('GET', ((await link.json()) as { url: string }).url)).arrayBuffer()
  const read = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  await expect
    .poll(async () => (await read()).mails)
    .toMatchObject([{ kind: 'receipt', status: 'unsent', recipient: user.email }])
  expect((await read()).downloads).toMatchObject([
    { ip: '127.0.0.1', file_name: expect.stringMatching(/^Der Deichwächter\.(epub|pdf)$/) },
  ])

  const resend = async () =>
    (await (await admin.call('POST', `/api/admin/purchases/${id}/receipt`, { body: {} })).json()) as object
  expect(await resend()).toEqual({ is_on_its_way: false })
  await age(shop.services.database, 'mails.created_at', '3 minutes')
  expect(await resend()).toEqual({ is_on_its_way: true })
  await expect.poll(async () => (await read()).mails.length).toBe(2)
})

test('a purchase says when and why its buyer has withdrawn, and what the author has decided', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await given.purchase(shop, stripe)
  const read = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  expect((await read()).withdrawal).toBeNull()
  await shop.services.database.pool.query(
    `insert into withdrawals (purchase_id, reason, waits_for) values ($1, 'Too heavy', 'repeat')`,
    [id],
  )
  const { withdrawal } = await read()
  expect(withdrawal).toMatchObject({ reason: 'Too heavy', decision: null, refusal: null })
  expect(Date.parse(withdrawal?.declared_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  const refuse = `/api/admin/payments/withdrawal/${id}/refuse`
  await shop.services.database.pool.query(`update purchases set created_at = now() - interval '1 year'`)
  await admin.call('POST', refuse, { body: { sentence: 'You have read it twice.' } })
  expect((await read()).withdrawal).toMatchObject({ decision: 'refused', refusal: 'You have read it twice.' })
})

test('a purchase that never had a receipt gets its first one in the admin area, once; one that nobody paid gets none', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { pool } = shop.services.database
  const { id } = await given.purchase(shop, stripe)
  const unpaid = [
    await given.purchase(shop, stripe, { status: 'pending' }),
    await given.purchase(shop, stripe, { status: 'canceled' }),
  ]
  await loseJobs({ pool })
  const send = async (of: string) => {
    const response = await admin.call('POST', `/api/admin/purchases/${of}/receipt`, { body: {} })
    return (await response.json()) as object
  }
  const sent = { is_on_its_way: true }
  expect(await Promise.all([send(id), send(id), send(id)])).toEqual([sent, sent, sent])
  const { rows } = await pool.query(`select name, data from pgboss.job`)
  expect(rows).toEqual([{ name: 'mail.receipt', data: { purchase_id: id } }])

  await loseJobs({ pool })
  for (const each of unpaid)
    expect(await send(each.id)).toMatchObject({ status: 409, code: 'purchases.not_paid' })
  expect((await pool.query('select from pgboss.job')).rowCount).toBe(0)
})

test('where Stripe was not paid, a refund is recorded as one that the author sends', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await user.buy((await shop.product('digital')).id)
  const response = await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 10 } })
  expect(response.status).toBe(202)
  expect(await response.json()).toMatchObject({ is_by_provider: false, is_going_back: false, refunded: 10 })
  const { rows } = await shop.services.database.pool.query('select action from audit_log')
  expect(rows).toEqual([{ action: 'purchases.refund_recorded' }])
})

// Nothing is paid that nobody paid: what was ordered of the sample, and what an own book gives away.

test('orders of the sample are shown as test orders once an own book is open, and what it gives away says that nothing was paid', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SMTP_PRIVATE_HOSTS: 'on' } })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const sales = async () => (await call<Sales>(admin, 'GET', 'sales')).json.totals
  const tried = await reader.buy((await shop.product('digital')).id)
  const sampleMail = await shop.mailbox.to(reader.email, /receipt/i)
  expect(sampleMail.text).toContain('$14.99')
  expect(sampleMail.text).not.toMatch(/No payment|test order/)
  const listed = async () => (await call<{ items: Order[] }>(admin, 'GET', 'purchases')).json.items
  expect(await listed()).toMatchObject([{ id: tried.id, is_test: false }])
  expect(await sales()).toMatchObject({ total_revenue: 14.99, total_purchases: 1 })

  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  expect(await sales()).toMatchObject({ total_revenue: 0, total_purchases: 0, completed_purchases: 0 })
  expect(await listed()).toMatchObject([{ id: tried.id, is_test: true, amount: 14.99, status: 'completed' }])
  const old = (await (await reader.call('GET', `/api/purchases/${tried.id}/receipt`)).json()) as Receipt
  expect(old).toMatchObject({ is_test: true, total: 14.99 })
  await age(shop.services.database, 'mails.created_at', '3 minutes')
  await call(admin, 'POST', `purchases/${tried.id}/receipt`)
  const saysTest = async () =>
    (await shop.mailbox.all()).some(({ text }) =>
      text?.includes('This was a test order: no real money was taken.'),
    )
  await soon(shop, saysTest).toBe(true)

  await saveGroup(admin, { revision: 0, values: { without_key: 'free' } }, 'payments')
  const other = await shop.person()
  const { id } = await other.buy((await shop.product('digital')).id)
  const mail = await shop.mailbox.to(other.email, /receipt/i)
  for (const part of [mail.text!, mail.html!]) expect(part).toContain('No payment was taken.')
  expect(mail.text).toContain('$0.00')
  expect(await sales()).toMatchObject({ total_revenue: 0, total_purchases: 1 })
  const refund = await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 5 } })
  expect(refund.status).toBeGreaterThanOrEqual(400)

  // Of the kept receipts, only that of the own book is sent.
  await save(admin, valuesOf(smtp))
  const kept = async () => (await call<MailList>(admin, 'GET', 'mails')).json
  await soon(shop, async () => (await kept()).sendable?.count).toBe(1)
  await call(admin, 'POST', 'mails/send')
  await smtp.arrived(1)
  expect(smtp.emails.map(({ envelope }) => envelope.to)).toEqual([[other.email]])
})

test('a kept receipt is not sent once its purchase was refunded', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SMTP_PRIVATE_HOSTS: 'on' } })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, amount } = await reader.buy((await shop.product('digital')).id)
  const stays = await reader.buy((await shop.product('paperback')).id)
  await soon(shop, async () => (await shop.mailbox.all()).length).toBe(2)
  const refund = await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
  expect(refund.status).toBeLessThan(300)
  await soon(shop, async () => (await shop.mailbox.all()).length).toBe(3)
  await save(admin, valuesOf(smtp))
  await call(admin, 'POST', 'mails/send')
  await smtp.arrived(2)
  const { rows } = await shop.services.database.pool.query<{ kind: string; purchase_id: string }>(
    `select kind, purchase_id from mails where queued_at is not null or status = 'sent' order by kind`,
  )
  expect(rows).toEqual([
    { kind: 'receipt', purchase_id: stays.id },
    { kind: 'refund', purchase_id: id },
  ])
})

test('a book that is published without the setup shows what was bought of the sample as test orders, too', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await reader.buy((await shop.product('digital')).id)
  const { document, revision } = await draftOf(admin)
  const own = { ...document, title: 'My Own Book', product: '', rating: null }
  await call(admin, 'PUT', 'book/draft', { revision, document: own })
  const { warnings } = (await call<{ warnings: DraftWarning[] }>(admin, 'GET', 'book/warnings')).json
  expect(warnings.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['description', 'invitation.text']),
  )
  expect((await call(admin, 'POST', 'book/publish', { revision: revision + 1 })).status).toBe(200)
  const { items } = (await call<{ items: Order[] }>(admin, 'GET', 'purchases')).json
  expect(items).toMatchObject([{ id, is_test: true }])
  expect((await call<Sales>(admin, 'GET', 'sales')).json.totals).toMatchObject({ total_revenue: 0 })
})

// Test orders: marked where they are made; shown as such, and in no sum, once the shop has taken money.

test('test orders count like others, and leave the sums for good when the shop takes money', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { database } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const sales = async () => (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  const id = await buyAndPay(shop, stripe, user)
  expect((await sales()).totals).toMatchObject({ total_revenue: 14.99, completed_purchases: 1 })
  const listed = async () =>
    ((await (await admin.call('GET', '/api/admin/purchases')).json()) as OrderList).items
  const receipt = async () => (await user.call('GET', `/api/purchases/${id}/receipt`)).json()
  expect([await listed(), await receipt()]).toMatchObject([[{ id, is_test: false }], { is_test: false }])

  await alignTestOrders(database)
  expect([await listed(), await receipt()]).toMatchObject([[{ id, is_test: true }], { is_test: true }])
  const nothing = { total_revenue: 0, total_purchases: 0, completed_purchases: 0 }
  expect((await sales()).totals).toMatchObject(nothing)
  // Later changes of test orders, and later test orders, stay out as well.
  await database.pool.query(`update purchases set created_at = created_at - interval '3 days'`)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 5, reason: '' } })
  await buy(shop, user, 'bundle')
  expect((await sales()).totals).toMatchObject(nothing)
  const { rows } = await database.pool.query(
    'select total_purchases, total_spent from user_sums where user_id = $1',
    [user.id],
  )
  expect(rows).toEqual([{ total_purchases: 0, total_spent: 0 }])
  const readers = await admin.call('GET', '/api/admin/users')
  expect(await readers.json()).toMatchObject({ has_test_orders: true })
  await database.pool.query('select sums_rebuild()')
  expect((await sales()).totals).toMatchObject(nothing)
  await database.pool.query('delete from purchases')
  expect((await sales()).totals).toMatchObject(nothing)
})

test('test orders leave the sums when an own book opens', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db, database } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await buyAndPay(shop, stripe, user)
  const product_id = (await shop.product('digital')).id
  const rows = [{ amount: 0n }, { amount: 500n, is_test: true }]
  await givePurchases(db, rows.length, (n) => ({ user_id: user.id, product_id, ...rows[n - 1] }))
  await db.transaction((tx) => stopCountingSample(tx))
  const { totals } = (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  expect(totals).toMatchObject({ total_revenue: 0, total_purchases: 1, completed_purchases: 1 })
  const { kept, counted, wrongUsers } = await readSums(database)
  expect([kept, wrongUsers]).toEqual([counted, []])
  expect(kept).toMatchObject([{ sold: 0, free: 1, tests: 2 }])
})
