// What mails about an account may carry, and what becomes of those that cannot be delivered.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailsTo, password, someone } from '#test/auth-client.ts'
import { age, changeJobs } from '#test/changes.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { accountMailJob } from './account.emails.ts'

const signUp = (shop: TestShop, email: string, data: object = {}) =>
  shop.call('POST', '/auth/v1/signup', { body: { email, password, data } })

test('a name given at a sign-up with another person’s address brings no link into the mail', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const email = someone()
  await signUp(shop, email, {
    display_name: `You won! Go to https://evil.example/prize or evil.example ${'!'.repeat(90)}`,
  })
  const [mail] = await mailsTo(shop, email, 1)
  for (const part of [mail!.text, mail!.html]) {
    expect(part).toContain('Dear You won! Go to https: //evil .example/prize')
    expect(part).not.toMatch(/evil\.example|!{20}/)
  }
})

test('a recipient that the server does not know is tried once, and a sign-up’s is nothing for the author', async () => {
  await using server = await openSmtpServer('knows no such mailbox')
  await using shop = await openTestShop({ env: { SMTP_URL: server.url, RATE_LIMIT: 'off' } })
  const { pool } = shop.services.database
  const [bogus, user] = [someone(), await shop.person()]
  await signUp(shop, bogus)
  await shop.call('POST', '/auth/v1/recover', { body: { email: user.email } })
  const mails = async () =>
    (
      await pool.query(`
        select recipient, m.status, attempts, error, given_up_at is not null as is_given_up, j.state
        from mails m join pgboss.job j using (id) order by kind desc`)
    ).rows
  const failed = {
    status: 'failed',
    attempts: 1,
    error: expect.stringContaining('550 5.1.1 No such user here'),
  }
  await expect.poll(mails).toEqual([
    { ...failed, recipient: bogus, is_given_up: false, state: 'failed' },
    { ...failed, recipient: user.email, is_given_up: true, state: 'failed' },
  ])
  const admin = await shop.person({ role: 'admin' })
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({
    items: [{ kind: 'mail', recipient: user.email }],
  })
})

test('a recipient whose mailbox is full is tried again', async () => {
  await using server = await openSmtpServer('has the mailbox full for now')
  await using shop = await openTestShop({ env: { SMTP_URL: server.url }, isEmpty: true })
  await signUp(shop, someone())
  const { pool } = shop.services.database
  const states = async () =>
    (await pool.query(`select state from pgboss.job where name = 'mail.account'`)).rows
  await expect.poll(states).toEqual([{ state: 'retry' }])
})

test('no job holds a password’s hash, and what a sign-up has chosen goes when its mail is sent', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const { auth, database } = shop.services
  const { pool } = database
  const email = someone()
  await signUp(shop, email)
  await mailsTo(shop, email, 1)
  const counted = async () =>
    (
      await pool.query(`select (select count(*) from auth.pending_sign_ups) as pending,
        (select count(*) from pgboss.job j where j::text like '%argon2%') as hashes,
        (select count(*) from pgboss.job where name = 'mail.account') as jobs`)
    ).rows[0]
  await expect.poll(counted).toEqual({ pending: 0, hashes: 0, jobs: 1 })

  await pool.query(
    `insert into auth.pending_sign_ups values (gen_random_uuid(), 'hash', '{}', now() - interval '5 days')`,
  )
  await auth.sweep()
  expect(await counted()).toMatchObject({ pending: 0 })
})

test('a sign-up is not swept while its mail waits, however long', async () => {
  await using shop = await openTestShop({ isEmpty: true, hasWorkers: false })
  const { database, auth } = shop.services
  const signUps = async () => (await database.pool.query('select from auth.pending_sign_ups')).rowCount
  await signUp(shop, someone())
  await age(database, 'auth.pending_sign_ups.created_at', '20 days')
  await auth.sweep()
  expect(await signUps()).toBe(1)
  await changeJobs(database, { state: 'failed' }, 'mail.account')
  await auth.sweep()
  expect(await signUps()).toBe(0)
})

test('a sign-up whose choices are missing fails, unless its mail has been sent', async () => {
  await using shop = await openTestShop({ isEmpty: true, hasWorkers: false })
  const asked = { kind: 'sign_up', id: randomUUID(), email: someone() } as const
  const attempt = { id: randomUUID(), number: 2, isLast: false }
  const run = () => accountMailJob.run(shop.services, asked, attempt)
  await expect(run()).rejects.toThrow('nothing is known any more of this sign-up')
  await shop.services.database.pool.query(
    `insert into mails (id, kind, recipient, subject, status, attempts) values ($1, 'sign_up', $2, '', 'sent', 1)`,
    [attempt.id, asked.email],
  )
  await run()
  expect(await shop.mailbox.all()).toEqual([])
})

test('a sign-up whose mail had to wait still carries its own password, not a later one’s', async () => {
  await using server = await openSmtpServer('refuses for now')
  await using shop = await openTestShop({ env: { SMTP_URL: server.url }, isEmpty: true })
  const email = someone()
  await signUp(shop, email, { display_name: 'First' })
  await expect.poll(() => server.emails.length).toBe(1)
  await signUp(shop, email, { display_name: 'Second' })
  await expect.poll(() => server.emails.length).toBe(2)
  server.behavior = 'takes mails'
  await soon(shop, () => server.emails.length).toBe(4)
  const names = server.emails.slice(2).map(({ email: mail }) => /Dear (\w+),/.exec(mail.text ?? '')?.[1])
  expect(names.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['First', 'Second'])
})
