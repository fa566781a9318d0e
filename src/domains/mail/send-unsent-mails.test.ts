// Mails that were kept go out once mail is set up: each once, and none whose link has expired.
import { expect, test } from 'vitest'
import type { MailList } from '#contract/mail/mails.ts'
import { age } from '#test/changes.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import { mailsOfOrders } from '#domains/orders/entitlements.ts'
import { sendUnsentMails } from './unsent-mails.ts'

const send = (admin: Person) => admin.call('POST', '/api/admin/mails/send')
const list = async (admin: Person) => (await (await admin.call('GET', '/api/admin/mails')).json()) as MailList

async function setUp(admin: Person, { url }: Pick<TestSmtpServer, 'url'>) {
  const { hostname: host, port } = new URL(url)
  const values = { host, port: Number(port), encryption: 'none', from_address: 'shop@books.example' }
  const response = await admin.call('PUT', '/api/admin/settings/mail', { body: { revision: 0, values } })
  expect(response.status).toBe(200)
}

/** Two receipts, of which one was asked for twice, a free copy and a forgotten password. */
async function saveMails(shop: TestShop, admin: Person, reader: Person) {
  const { id: product_id } = await shop.product('digital')
  const { pool } = shop.services.database
  const first = await reader.buy(product_id)
  await reader.buy((await shop.product('paperback')).id)
  await admin.call('POST', '/api/admin/gifts', {
    body: { present: { kind: 'copy', product_id }, list: 'friend@example.com', message: '' },
  })
  await shop.call('POST', '/auth/v1/recover', { body: { email: reader.email } })
  const count = async () => (await pool.query('select from mails')).rowCount
  await soon(shop, count).toBe(4)
  await age({ pool }, 'mails.created_at', '1 hour', { purchase_id: first.id })
  await admin.call('POST', `/api/admin/purchases/${first.id}/receipt`)
  await soon(shop, count).toBe(5)
}

test('each unsent mail is sent once, with the data of today, however many admins ask for it', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SMTP_PRIVATE_HOSTS: 'on' } })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await saveMails(shop, admin, reader)
  expect(await list(admin)).toMatchObject({ is_kept: true, sendable: null })
  expect(await (await send(admin)).json()).toMatchObject({ status: 409, code: 'mails.not_set_up' })

  await setUp(admin, smtp)
  expect(await list(admin)).toMatchObject({ is_kept: false, sendable: { count: 3 } })
  const pressed = await Promise.all([send(admin), send(admin), send(admin)])
  const counts = await Promise.all(
    pressed.map(async (each) => ((await each.json()) as { count: number }).count),
  )
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 3])
  await smtp.arrived(3)
  const arrived = smtp.emails.map(({ email, envelope }) => [envelope.from, envelope.to[0], email.subject])
  const receipt = ['shop@books.example', reader.email, expect.stringMatching(/Your receipt/)]
  const gift = ['shop@books.example', 'friend@example.com', expect.stringMatching(/A gift for you/)]
  const byAddress = arrived.toSorted(([, a = ''], [, b = '']) => b.localeCompare(a))
  expect(byAddress).toEqual([receipt, receipt, gift])
  await expect
    .poll(async () => (await list(admin)).items.filter(({ status }) => status === 'sent').length)
    .toBe(3)
  expect(await list(admin)).toMatchObject({ sendable: null })
  expect(await (await send(admin)).json()).toEqual({ count: 0 })
  expect(smtp.emails).toHaveLength(3)
  const { rows } = await shop.services.database.pool.query(
    `select subject from audit_log where action = 'mails.kept_sent'`,
  )
  expect(rows).toEqual([{ subject: '3 mails' }])
})

test('what was kept can be sent as long as it is shown; what cannot be run again is not counted', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SMTP_PRIVATE_HOSTS: 'on' } })
  const { services } = shop
  const { pool } = services.database
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await saveMails(shop, admin, reader)
  const { rows } = await pool.query(`
    select distinct deletion_seconds / 86400 as days from pgboss.job where name in ('mail.receipt', 'mail.gift')`)
  expect(rows).toEqual([{ days: 90 }])

  await setUp(admin, smtp)
  const actor = { id: null, email: 'a@example.com', ip: null }
  const [lost] = (await pool.query<{ id: string }>(`select id from mails where kind = 'gift'`)).rows
  const runAgain: typeof services.queue.runAgain = async (tx, id) =>
    id !== lost?.id && services.queue.runAgain(tx, id)
  const queue = { ...services.queue, runAgain }
  expect(await sendUnsentMails({ ...services, queue }, actor, mailsOfOrders)).toEqual({ count: 2 })
  expect((await list(admin)).sendable?.count).toBe(1)
})

test('nothing is marked as sent when the shop stops in between, and a mail that fails is tried again', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_PRIVATE_HOSTS: 'on' } })
  const { services } = shop
  const admin = await shop.person({ role: 'admin' })
  await admin.buy((await shop.product('digital')).id)
  await soon(shop, async () => (await services.database.pool.query('select from mails')).rowCount).toBe(1)
  await setUp(admin, smtp)
  const actor = { id: null, email: 'a@example.com', ip: null }
  const stops = async () => {
    throw new Error('the database is away')
  }
  const queue = { ...services.queue, runAgain: stops }
  await expect(sendUnsentMails({ ...services, queue }, actor, mailsOfOrders)).rejects.toThrow('away')
  expect((await list(admin)).sendable?.count).toBe(1)

  smtp.behavior = 'refuses for now'
  await send(admin)
  await expect.poll(() => list(admin)).toMatchObject({ sendable: null, items: [{ status: 'waiting' }] })
  await smtp.arrived(1)
  smtp.behavior = 'takes mails'
  await soon(shop, async () => (await list(admin)).items[0]?.status).toBe('sent')
})
