// All emails in one list: the newest first, of an address, of an order, in a state; and one of them, read and sent again.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { MailDetail, MailList } from '#contract/mail/mails.ts'
import { purchases } from '#tables/orders.ts'
import { mails } from '#tables/mail.ts'
import { sweepMails } from './retention.ts'
import { age } from '#test/changes.ts'
import { giveRefundRequest } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'
import { soon } from '#test/retries.ts'
import { openSmtpServer } from '#test/smtp.ts'

test('mails are listed with what became of them, and found by address, order and state', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: purchase_id } = await admin.buy((await shop.product('digital')).id)
  const [bought] = await shop.services.db.select().from(purchases)
  const { number } = bought!
  const mail = (n: number, change: Partial<typeof mails.$inferInsert> = {}) => ({
    id: randomUUID(),
    kind: 'recovery' as const,
    recipient: `r${n}@example.com`,
    subject: `Mail ${n}`,
    status: 'sent' as const,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, n)),
    ...change,
  })
  const given = Array.from({ length: 60 }, (_, n) => mail(n))
  await shop.services.db
    .insert(mails)
    .values([
      ...given,
      mail(60, { recipient: 'Ruth@Example.com', purchase_id, kind: 'receipt' }),
      mail(61, { status: 'failed', error: '550 No such user here', attempts: 3 }),
    ])
  const list = async (query: string) =>
    (await (await admin.call('GET', `/api/admin/mails?${query}`)).json()) as MailList
  const first = await list('')
  expect(first.items.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 50 }, (_, n) => `Mail ${61 - n}`),
  )
  const second = await list(`after=${first.next}`)
  expect([second.items.length, second.next]).toEqual([12, null])

  const ofOrder = {
    subject: 'Mail 60',
    recipient: 'Ruth@Example.com',
    status: 'sent',
    purchase: { id: purchase_id, number },
  }
  for (const q of ['ruth@example.com', `#${number}`])
    expect((await list(`q=${encodeURIComponent(q)}`)).items).toMatchObject([ofOrder])
  expect((await list('status=failed')).items).toMatchObject([
    { subject: 'Mail 61', error: '550 No such user here', attempts: 3 },
  ])
  expect((await list('q=nobody@example.com')).items).toEqual([])
  for (const query of ['status=lost', 'after=nonsense'])
    expect((await admin.call('GET', `/api/admin/mails?${query}`)).status).toBe(422)
})

test('a sent mail is read without its links, and a new one is sent once', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  const { id: purchase_id } = await reader.buy((await shop.product('digital')).id)
  await shop.call('POST', '/auth/v1/recover', { body: { email: reader.email } })
  await smtp.arrived(2)
  const logged = async (kind: string) => {
    const find = async () => (await db.select().from(mails)).find((mail) => mail.kind === kind)
    await expect.poll(find).toMatchObject({ status: 'sent' })
    return (await find())!.id
  }
  const read = async (id: string) =>
    (await (await admin.call('GET', `/api/admin/mails/${id}`)).json()) as MailDetail
  const receipt = await read(await logged('receipt'))
  expect(receipt).toMatchObject({ is_repeatable: true, recipient: reader.email, file: null })
  expect(receipt.text).toContain('Your book is ready')
  expect(receipt.text).not.toMatch(/https?:\/\/[^\s/]+\/[^\s…]/)
  // It signs in.
  const recovery = await read(await logged('recovery'))
  expect(recovery).toMatchObject({ text: null, is_repeatable: false })

  const again = (id: string) => admin.call('POST', `/api/admin/mails/${id}/again`, { body: {} })
  const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code
  expect(await codeOf(await again(receipt.id))).toBe('mails.just_sent')
  await age(shop.services.database, 'mails.sent_at', '3 minutes')
  await expect
    .poll(async () => {
      const { rows } = await shop.services.database.pool.query(
        `select 1 from pgboss.job where name = 'mail.receipt' and state = 'completed'`,
      )
      return rows.length
    })
    .toBe(1)
  const both = await Promise.all([again(receipt.id), again(receipt.id)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await smtp.arrived(3)
  const [first, , second] = smtp.emails.map(({ email }) => email.messageId)
  expect(second).not.toBe(first)
  await giveRefundRequest(db, purchase_id, 14.99)
  await age(shop.services.database, 'mails.repeated_at', '3 minutes')
  expect(await codeOf(await again(receipt.id))).toBe('mails.not_repeatable')
  expect(await codeOf(await again(recovery.id))).toBe('mails.not_repeatable')

  await age(shop.services.database, 'mails.created_at', '91 days')
  await sweepMails(shop.services)
  expect(await db.select({ body: mails.body }).from(mails).where(eq(mails.kind, 'receipt'))).toEqual(
    Array.from({ length: 2 }, () => ({ body: null })),
  )
})

test('a mail waits while it is tried again, and has failed once it was given up', async () => {
  await using smtp = await openSmtpServer('refuses for now')
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const list = async (query: string) => {
    const response = await admin.call('GET', `/api/admin/mails?${query}`)
    return ((await response.json()) as MailList).items
  }
  const expectOnly = async (status: string, change: object) => {
    await expect.poll(() => list('')).toMatchObject([{ status, ...change }])
    for (const other of ['sent', 'waiting', 'failed', 'unsent'])
      expect(await list(`status=${other}`)).toHaveLength(other === status ? 1 : 0)
  }
  await admin.buy((await shop.product('digital')).id)
  await expectOnly('waiting', { error: expect.stringContaining('451') })
  const [{ id } = { id: '' }] = await list('')
  const read = async () => (await admin.call('GET', `/api/admin/mails/${id}`)).json()
  expect(await read()).toMatchObject({ status: 'waiting', needs_attention: false, is_repeatable: false })

  smtp.behavior = 'refuses for good'
  await soon(shop, read).toMatchObject({ status: 'failed', needs_attention: true })
  await expectOnly('failed', { error: expect.stringContaining('550') })
  // Dismissed under Needs attention.
  await db.update(mails).set({ given_up_at: null })
  await expectOnly('failed', {})
  await db.update(mails).set({ given_up_at: new Date() })

  smtp.behavior = 'takes mails'
  expect((await admin.call('POST', `/api/admin/payments/mail/${id}/again`, { body: {} })).status).toBe(200)
  await soon(shop, read).toMatchObject({ status: 'sent', needs_attention: false, error: null })
  await expectOnly('sent', {})
})
