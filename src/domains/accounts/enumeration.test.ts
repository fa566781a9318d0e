// Nobody learns from outside whether an address has an account, and nobody gets at one by signing up first.
import { afterAll, expect, test } from 'vitest'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { createPasswords } from './passwords.ts'

const shop = await openTestShop({
  isEmpty: true,
  env: { RATE_LIMIT: 'off' },
  passwords: createPasswords(),
})
afterAll(() => shop[Symbol.asyncDispose]())

/** Every key and the type of its value, at any depth: what a response looks like, without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}

async function look(path: string, body: object) {
  const response = await shop.call('POST', `/auth/v1${path}`, { body })
  const headers = [...response.headers.keys()].filter((name) => name !== 'date').toSorted()
  return { status: response.status, headers, body: shapeOf(await response.json()) }
}

async function addresses() {
  const { email: confirmed } = await signedIn(shop)
  const unconfirmed = someone()
  await (await openBrowser(shop.url)).auth.signUp({ email: unconfirmed, password })
  await mailsTo(shop, unconfirmed, 1)
  return { confirmed, unconfirmed, unknown: someone() }
}

test.for([
  ['/signup', { password, data: { display_name: 'Ruth' } }],
  ['/recover', {}],
  ['/otp', { create_user: true }],
  ['/resend', { type: 'signup' }],
  ['/resend', { type: 'email_change' }],
  ['/token?grant_type=password', { password: 'wrong password' }],
] as const)(
  '%s %o answers alike for a confirmed, an unconfirmed and an unknown address',
  async ([path, body]) => {
    const { confirmed, unconfirmed, unknown } = await addresses()
    const expected = await look(path, { email: unknown, ...body })
    expect(expected.status).toBe(path.startsWith('/token') ? 400 : 200)
    expect(await look(path, { email: confirmed, ...body })).toEqual(expected)
    expect(await look(path, { email: unconfirmed, ...body })).toEqual(expected)
  },
)

test('a wrong password takes as long for an unknown address as for a known one', async () => {
  const { email } = await signedIn(shop)
  const time = async (address: string) => {
    const start = performance.now()
    await look('/token?grant_type=password', { email: address, password: 'wrong password' })
    return performance.now() - start
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let n = 0; n < 15; n++) {
    known.push(await time(email))
    unknown.push(await time(someone()))
  }
  // Of each the quickest, which a busy machine has disturbed least.
  const ratio = Math.min(...unknown) / Math.min(...known)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('a sign-up with a known address changes nothing and tells its owner', async () => {
  const { email, auth } = await signedIn(shop)
  const stranger = await openBrowser(shop.url)
  const data = { display_name: 'Stranger' }
  await stranger.auth.signUp({ email, password: 'of a stranger', options: { data } })
  const [mail] = await mailsTo(shop, email, 1)
  expect(mail!.subject).toBe('You already have an account')
  expect(mail!.text).not.toContain('token_hash')
  expect((await auth.getUser()).data.user!.user_metadata).toEqual({})
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('who signed up first with the address of another does not know the password of its account', async () => {
  const email = someone()
  const attacker = await openBrowser(shop.url)
  const victim = await openBrowser(shop.url)
  await attacker.auth.signUp({
    email,
    password: "the attacker's",
    options: { data: { display_name: 'Mallory' } },
  })
  await mailsTo(shop, email, 1)
  await victim.auth.signUp({
    email,
    password: "the victim's",
    options: { data: { display_name: 'Victoria' } },
  })
  await mailsTo(shop, email, 2)
  await attacker.auth.signUp({ email, password: "the attacker's second" })
  const [first, own, third] = await mailsTo(shop, email, 3)

  const { data } = await victim.auth.verifyOtp(linkIn(own!))
  expect(data.user!.user_metadata).toEqual({ display_name: 'Victoria' })
  for (const guess of ["the attacker's", "the attacker's second"]) {
    expect((await attacker.auth.signInWithPassword({ email, password: guess })).error?.status).toBe(400)
  }
  for (const other of [first, third]) {
    expect((await attacker.auth.verifyOtp(linkIn(other!))).error?.code).toBe('otp_expired')
  }
  expect((await victim.auth.signInWithPassword({ email, password: "the victim's" })).error).toBeNull()
})

test('a reset of an account that was never confirmed forgets the password chosen at its sign-up', async () => {
  const email = someone()
  const attacker = await openBrowser(shop.url)
  await attacker.auth.signUp({ email, password: "the attacker's" })
  const [signUp] = await mailsTo(shop, email, 1)
  const owner = await openBrowser(shop.url)
  await owner.auth.resetPasswordForEmail(email)
  const [, reset] = await mailsTo(shop, email, 2)
  expect((await owner.auth.verifyOtp(linkIn(reset!))).error).toBeNull()
  expect((await attacker.auth.verifyOtp(linkIn(signUp!))).error?.code).toBe('otp_expired')
  const guess = await attacker.auth.signInWithPassword({ email, password: "the attacker's" })
  expect(guess.error?.code).toBe('invalid_credentials')
  expect((await owner.auth.updateUser({ password: "the owner's" })).error).toBeNull()
})

test('of the links of two sign-ups pressed at once, one counts', async () => {
  const email = someone()
  const { auth } = await openBrowser(shop.url)
  await auth.signUp({ email, password: 'first password' })
  await mailsTo(shop, email, 1)
  await auth.signUp({ email, password: 'second password' })
  const links = (await mailsTo(shop, email, 2)).map(linkIn)
  const press = ({ token_hash, type }: (typeof links)[number]) =>
    shop.call('POST', '/auth/v1/verify', { body: { token_hash, type } })
  const responses = await Promise.all([...links, ...links, ...links].map(press))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 403)).toHaveLength(5)
})

test('no job and no table holds a token, and an unknown address gets no mail', async () => {
  const { confirmed, unknown } = await addresses()
  const { auth } = await openBrowser(shop.url)
  await auth.resetPasswordForEmail(unknown)
  await auth.resend({ type: 'signup', email: unknown })
  await auth.resend({ type: 'signup', email: confirmed })
  await auth.resend({ type: 'email_change', email: confirmed })
  await auth.resetPasswordForEmail(confirmed)
  const [mail, ...others] = await mailsTo(shop, confirmed, 1)
  expect(others).toEqual([])
  expect(mail!.subject).toBe('Choose a new password')
  const { token_hash } = linkIn(mail!)
  const { rows } = await shop.services.database.pool.query(`
    select coalesce(string_agg(j::text, ''), '') || (select string_agg(t::text, '') from auth.one_time_tokens t) as text
    from pgboss.job j`)
  expect(rows[0].text).not.toContain(token_hash)
  expect(rows[0].text).not.toContain(password)
  const all = await shop.mailbox.all()
  expect(all.filter(({ to }) => to?.some(({ address }) => address === unknown))).toEqual([])
})
