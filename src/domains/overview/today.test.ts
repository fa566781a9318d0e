// What the first screen of the admin area knows of the day.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { legalPages } from '#content/legal-pages.ts'
import { sampleBook } from '#content/sample-book.ts'
import { publishDraft, readDraft, saveDraft } from '#domains/book/drafts.ts'
import { stopCountingSample } from '#domains/settings/sums-settings.ts'
import { users } from '#tables/accounts.ts'
import { backup_states } from '#tables/backup.ts'
import { downloads } from '#tables/delivery.ts'
import { mails } from '#tables/mail.ts'
import type { Counts, Today } from '#contract/overview/today.ts'
import { changePurchase, givePurchases, giveRefund, givePaymentEvents } from '#test/factories.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { changeJobs, loseJobs } from '#test/changes.ts'
import {
  countAttentionItems,
  hold,
  isCheaper,
  listAuditEvents,
  listAttentionItems,
  press,
} from '#test/needs.ts'
import { openGuestShop } from '#test/guests.ts'
import { publishBook } from '#test/legal.ts'
import { openPaidShop } from '#test/paying.ts'
import { saveGroup } from '#test/settings.ts'
import { soon } from '#test/retries.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

const noon = Date.parse('2026-03-31T12:00:00Z')

const readToday = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/today')).json()) as Today
const readCounts = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/counts')).json()) as Counts

test('today’s sales stand beside the average of this weekday, once the shop is four weeks old', async () => {
  await using shop = await openTestShop({ hasWorkers: false, clock: () => new Date(noon) })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const product_id = (await shop.product('digital')).id
  const sell = (count: number, daysAgo: number) =>
    givePurchases(db, count, () => ({
      user_id: admin.id,
      product_id,
      amount: 1000n,
      created_at: new Date(noon - daysAgo * dayMs),
    }))
  const [first] = await sell(3, 0)
  await sell(5, 7)
  expect(await readToday(admin)).toEqual({
    day: '2026-03-31',
    local_site: expect.objectContaining({
      says: `${shop.services.settings.get().shop.site_url} opens on this computer only`,
    }),
    unsaid_refund_days: null,
    is_given_away: false,
    sales: { sold: 3, free: 0, tests: 0, revenue: 30, refunded: 0 },
    usual: null,
    quiet_since: null,
    undelivered: [],
    unready: [],
    left_at_old_price: [],
    eu_paper_lacks: [],
    webhook: null,
    tax_question: null,
    unrehearsed: [],
  })
  await sell(1, 6)
  await sell(7, 56)
  await sell(100, 63)
  await giveRefund(db, first!, 4, new Date(noon))
  await givePurchases(db, 19, () => ({
    user_id: admin.id,
    product_id,
    amount: 0n,
    is_given: true,
    created_at: new Date(noon),
  }))
  const { sales, usual } = await readToday(admin)
  expect([sales, usual]).toEqual([
    { sold: 3, free: 19, tests: 0, revenue: 26, refunded: 4 },
    { sold: 1.5, free: 0, revenue: 15 },
  ])
})

test('a shop that takes payments is asked whether the tax is in its prices, once Stripe works it out', async () => {
  await using stripe = await startStripe()
  const question = async (env: Record<string, string>) => {
    await using shop = await openPaidShop(stripe, { hasWorkers: false, env })
    return (await readToday(await shop.person({ role: 'admin' }))).tax_question
  }
  expect(await question({})).toBeNull()
  expect(await question({ STRIPE_TAX: 'on' })).toBe('unsaid')
  expect(await question({ STRIPE_TAX: 'on', TAX_IN_PRICES: 'included' })).toBeNull()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, env: { TAX_IN_PRICES: 'added' } })
  const admin = await shop.person({ role: 'admin' })
  expect((await readToday(admin)).tax_question).toBeNull()
  // The screen refuses it; the variable may have come after the countries.
  shop.services.settings.get().shipping.countries = ['US', 'DE']
  expect((await readToday(admin)).tax_question).toBe('added_in_eu')
  Object.assign(shop.services.settings.get().tax, { in_prices: 'none', digital_seller: 'stripe' })
  expect((await readToday(admin)).tax_question).toBe('unsaid_for_link')
})

test('an own book that takes money is asked for the tax in its prices, where consumers in the EU may buy it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const question = async () => (await readToday(admin)).tax_question
  const askConsent = (is_asked: boolean) =>
    publishBook(admin, { legal: { ...legalPages, consent: { ...legalPages.consent, is_asked } } })
  const save = (revision: number, values: object, group: 'shipping' | 'tax') =>
    saveGroup(admin, { revision, values }, group)
  await askConsent(false)
  expect(await question()).toBeNull()
  await askConsent(true)
  expect(await question()).toBe('unsaid_in_eu')
  const checked = await admin.call('GET', '/api/admin/setup/check')
  expect(await checked.json()).toMatchObject({ tax_question: 'unsaid_in_eu' })
  await askConsent(false)
  await save(0, { countries: ['US', 'DE'] }, 'shipping')
  expect(await question()).toBe('unsaid_in_eu')
  await save(0, { in_prices: 'none' }, 'tax')
  expect(await question()).toBeNull()
})

test('a time without sales is named where it is unusually long and payments are taken', async () => {
  const live = {
    SITE_URL: 'https://shop.example',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  }
  const quietSince = async (saleDaysAgo: readonly number[], env: Record<string, string> = live) => {
    await using shop = await openTestShop({ env, hasWorkers: false, clock: () => new Date(noon) })
    const admin = await shop.person({ role: 'admin' })
    const product_id = (await shop.product('digital')).id
    await givePurchases(shop.services.db, saleDaysAgo.length, (n) => ({
      user_id: admin.id,
      product_id,
      created_at: new Date(noon - saleDaysAgo[n - 1]! * dayMs),
    }))
    return (await readToday(admin)).quiet_since
  }
  const everyOtherDay = (since: number) => Array.from({ length: 30 }, (_, n) => since + 2 * n)
  expect(await quietSince(everyOtherDay(11))).toBe('2026-03-20')
  expect(await quietSince(everyOtherDay(9))).toBe(null)
  expect(await quietSince([40, 50, 60])).toBe(null)
  expect(await quietSince(everyOtherDay(11), {})).toBe(null)
})

test('the navigation counts parcels, unanswered messages and what needs attention', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await user.buy((await shop.product('paperback')).id)
  const message = { name: 'R', email: 'r@example.com', subject: 'S', message: 'M' }
  await shop.call('POST', '/api/contact', { body: message })
  expect(await readCounts(admin)).toEqual({
    payments: 'none',
    count: 0,
    has_backup_problem: false,
    to_ship: { count: 1, isMore: false },
    unanswered: 1,
  })
})

test('a place whose backups were not rehearsed for two weeks is named', async () => {
  const admin = await shop.person({ role: 'admin' })
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
  const rehearsal = { kind: 'rehearsal', created_at: daysAgo(60) } as const
  await shop.services.db.insert(backup_states).values([
    { ...rehearsal, place: 'fresh', succeeded_at: daysAgo(13) },
    { ...rehearsal, place: 'late', succeeded_at: daysAgo(15) },
    { ...rehearsal, place: 'never' },
    { ...rehearsal, place: 'new', created_at: daysAgo(3) },
    { ...rehearsal, place: 'failing', failing_since: daysAgo(20), problem: 'It is full.' },
    { ...rehearsal, place: 'gone', seen_at: daysAgo(90) },
  ])
  const { unrehearsed } = await readToday(admin)
  expect(unrehearsed).toEqual([
    {
      place: 'late',
      check: expect.objectContaining({ state: 'warn', says: 'a restore from late was tried 15 days ago' }),
    },
    {
      place: 'never',
      check: expect.objectContaining({ state: 'warn', says: 'no restore from never was tried yet' }),
    },
  ])
})

test('a purchase that may not have reached its buyer is named with the reason, until it has', async () => {
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const [refused, broken, locked, happy] = await Promise.all([1, 2, 3, 4].map(() => shop.person()))
  const [ofRefused, ofBroken, ofLocked, ofHappy] = await Promise.all(
    [refused!, broken!, locked!, happy!].map((person) => person.buy(product_id)),
  )
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const receipt = (purchase_id: string, hours: number) => ({
    id: randomUUID(),
    kind: 'receipt' as const,
    recipient: 'r@example.com',
    subject: 'Your receipt',
    purchase_id,
    status: 'failed' as const,
    created_at: hoursAgo(hours),
  })
  const download = (purchase_id: string, minutesAgo: number, finished_at: Date | null = null) => {
    const started_at = new Date(Date.now() - minutesAgo * 60_000)
    const id = uuidv7({ msecs: started_at.getTime() })
    return { id, purchase_id, file_path: 'book.epub', started_at, sent_bytes: 5, finished_at }
  }
  await db.insert(mails).values([receipt(ofRefused!.id, 2), receipt(ofHappy!.id, 0)])
  await db
    .insert(downloads)
    .values(
      [50, 20, 1].flatMap((minutes) => [download(ofBroken!.id, minutes), download(ofHappy!.id, minutes)]),
    )
  await db.insert(downloads).values(download(ofHappy!.id, 1, new Date()))
  await db.update(users).set({ last_sign_in_at: null }).where(eq(users.id, locked!.id))
  for (let at = 0; at < 3; at += 1)
    await shop.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: locked!.email, password: `wrong password ${at}` },
    })
  const found = async () =>
    new Map((await readToday(admin)).undelivered.map(({ purchase_id, reason }) => [purchase_id, reason]))
  expect((await readToday(admin)).undelivered).toContainEqual(
    expect.objectContaining({ purchase_id: ofRefused!.id, is_test: false }),
  )
  expect(await found()).toEqual(
    new Map([
      [ofRefused!.id, 'receipt'],
      [ofBroken!.id, 'downloads'],
      [ofLocked!.id, 'sign_ins'],
    ]),
  )
  await changePurchase(db, ofBroken!.id, { status: 'refunded' })
  await db.update(users).set({ last_sign_in_at: new Date() }).where(eq(users.id, locked!.id))
  expect([...(await found()).keys()]).toEqual([ofRefused!.id])
})

test('a product without a file waits once it was ordered, or in the week before its day', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const { id: bundle } = await shop.product('bundle')
  const found = async () =>
    (await readToday(admin)).unready.map(({ product_id, release_on }) => [product_id, release_on !== null])
  await pool.query('update products set download_url = null where id = $1', [id])
  await pool.query('delete from product_files where product_id = $1', [id])
  expect(await found()).toEqual([])
  await pool.query('update products set release_on = shop_day() + 8 where id = $1', [id])
  expect(await found()).toEqual([])
  await admin.buy(id)
  await pool.query('update products set release_on = shop_day() + 7 where id = $1', [id])
  expect(await found()).toEqual([[id, true]])
  await pool.query('update products set release_on = shop_day() where id = $1', [id])
  expect(await found()).toEqual([[id, false]])
  await pool.query('update products set is_for_sale = false where id = $1', [id])
  expect(await found()).toEqual([[id, false]])
  await pool.query(`update purchases set status = 'refunded' where product_id = $1`, [id])
  expect(await found()).toEqual([])
  await pool.query(`update purchases set status = 'completed', product_id = $1`, [bundle])
  expect(await found()).toEqual([[bundle, false]])
  await pool.query('delete from bundle_items')
  expect(await found()).toEqual([])
})

test('a refund period that the page of an own book does not mention is said, until it does', async () => {
  const admin = await shop.person({ role: 'admin' })
  const publish = async (refund: string) => {
    const document = {
      ...sampleBook,
      title: 'My own',
      product: '',
      rating: null,
      refund_days: 30,
      claims: { ...sampleBook.claims, refund },
    }
    const { revision } = await readDraft(shop.services.db)
    const someone = { id: admin.id, email: admin.email, ip: null }
    const saved = await saveDraft(shop.services, { document, revision }, someone)
    await publishDraft(shop.services, saved.revision, someone, stopCountingSample)
  }
  await publish('')
  expect((await readToday(admin)).unsaid_refund_days).toBe(30)
  await publish('{days} days')
  expect((await readToday(admin)).unsaid_refund_days).toBeNull()
})

// What needs the author's attention: listed once, counted, and each action done once however often it is asked for.

/** A purchase that is paid; its payment fits. */
const makePaid = (shop: TestShop, stripe: StripeStandIn, user: Person) =>
  hold(shop, stripe, user, () => undefined)

test('a refund that Stripe refuses is listed and dismissed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, session } = await makePaid(shop, stripe, user)
  // A part was given back at Stripe meanwhile, so that too little is left to refund there.
  const intent = session['payment_intent'] as string
  stripe.refund(intent, 500)
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: id, reason: expect.stringMatching(/greater than/) },
  ])
  const refund = (await listAttentionItems(admin)).items[0]!
  expect((await press(admin, `refund/${refund.id}/dismissal`, { note: 'It went back' })).status).toBe(200)
  expect((await press(admin, `refund/not-an-id/dismissal`, { note: 'x' })).status).toBe(409)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect(await listAuditEvents(shop)).toEqual([
    'purchases.withdrawn',
    'payments.refunded',
    'refunds.dismissed',
  ])
})

test('lost events are listed page by page, and are tried again or dismissed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await hold(shop, stripe, user, isCheaper)
  await givePaymentEvents(shop.services.db, 40, (n) => ({
    type: 'charge.updated',
    received_at: new Date(Date.now() - n * 2 * 3_600_000),
  }))
  const first = await listAttentionItems(admin)
  const rest = await listAttentionItems(admin, first.next!)
  const ids = [...first.items, ...rest.items].map((need) => need.id)
  expect([first.items.length, new Set(ids).size, rest.next]).toEqual([30, 41, null])
  expect(ids).toContain(id)
  expect(first.items.find(({ kind }) => kind === 'event')).toMatchObject({
    id: 'evt_1',
    stripe_url: 'https://dashboard.stripe.com/test/events/evt_1',
  })
  expect((await press(admin, 'event/evt_1/again')).status).toBe(200)
  await soon(shop, async () => (await countAttentionItems(admin)).count).toBe(40)
  expect((await press(admin, 'event/evt_1/again')).status).toBe(409)
  expect((await press(admin, 'event/evt_2/dismissal', { note: 'Not ours' })).status).toBe(200)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 39 })
  expect(await listAuditEvents(shop)).toEqual(['payments.event_tried_again', 'events.dismissed'])
})

test('a mail that failed for good is listed, and is sent again once, or dismissed', async () => {
  await using server = await openSmtpServer('refuses for good')
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SMTP_URL: server.url } })
  const { pool } = shop.services.database
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await makePaid(shop, stripe, user)
  const receipt = async () =>
    (await pool.query(`select state from pgboss.job where name = 'mail.receipt'`)).rows[0].state as string
  await expect.poll(receipt).toBe('retry')
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  await changeJobs({ pool }, { retry_count: 23, isDue: true }, 'mail.receipt')
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'mail', recipient: user.email, attempts: 25, purchase_id: id },
  ])
  const [mail] = (await listAttentionItems(admin)).items
  server.behavior = 'takes mails'
  const twice = await Promise.all([
    press(admin, `mail/${mail!.id}/again`),
    press(admin, `mail/${mail!.id}/again`),
  ])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  await soon(
    shop,
    async () => (await pool.query('select status from mails where id = $1', [mail!.id])).rows,
  ).toEqual([{ status: 'sent' }])
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })

  await pool.query(`update mails set status = 'failed', given_up_at = now() where id = $1`, [mail!.id])
  await loseJobs({ pool })
  expect(await (await press(admin, `mail/${mail!.id}/again`)).json()).toMatchObject({ code: 'mails.too_old' })
  expect((await press(admin, `mail/${mail!.id}/dismissal`, { note: 'Told her' })).status).toBe(200)
  expect(await listAuditEvents(shop)).toEqual(['mails.sent_again', 'mails.dismissed'])
})
