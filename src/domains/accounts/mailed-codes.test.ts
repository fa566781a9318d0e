// Signing in, and confirming a sign-up, by the six digits of an email.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { codeIn, linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { giveFactor } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, sendsMail: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
const { pool } = shop.services.database

const browser = () => openBrowser(shop.url, { deviceId: randomUUID() })

/** What is given instead of the right code. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function askCode(email: string, { auth }: Awaited<ReturnType<typeof browser>>, mails = 1) {
  expect((await auth.signInWithOtp({ email })).error).toBeNull()
  return codeIn((await mailsTo(shop, email, mails)).at(-1)!)
}

test('a mailed code signs in, once', async () => {
  const { email, user_id } = await signedIn(shop)
  const here = await browser()
  await here.auth.signInWithOtp({ email: email.toUpperCase() })
  const code = codeIn((await mailsTo(shop, email, 1))[0]!)
  const { data, error } = await here.auth.verifyOtp({ email, token: code, type: 'email' })
  expect(error).toBeNull()
  expect(data.session?.user.id).toBe(user_id)
  expect(here.events.at(-1)).toBe('SIGNED_IN')
  const again = await here.auth.verifyOtp({ email, token: code, type: 'email' })
  expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' })
  expect((await here.auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('the mail has a link that signs in, too, and then the code has ended', async () => {
  const { email, user_id } = await signedIn(shop)
  const here = await browser()
  const code = await askCode(email, here)
  const link = linkIn((await mailsTo(shop, email, 1))[0]!)
  expect(link.type).toBe('magiclink')
  expect((await (await browser()).auth.verifyOtp(link)).data.user?.id).toBe(user_id)
  expect((await here.auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired')
})

test('a mailed code signs in as an Arabic keyboard types it, with hyphens too', async () => {
  const { email } = await signedIn(shop)
  const here = await browser()
  const code = await askCode(email, here)
  const arabic = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))
  const token = `${arabic.slice(0, 3)}-${arabic.slice(3)}`
  expect((await here.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull()
})

test('an unknown address gets the same response, no account and no mail', async () => {
  const email = someone()
  const { auth } = await browser()
  expect((await auth.signInWithOtp({ email, options: { shouldCreateUser: true } })).error).toBeNull()
  const known = await signedIn(shop)
  await askCode(known.email, await browser())
  expect((await shop.mailbox.all()).filter(({ to }) => to?.[0]?.address === email)).toEqual([])
  expect((await pool.query('select from auth.users where email = $1', [email])).rowCount).toBe(0)
  const refused = await auth.verifyOtp({ email, token: '123456', type: 'email' })
  expect(refused.error).toMatchObject({ status: 403, code: 'otp_expired' })
})

test('a code works for ten minutes', async () => {
  const { email } = await signedIn(shop)
  const here = await browser()
  const code = await askCode(email, here)
  time.ahead = 10 * 60_000 + 1_000
  expect((await here.auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired')
  time.ahead = 9 * 60_000
  expect((await here.auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull()
  time.ahead = 0
})

test('five wrong codes, also at once, end the code and not the account', async () => {
  const { email } = await signedIn(shop)
  const here = await browser()
  const code = await askCode(email, here)
  const guesses = Array.from({ length: 20 }, () =>
    here.auth.verifyOtp({ email, token: wrong(code), type: 'email' }),
  )
  for (const { error } of await Promise.all(guesses)) expect(error?.code).toBe('otp_expired')
  const { rows } = await pool.query(
    'select code_tries from auth.one_time_tokens join auth.users on users.id = user_id where users.email = $1',
    [email],
  )
  expect(rows).toEqual([{ code_tries: 5 }])
  expect((await here.auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired')
  expect((await here.auth.signInWithPassword({ email, password })).error).toBeNull()
  const next = await askCode(email, here, 2)
  expect((await here.auth.verifyOtp({ email, token: next, type: 'email' })).error).toBeNull()
})

test('a code opens only in the browser that asked, and tries elsewhere do not end it', async () => {
  const { email } = await signedIn(shop)
  const [here, stranger] = [await browser(), await browser()]
  const code = await askCode(email, here)
  for (let n = 0; n < 6; n++) {
    const { error } = await stranger.auth.verifyOtp({ email, token: code, type: 'email' })
    expect(error?.code).toBe('otp_expired')
  }
  expect((await here.auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull()
})

test('a second factor is still asked for, and a disabled account stays out', async () => {
  const { email, user_id } = await signedIn(shop)
  await giveFactor(shop.services.db, user_id)
  const here = await browser()
  const { data } = await here.auth.verifyOtp({ email, token: await askCode(email, here), type: 'email' })
  expect(data.user?.factors).toHaveLength(1)
  expect((await here.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  })
  const token = data.session!.access_token
  expect((await shop.call('GET', '/api/purchases', { token })).status).toBe(403)

  const code = await askCode(email, here, 2)
  await pool.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [user_id])
  const refused = await here.auth.verifyOtp({ email, token: code, type: 'email' })
  expect(refused.error?.code).toBe('user_banned')
})

test('the code of a sign-up confirms that sign-up, with its own password and name', async () => {
  const email = someone()
  const [attacker, victim] = [await browser(), await browser()]
  const name = (display_name: string) => ({ data: { display_name } })
  await attacker.auth.signUp({ email, password: "the attacker's", options: name('Mallory') })
  await mailsTo(shop, email, 1)
  await victim.auth.signUp({ email, password: "the victim's", options: name('Victoria') })
  const [strange, own] = await mailsTo(shop, email, 2)
  const approve = (mail: typeof strange) =>
    victim.auth.verifyOtp({ email, token: codeIn(mail!), type: 'signup' })
  expect((await approve(strange)).error?.code).toBe('otp_expired')
  const { data, error } = await approve(own)
  expect(error).toBeNull()
  expect(data.user?.user_metadata).toEqual({ display_name: 'Victoria' })
  const late = await attacker.auth.verifyOtp({ email, token: codeIn(strange!), type: 'signup' })
  expect(late.error?.code).toBe('otp_expired')
  expect((await victim.auth.signInWithPassword({ email, password: "the victim's" })).error).toBeNull()
})

test('a sign-up whose mail comes again has a new code, and the link of the first works on', async () => {
  const email = someone()
  const here = await browser()
  await here.auth.signUp({ email, password })
  await mailsTo(shop, email, 1)
  await here.auth.resend({ type: 'signup', email })
  const [first, second] = await mailsTo(shop, email, 2)
  expect(codeIn(first!)).toHaveLength(6)
  const { error } = await here.auth.verifyOtp({ email, token: codeIn(second!), type: 'signup' })
  expect(error).toBeNull()
})

test('a mail that comes again is of the sign-up in this browser, not of the latest one', async () => {
  const email = someone()
  const [owner, stranger, other] = [await browser(), await browser(), await browser()]
  await owner.auth.signUp({ email, password: "the owner's" })
  await mailsTo(shop, email, 1)
  await stranger.auth.signUp({ email, password: "the stranger's" })
  await mailsTo(shop, email, 2)
  await owner.auth.resend({ type: 'signup', email })
  const code = codeIn((await mailsTo(shop, email, 3)).at(-1)!)
  // A browser in which nobody signed up gets none of their passwords.
  await other.auth.resend({ type: 'signup', email })
  expect(await mailsTo(shop, email, 4)).toHaveLength(4)
  const { rows } = await pool.query(
    `select count(distinct t.password_hash)::int as passwords, count(*)::int as links
     from auth.one_time_tokens t join auth.users u on u.id = t.user_id where u.email = $1`,
    [email],
  )
  expect(rows).toEqual([{ passwords: 2, links: 4 }])
  expect((await owner.auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull()
  expect((await owner.auth.signInWithPassword({ email, password: "the owner's" })).error).toBeNull()
  const refused = await stranger.auth.signInWithPassword({ email, password: "the stranger's" })
  expect(refused.error?.code).toBe('invalid_credentials')
})

test('a sign-in code confirms an address that was never confirmed, and forgets the password of its sign-up', async () => {
  const email = someone()
  const stranger = await browser()
  await stranger.auth.signUp({ email, password, options: { data: { display_name: 'Mallory' } } })
  await mailsTo(shop, email, 1)
  const owner = await browser()
  const code = await askCode(email, owner, 2)
  const { data } = await owner.auth.verifyOtp({ email, token: code, type: 'email' })
  expect(data.user?.user_metadata).toEqual({})
  const { error } = await stranger.auth.signInWithPassword({ email, password })
  expect(error?.code).toBe('invalid_credentials')
})

test('a new password, and a new address, end the codes that were sent', async () => {
  const { email, auth } = await signedIn(shop)
  const here = await browser()
  const code = await askCode(email, here)
  expect((await auth.updateUser({ password: 'a new and better one' })).error).toBeNull()
  expect((await here.auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired')
})

test('the database does not hold the code', async () => {
  const { email } = await signedIn(shop)
  const code = await askCode(email, await browser())
  const { rows } = await pool.query(`select t::text from auth.one_time_tokens t`)
  expect(JSON.stringify(rows)).not.toContain(code)
  const jobs = await pool.query(`select data::text from pgboss.job where data::text like '%' || $1 || '%'`, [
    email,
  ])
  expect(JSON.stringify(jobs.rows)).not.toContain(code)
})
