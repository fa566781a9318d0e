// Nothing is paid that nobody paid: what was ordered of the sample, and what an own book gives away.
import { expect, test } from 'vitest'
import { call, draftOf, take } from '#test/book-setup.ts'
import { age } from '#test/changes.ts'
import { save, valuesOf } from '#test/mail-setup.ts'
import { soon } from '#test/retries.ts'
import { saveGroup } from '#test/settings.ts'
import { openTestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { DraftWarning } from '#contract/book/book.ts'
import type { MailList } from '#contract/mail/mails.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import type { Receipt } from '#contract/orders/purchases.ts'
import type { Sales } from '#contract/operations/sales.ts'

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
