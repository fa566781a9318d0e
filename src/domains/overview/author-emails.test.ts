// What the author is told by email: of real sales and of requests that wait, once each, and not where it is turned off.
import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { mails } from '#tables/mail.ts'
import { adjustments, checkouts, failed_refunds } from '#tables/payments.ts'
import { sendReceipt } from '#domains/orders/receipts.ts'
import { purchases, shipments } from '#tables/orders.ts'
import { withdrawals } from '#tables/payments.ts'
import { notifyAuthor } from '#domains/mail/author-emails.jobs.ts'
import { sendSummaries } from './author-emails.ts'
import { someAddress } from '#test/addresses.ts'
import { giveCheckout, givePurchases } from '#test/factories.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'

const author = 'author@books.example'
const live = {
  ADMIN_EMAIL: author,
  SITE_URL: 'https://shop.example',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

type Sold = { format?: 'digital' | 'paperback'; at?: Date; is_live?: boolean }

async function sell(
  shop: TestShop,
  count: number,
  { format = 'digital', at = new Date(), is_live = true }: Sold = {},
) {
  const { db } = shop.services
  const buyer = await shop.person({ display_name: 'Ruth' })
  const { id: product_id } = await shop.product(format)
  const ids = await givePurchases(db, count, (n) => ({
    user_id: buyer.id,
    product_id,
    amount: 1499n,
    created_at: new Date(at.getTime() + n),
  }))
  for (const id of ids) await giveCheckout(db, { purchase_id: id, is_live })
  return { ids, buyer }
}

const toAuthor = async (shop: TestShop) =>
  (await shop.mailbox.all()).filter((mail) => mail.to?.some(({ address }) => address === author))
const subjects = async (shop: TestShop) => (await toAuthor(shop)).map(({ subject }) => subject)

/** Every job has ended. */
async function settled(shop: TestShop): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await shop.services.database.pool.query(
        "select name from pgboss.job where state < 'completed'",
      )
      return rows
    })
    .toEqual([])
}

test('each real sale is told once, with its parcel; test payments and old sales are not', async () => {
  await using shop = await openTestShop({ env: live })
  const { ids, buyer } = await sell(shop, 1)
  const [id] = ids
  await sendReceipt(shop.services, { purchase_id: id! })
  const mail = await shop.mailbox.to(author)
  expect(mail.subject).toBe("Sold: Nine P's that Change Everything for $14.99")
  for (const words of ['$14.99', `Ruth, ${buyer.email}`, `https://shop.example/admin/purchases/${id}`])
    expect(mail.text).toContain(words)
  expect(mail.text).toContain('https://shop.example/admin/mails/to-you')
  await Promise.all([1, 2, 3].map(() => notifyAuthor(shop.services.db, shop.services, 'sale', id!)))

  const paper = await sell(shop, 1, { format: 'paperback' })
  await shop.services.db.update(shipments).set(someAddress).where(eq(shipments.purchase_id, paper.ids[0]!))
  const others = [
    ...(await sell(shop, 1, { is_live: false })).ids,
    ...(await sell(shop, 1, { at: new Date(Date.now() - 4 * 86_400_000) })).ids,
  ]
  for (const each of [...paper.ids, ...others]) await sendReceipt(shop.services, { purchase_id: each })
  await settled(shop)
  const mails = await toAuthor(shop)
  expect(mails).toHaveLength(2)
  expect(mails.filter(({ text }) => text?.includes(someAddress.line1))).toHaveLength(1)
})

test('from the tenth sale of a day on there is one summary on the next morning', async () => {
  let now = new Date()
  await using shop = await openTestShop({ env: live, clock: () => now })
  // All on one day, whatever the hour is.
  const day = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
  const { ids } = await sell(shop, 11, { at: day })
  for (const id of ids) await notifyAuthor(shop.services.db, shop.services, 'sale', id)
  await settled(shop)
  expect(await subjects(shop)).toHaveLength(9)

  now = new Date(day.getTime() + 86_400_000 + 6 * 3_600_000)
  await sendSummaries(shop.services)
  now = new Date(now.getTime() + 3_600_000)
  await Promise.all([1, 2].map(() => sendSummaries(shop.services)))
  now = new Date(now.getTime() + 3_600_000)
  await sendSummaries(shop.services)
  await settled(shop)
  const daily = (await toAuthor(shop)).filter(({ subject }) => subject?.startsWith('11 sold on'))
  expect(daily).toHaveLength(1)
  expect(daily[0]!.text).toContain('$164.89')
})

test('in the morning the author reads once of the parcels that wait and of what failed the day before', async () => {
  // A Wednesday: after a Saturday the summary of the week would come on the second morning.
  const day = new Date('2026-11-18T00:00:00Z')
  let now = day
  await using shop = await openTestShop({ env: live, clock: () => now })
  const { db } = shop.services
  const given_up_at = new Date(day.getTime() + 60_000)
  const { ids } = await sell(shop, 3, { format: 'paperback', at: day })
  await db
    .update(shipments)
    .set({ created_at: day, is_paid: true })
    .where(inArray(shipments.purchase_id, ids))
  await db.update(shipments).set(someAddress).where(eq(shipments.purchase_id, ids[0]!))
  await db.update(shipments).set({ shipped_at: day }).where(eq(shipments.purchase_id, ids[1]!))
  const failed = { kind: 'receipt', status: 'failed', subject: 'Your receipt', given_up_at } as const
  await db
    .insert(mails)
    .values({ ...failed, id: randomUUID(), recipient: 'r@example.com', purchase_id: ids[0]! })
  const returned = {
    amount: 1499n,
    currency: 'usd',
    reason: 'The bank declined it.',
    created_at: given_up_at,
  }
  for (const purchase_id of ids.slice(1))
    await db.insert(failed_refunds).values({ ...returned, external_id: purchase_id, purchase_id })
  // A refund would be paid twice.
  await db
    .insert(adjustments)
    .values({ id: randomUUID(), purchase_id: ids[1]!, kind: 'dispute', amount: -1499n })
  await db.update(checkouts).set({ dispute_status: 'lost' }).where(eq(checkouts.purchase_id, ids[1]!))
  await db.execute(sql`update products set release_on = shop_day() + 9 where format = 'paperback'`)
  now = new Date(day.getTime() + 86_400_000 + 8 * 3_600_000)
  await Promise.all([1, 2].map(() => sendSummaries(shop.services)))
  await settled(shop)
  const [parcels, others] = Map.groupBy(await toAuthor(shop), ({ subject }) =>
    subject?.startsWith('Parcels to ship'),
  )
    .entries()
    .toArray()
    .toSorted(([one]) => (one ? -1 : 1))
    .map(([, all]) => all)
  expect([parcels!.length, others!.map(({ subject }) => subject)]).toEqual([
    1,
    [expect.stringMatching(/^Something failed on /)],
  ])
  expect(parcels![0]!.text).toContain(someAddress.line1)
  expect(parcels![0]!.text?.match(/#\d+/g)).toHaveLength(2)
  expect(parcels![0]!.text).toContain('no address yet')
  expect(parcels![0]!.text?.match(/Pre-order: out on/g)).toHaveLength(2)
  expect(others![0]!.text).toContain('Emails that could not be sent')
  expect(others![0]!.text).toMatch(/Refunds that were returned\s+1\b/)

  now = new Date(now.getTime() + 86_400_000)
  await sendSummaries(shop.services)
  await settled(shop)
  expect(await toAuthor(shop)).toHaveLength(2)
})

test('on Monday the week stands beside the one before', async () => {
  const monday = new Date('2026-11-16T07:30:00Z')
  await using shop = await openTestShop({ env: live, clock: () => monday })
  await sell(shop, 2, { at: new Date('2026-11-10T12:00:00Z') })
  await sell(shop, 3, { at: new Date('2026-11-04T12:00:00Z') })
  await sell(shop, 7, { at: new Date('2026-10-30T12:00:00Z') })
  const reader = await shop.person()
  const { id: product_id } = await shop.product('digital')
  await givePurchases(shop.services.db, 4, () => ({
    user_id: reader.id,
    product_id,
    amount: 0n,
    is_given: true,
    created_at: new Date('2026-11-11T12:00:00Z'),
  }))
  await sendSummaries(shop.services)
  const mail = await shop.mailbox.to(author)
  expect(mail.subject).toBe('Last week: 2 sold, $29.98')
  expect(mail.text).toContain('The week before: 3 sold, $44.97.')
  expect(mail.text).toMatch(/Free copies:?\s+4/)
})

test('a refund request of a test order is told, too, and says that it was a test', async () => {
  await using shop = await openTestShop({ env: live })
  const { db } = shop.services
  const { ids } = await sell(shop, 2, { is_live: false })
  const [tested] = ids
  await db.update(purchases).set({ is_test: true }).where(inArray(purchases.id, ids))
  await db.insert(withdrawals).values({ purchase_id: tested!, reason: '', waits_for: 'return' })
  for (const id of ids) await notifyAuthor(db, shop.services, 'refund_asked', id)
  await settled(shop)
  const mails = await toAuthor(shop)
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain('This was a test order: no real money was taken.')
})

test('a refund that waits and a dispute with its day are told, and nothing that is turned off', async () => {
  await using shop = await openTestShop({ env: live })
  const { db } = shop.services
  const { ids } = await sell(shop, 3)
  const [asked, disputed, ofLink] = ids
  await db
    .insert(withdrawals)
    .values({ purchase_id: asked!, reason: 'It is the wrong book.', waits_for: 'return' })
  await db
    .update(checkouts)
    .set({ answer_by: new Date('2126-12-03T10:00:00Z') })
    .where(eq(checkouts.purchase_id, disputed!))
  await notifyAuthor(db, shop.services, 'refund_asked', asked!)
  await notifyAuthor(db, shop.services, 'dispute', disputed!)
  await db
    .update(checkouts)
    .set({ answer_by: new Date('2126-12-03T10:00:00Z'), sold_by: 'stripe' })
    .where(eq(checkouts.purchase_id, ofLink!))
  await notifyAuthor(db, shop.services, 'dispute', ofLink!)
  await settled(shop)
  const mails = await toAuthor(shop)
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(
    new Set([
      'A payment is disputed: respond by December 3, 2126',
      'A payment is disputed',
      expect.stringMatching(/^Withdrawal from the contract: order #\d+$/),
    ]),
  )
  expect(mails.map(({ text }) => text).join()).toContain('December 3, 2126 at 10:00 AM UTC')
  expect(mails.some(({ text }) => text?.includes('It is the wrong book.'))).toBe(true)
  const left = mails.find(({ subject }) => subject === 'A payment is disputed')
  expect(left?.text).toContain('Link has sold this file and answers the bank.')
  expect(left?.text).not.toMatch(/Respond|December|evidence/)

  const admin = await shop.person({ role: 'admin' })
  const values = {
    sale: false,
    parcels: true,
    message: false,
    refund_asked: true,
    dispute: true,
    failures: false,
    weekly_summary: true,
  }
  const saved = await admin.call('PUT', '/api/admin/settings/author_emails', {
    body: { revision: 0, values },
  })
  expect(saved.status).toBe(200)
  const message = { name: 'R', email: 'r@example.com', subject: 'S', message: 'M' }
  await shop.call('POST', '/api/contact', { body: message })
  await notifyAuthor(db, shop.services, 'sale', asked!)
  await settled(shop)
  expect(await toAuthor(shop)).toHaveLength(3)
})
