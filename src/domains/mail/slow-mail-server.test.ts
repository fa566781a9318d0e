// A mail server that answers late, or not at all after it had the whole email.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { PermanentFailure, Postponed } from '#platform/job.ts'
import { SlowAnswer } from '#platform/mail.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import { post } from './sending.ts'

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
