// All emails in one list: the newest first, of an address, of an order, in a state; and one of them, read and sent again.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { MailDetail, MailList } from '#contract/mail/mails.ts'
import { purchases } from '#tables/orders.ts'
import { mails } from '#tables/mail.ts'
import { sweepMails } from './mail-retention.ts'
import { post } from './sending.ts'
import { age } from '#test/changes.ts'
import { giveRefundRequest } from '#test/factories.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { soon } from '#test/retries.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { plainLine, plainName } from './plain-line.ts'
import { PermanentFailure, Postponed } from '#platform/queue.ts'
import { SlowAnswer } from '#platform/mail.ts'
import { receiptJob } from '#domains/orders/receipts.ts'

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
  for (const q of ['ruth@example.com', `#${number}`, 'RUTH@ex', 'h@exam', 'mail 60'])
    expect((await list(`q=${encodeURIComponent(q)}`)).items).toMatchObject([ofOrder])
  const receipt = mail(62, { recipient: 'kim%@example.org', subject: 'Ihr Kaufbeleg für „Der Weg“' })
  await shop.services.db.insert(mails).values(receipt)
  for (const q of ['kaufbeleg fur', 'kim%', 'example.org'])
    expect([q, (await list(`q=${encodeURIComponent(q)}`)).items]).toMatchObject([q, [{ id: receipt.id }]])
  for (const q of ['m%6', 'm_', '60'])
    expect([q, (await list(`q=${encodeURIComponent(q)}`)).items]).toEqual([q, []])
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

test('what mail programs would make a link of is broken, and names stay as they are', () => {
  const given = {
    'Click http://evil.example/win now': 'Click http: //evil .example/win now',
    'www.evil.example': 'www .evil .example',
    'me@evil.example': 'me@evil .example',
    'evil\u3002example': 'evil \u3002example',
    'mailto:me': 'mailto: me',
    'Dr. J.R.R. Tolkien': 'Dr. J.R.R. Tolkien',
    'Márta Ó’Brien-Nagy, Jr.': 'Márta Ó’Brien-Nagy, Jr.',
    مریم: 'مریم',
  }
  for (const [text, plain] of Object.entries(given)) expect(plainLine(text, 100)).toBe(plain)
})

test('a name is one short line without anything unseen', () => {
  expect(plainName('Ruth\r\nBcc: all@books\u202e\u2028\0!')).toBe('Ruth Bcc: all@books !')
  const long = plainName('a'.repeat(200))
  expect([long.length, long.at(-1)]).toEqual([60, '…'])
  expect(plainName('😀'.repeat(100)).isWellFormed()).toBe(true)
})

// A mail server that answers late, or not at all after it had the whole email.

type Row = { recipient: string; status: string; error: string | null; given_up_at: Date | null }

async function listReceipts({ services }: TestShop): Promise<Row[]> {
  const query = `select recipient, status, error, given_up_at from mails where kind = 'receipt' order by recipient`
  return (await services.database.pool.query<Row>(query)).rows
}

async function buyAs(shop: TestShop, email: string): Promise<void> {
  await (await shop.person({ email })).buy((await shop.product('digital')).id)
}

test('a response after 17 seconds is waited for: one copy, and other receipts are not held up', async () => {
  await using smtp = await openSmtpServer()
  smtp.slowMs = 17_000
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  await buyAs(shop, 'slow@example.com')
  await buyAs(shop, 'quick@example.com')
  const seen = async (change: Partial<Row>) =>
    expect
      .poll(() => listReceipts(shop), { timeout: 40_000, interval: 500 })
      .toMatchObject([
        { recipient: 'quick@example.com', status: 'sent' },
        { recipient: 'slow@example.com', ...change },
      ])
  await seen({ status: 'failed', error: expect.stringContaining('has not answered yet'), given_up_at: null })
  await seen({ status: 'sent', error: null })
  const { pool } = shop.services.database
  const open = `select from pgboss.job where name = 'mail.receipt' and state < 'completed'`
  await expect.poll(async () => (await pool.query(open)).rowCount, { timeout: 20_000 }).toBe(0)
  const copies = smtp.emails.filter(({ envelope }) => envelope.to[0] === 'slow@example.com')
  expect(copies).toHaveLength(1)
})

test('where the server never says whether it took an email, it is tried once more after an hour, and shown', async () => {
  await using smtp = await openSmtpServer('falls silent after a mail')
  await using shop = await openTestShop({ env: { SMTP_URL: `${smtp.url}?socketTimeout=500` } })
  await buyAs(shop, 'reader@example.com')
  const seen = (change: object) =>
    expect.poll(() => listReceipts(shop), { timeout: 20_000 }).toMatchObject([change])
  await seen({ status: 'failed', error: expect.stringContaining('once more in an hour'), given_up_at: null })
  const { pool } = shop.services.database
  const minutes = `select round(extract(epoch from start_after - now()) / 60)::int as minutes from pgboss.job where name = 'mail.receipt'`
  // The job is put off after the email's row says so.
  await expect.poll(async () => (await pool.query(minutes)).rows).toEqual([{ minutes: 60 }])
  await pool.query(`update pgboss.job set start_after = now() where name = 'mail.receipt'`)
  await seen({ error: expect.stringContaining('twice'), given_up_at: expect.any(Date) })
  expect(new Set(smtp.emails.map(({ email }) => email.messageId)).size).toBe(1)
  expect(smtp.emails).toHaveLength(2)
})

test('a late refusal ends the job where it is for good, and is tried again after an hour where it is for now', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const reader = await shop.person()
  const { id: purchase_id } = await reader.buy((await shop.product('digital')).id)
  const { db, database, queue } = shop.services
  for (const [error, minutes, isGivenUp] of [
    [new Error('451 Not today'), 60, false],
    [new PermanentFailure('550 No such user'), 0, true],
  ] as const) {
    const id = randomUUID()
    await queue.enqueue(db, receiptJob, { purchase_id }, { id })
    // As the queue postpones it.
    await database.pool.query(
      `update pgboss.job set state = 'retry', priority = -1, start_after = now() + interval '1 hour' where id = $1`,
      [id],
    )
    const outcome = Promise.reject(error)
    outcome.catch(() => undefined)
    const mail = {
      ...shop.services.mail,
      send: async () => {
        throw new SlowAnswer(outcome)
      },
    }
    const email = { to: reader.email, subject: 'Receipt', text: 'A text', html: 'A text' }
    const posted = post(
      { ...shop.services, mail },
      { id, number: 1, isLast: false },
      { kind: 'receipt', email },
    )
    await expect(posted).rejects.toThrow(Postponed)
    const read = async () =>
      (
        await database.pool.query(
          `select j.priority, round(extract(epoch from j.start_after - now()) / 60)::int as minutes,
             m.error, m.given_up_at is not null as is_given_up
           from pgboss.job j join mails m on m.id = j.id where j.id = $1`,
          [id],
        )
      ).rows
    await expect.poll(read).toEqual([{ priority: 0, minutes, error: error.message, is_given_up: isGivenUp }])
    if (isGivenUp)
      await expect(
        receiptJob.run(shop.services as never, { purchase_id }, { id, number: 2, isLast: false }),
      ).rejects.toThrow('550 No such user')
  }
})
