// Nobody becomes admin with a password that another person may know.
import { expect, test } from 'vitest'
import { linkIn, openBrowser, type Browser } from '#test/auth-client.ts'
import { createPasswords } from './passwords.ts'
import { codeOf, enrol } from '#test/second-factor.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'

const known = 'known to its maker'

async function makeByHand(admin: Person, email: string): Promise<string> {
  const made = await admin.call('POST', '/api/admin/users', { body: { email, password: known } })
  expect(made.status).toBe(201)
  return findUser(admin, email)
}

async function findUser(admin: Person, email: string): Promise<string> {
  const found = await admin.call('GET', `/api/admin/users?q=${encodeURIComponent(email)}`)
  const { items } = (await found.json()) as { items: { user_id: string }[] }
  return items[0]!.user_id
}

async function signIn(shop: TestShop, email: string, password: string): Promise<Browser> {
  const browser = await openBrowser(shop.url)
  await browser.auth.signInWithPassword({ email, password })
  return browser
}

/** What a session may read now; 401 where it has ended. */
async function look(shop: TestShop, browser: Browser): Promise<number> {
  const token = browser.stored()?.access_token
  return (await shop.call('GET', '/api/admin/admins', token ? { token } : {})).status
}

async function mailTo(smtp: TestSmtpServer, email: string, subject: string) {
  const find = () =>
    smtp.emails.findLast(({ email: mail, envelope }) => {
      return envelope.to.includes(email) && mail.subject === subject
    })
  await expect.poll(find).toBeDefined()
  return find()!.email
}

const grants: Record<string, (admin: Person, made: { id: string; email: string }) => Promise<Response>> = {
  'PUT /users/{id}/roles/admin': (admin, { id }) =>
    admin.call('PUT', `/api/admin/users/${id}/roles/admin`, { body: {} }),
  'POST /admins': (admin, { email }) => admin.call('POST', '/api/admin/admins', { body: { email } }),
}

test.each(Object.keys(grants))(
  '%s: the maker of an account does not know the password of its admin',
  async (route) => {
    await using smtp = await openSmtpServer()
    await using shop = await openTestShop({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'off' } })
    const [admin, email] = [await shop.person({ role: 'admin' }), 'editor@books.example']
    const id = await makeByHand(admin, email)
    const maker = await signIn(shop, email, known)
    // Whoever knows the first password can choose a second one, ask for another address, and add a factor.
    await maker.auth.updateUser({ password: 'chosen by the maker too' })
    await maker.auth.updateUser({ email: 'maker@thief.example' })
    const toMaker = await mailTo(smtp, 'maker@thief.example', 'Please confirm your new email address')
    const { factorId, secret } = await enrol(maker, 'Of the maker')
    const code = codeOf(secret, new Date())
    expect((await maker.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()

    expect((await grants[route]!(admin, { id, email })).status).toBe(200)
    expect(await look(shop, maker)).toBe(401)
    for (const password of [known, 'chosen by the maker too'])
      expect(await look(shop, await signIn(shop, email, password))).toBe(401)
    const { token_hash, type } = linkIn(toMaker)
    expect((await maker.auth.verifyOtp({ token_hash, type })).error?.code).toBe('otp_expired')

    const invitation = linkIn(await mailTo(smtp, email, 'You are an admin now'))
    const owner = await openBrowser(shop.url)
    await owner.auth.verifyOtp({ token_hash: invitation.token_hash, type: 'recovery' })
    expect((await owner.auth.updateUser({ password: 'nine good words' })).error).toBeNull()
    expect(await look(shop, await signIn(shop, email, 'nine good words'))).toBe(200)
    const detail = await admin.call('GET', `/api/admin/users/${id}`)
    expect(await detail.json()).toMatchObject({ roles: ['admin', 'user'], factors: 0 })
  },
)

test('who signed up with a stranger’s address does not know the password of its admin', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'off' }, clock })
  const [admin, email] = [await shop.person({ role: 'admin' }), 'editor@books.example']
  const thief = await openBrowser(shop.url)
  const signUp = () => thief.auth.signUp({ email, password: known })
  await signUp()
  const link = linkIn(await mailTo(smtp, email, 'Please confirm your email address'))
  const id = await findUser(admin, email)
  expect((await admin.call('PUT', `/api/admin/users/${id}/roles/admin`, { body: {} })).status).toBe(200)
  expect((await thief.auth.verifyOtp(link)).error?.code).toBe('otp_expired')
  await signUp()
  await mailTo(smtp, email, 'You already have an account')
  expect(await look(shop, await signIn(shop, email, known))).toBe(401)

  const { token_hash } = linkIn(await mailTo(smtp, email, 'You are an admin now'))
  const owner = await openBrowser(shop.url)
  await owner.auth.verifyOtp({ token_hash, type: 'recovery' })
  expect((await owner.auth.updateUser({ password: 'nine good words' })).error).toBeNull()
  expect(await look(shop, owner)).toBe(200)
  // An admin is no sign-up that was forgotten.
  time.ahead = 4 * 24 * 3_600_000
  await shop.services.auth.sweep()
  expect(await look(shop, await signIn(shop, email, 'nine good words'))).toBe(200)
})

test('a password chosen through a mailed link is its owner’s, and stays', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'off' } })
  const [admin, email] = [await shop.person({ role: 'admin' }), 'editor@books.example']
  const id = await makeByHand(admin, email)
  const owner = await openBrowser(shop.url)
  await owner.auth.resetPasswordForEmail(email)
  const { token_hash } = linkIn(await mailTo(smtp, email, 'Choose a new password'))
  await owner.auth.verifyOtp({ token_hash, type: 'recovery' })
  await owner.auth.updateUser({ password: 'nine good words' })
  const granted = await admin.call('POST', '/api/admin/admins', { body: { email } })
  expect(await granted.json()).toEqual({ outcome: 'granted' })
  expect(await look(shop, owner)).toBe(200)
  // An admin stays one.
  await admin.call('PUT', `/api/admin/users/${id}/roles/admin`, { body: {} })
  expect(await look(shop, await signIn(shop, email, 'nine good words'))).toBe(200)
})

test('who had a stranger confirm the address does not know the password of its admin', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'off' } })
  const [admin, thief] = [await shop.person({ role: 'admin' }), await shop.person()]
  const email = 'editor@books.example'
  const browser = await signIn(shop, thief.email, thief.password)
  // Opened by a link to the address before: it proves nothing of the next one.
  await browser.auth.resetPasswordForEmail(thief.email)
  const { token_hash: own } = linkIn(await mailTo(smtp, thief.email, 'Choose a new password'))
  await browser.auth.verifyOtp({ token_hash: own, type: 'recovery' })
  await browser.auth.updateUser({ email })
  const asked = await mailTo(smtp, thief.email, 'The email address of your account is to change')
  for (const mail of [asked, await mailTo(smtp, email, 'Please confirm your new email address')])
    await (await openBrowser(shop.url)).auth.verifyOtp(linkIn(mail))
  await browser.auth.updateUser({ password: 'chosen by the thief' })
  const granted = await admin.call('POST', '/api/admin/admins', { body: { email } })
  expect(await granted.json()).toEqual({ outcome: 'invited' })
  expect(await look(shop, browser)).toBe(401)
})

test('without a mail server the grant is refused in words, and a second admin is made with a password', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const [admin, email] = [await shop.person({ role: 'admin' }), 'editor@books.example']
  const id = await makeByHand(admin, email)
  for (const grant of Object.values(grants)) {
    const refused = await grant(admin, { id, email })
    expect(await refused.json()).toMatchObject({
      status: 409,
      code: 'users.password_unproven',
      detail: expect.stringContaining('set one up first, or create an admin with another address'),
    })
  }
  expect(await look(shop, await signIn(shop, email, known))).toBe(403)
  const account = { email: 'second@books.example', password: 'nine good words', role: 'admin' }
  expect((await admin.call('POST', '/api/admin/users', { body: account })).status).toBe(201)
  expect(await look(shop, await signIn(shop, account.email, account.password))).toBe(200)
})

test('the admin of the settings has their password, not that of who made the account', async () => {
  await using shop = await openTestShop({
    hasWorkers: false,
    passwords: createPasswords(),
    env: { RATE_LIMIT: 'off' },
  })
  const [admin, email] = [await shop.person({ role: 'admin' }), 'editor@books.example']
  await makeByHand(admin, email)
  const maker = await signIn(shop, email, known)
  await shop.services.auth.ensureAdmin(email, 'of the settings')
  expect(await look(shop, maker)).toBe(401)
  expect(await look(shop, await signIn(shop, email, known))).toBe(401)
  const owner = await signIn(shop, email, 'of the settings')
  expect(await look(shop, owner)).toBe(200)
  // A restart undoes no change.
  await owner.auth.updateUser({ password: 'nine good words' })
  await shop.services.auth.ensureAdmin(email, 'of the settings')
  expect(await look(shop, await signIn(shop, email, 'nine good words'))).toBe(200)
})
