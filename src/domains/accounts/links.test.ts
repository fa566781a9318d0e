// How long mailed links work, and what else makes them stop.
import { afterAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { randomUUID } from 'node:crypto'
import { age, changeJobs } from '#test/changes.ts'
import { soon } from '#test/retries.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { accountMailJob } from './account.emails.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

type Link = ReturnType<typeof linkIn>

async function press({ token_hash, type }: Link) {
  const response = await shop.call('POST', '/auth/v1/verify', { body: { token_hash, type } })
  return response.ok ? 'in' : ((await response.json()) as { code: string }).code
}

/** Two links of each kind; the old mailbox has confirmed the new address. */
async function links() {
  const { auth } = await openBrowser(shop.url)
  const email = someone()
  await auth.signUp({ email, password })
  await mailsTo(shop, email, 1)
  await auth.resend({ type: 'signup', email })
  const person = await signedIn(shop)
  const new_email = someone()
  for (const n of [1, 2]) {
    await auth.resetPasswordForEmail(person.email)
    if (n === 1) await person.auth.updateUser({ email: new_email })
    else await person.auth.resend({ type: 'email_change', email: person.email })
    // The link, and the one of the changed address.
    await mailsTo(shop, person.email, 2 * n)
    await mailsTo(shop, new_email, n)
  }
  const linksTo = async (address: string, type: Link['type']) =>
    (await mailsTo(shop, address, 2)).map(linkIn).filter((link) => link.type === type) as [Link, Link]
  const [current] = await linksTo(person.email, 'email_change')
  await person.auth.verifyOtp(current)
  return {
    ...person,
    signup: await linksTo(email, 'signup'),
    recovery: await linksTo(person.email, 'recovery'),
    email_change: await linksTo(new_email, 'email_change'),
  }
}

test('a link to confirm works a day, one to reset an hour', async () => {
  const { signup, recovery, email_change } = await links()
  for (const [link, lifetime] of [
    [recovery[0], hourMs],
    [signup[0], dayMs],
    [email_change[0], dayMs],
  ] as const) {
    time.ahead = lifetime + 1_000
    expect(await press(link)).toBe('otp_expired')
    time.ahead = lifetime - 60_000
    expect(await press(link)).toBe('in')
  }
})

test('one link pressed, the others of its kind stop working', async () => {
  const { signup, recovery, email_change } = await links()
  for (const [first, second] of [signup, recovery, email_change]) {
    expect(await press(second)).toBe('in')
    expect(await press(first)).toBe('otp_expired')
  }
})

test('a new address makes links sent to the old one stop', async () => {
  const { recovery, email_change } = await links()
  expect(await press(email_change[0])).toBe('in')
  expect(await press(recovery[0])).toBe('otp_expired')
})

test('a new password makes every link of the account stop', async () => {
  const { auth, recovery, email_change } = await links()
  expect((await auth.updateUser({ password: 'a new and better one' })).error).toBeNull()
  expect(await press(recovery[0])).toBe('otp_expired')
  expect(await press(email_change[0])).toBe('otp_expired')
})

// What mails about an account may carry, and what becomes of those that cannot be delivered.

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
  const env = { SMTP_URL: server.url, RATE_LIMIT: 'off' }
  await using shop = await openTestShop({ env, isEmpty: true })
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
