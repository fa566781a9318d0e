// All purchases in the admin area: found by whom, what and which, narrowed, paged, and shown with what became of them.
import { expect, test } from 'vitest'
import type { Page } from '#contract/fields.ts'
import type { Order, OrderDetail } from '#contract/orders/admin-orders.ts'
import { age, loseJobs } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { changePurchase, givePurchases, giveProfiles } from '#test/factories.ts'
import type { Person } from '#test/users.ts'
import { openPaidShop, startLiveStripe } from '#test/paying.ts'
import { openTestShop } from '#test/shop.ts'

const list = async (admin: Person, query: Record<string, string> = {}) =>
  (await (
    await admin.call('GET', `/api/admin/purchases?${new URLSearchParams(query)}`)
  ).json()) as Page<Order>

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
  await shop.mailbox.to(user.email, /receipt|purchase/i)
  const link = await user.call('POST', `/api/purchases/${id}/download`, { body: {} })
  await (await shop.call('GET', ((await link.json()) as { url: string }).url)).arrayBuffer()
  const read = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  await expect
    .poll(async () => (await read()).mails)
    .toMatchObject([{ kind: 'receipt', status: 'kept', recipient: user.email }])
  expect((await read()).downloads).toMatchObject([
    { ip: '127.0.0.1', file_name: expect.stringMatching(/^[^\d]/) },
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
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await user.buy((await shop.product('digital')).id)
  const response = await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 10 } })
  expect(response.status).toBe(202)
  expect(await response.json()).toMatchObject({ is_by_provider: false, is_going_back: false, refunded: 10 })
  const { rows } = await shop.services.database.pool.query('select action from audit_log')
  expect(rows).toEqual([{ action: 'purchases.refund_recorded' }])
})
