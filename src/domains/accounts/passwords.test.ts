// The threads that hash, the bound on what waits for them, and the hashes themselves.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, afterAll } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { startProcess, untilPrinted } from '#test/start-process.ts'
import { createPasswords, openHashing, isCommonPassword } from './passwords.ts'
import { linkIn, openBrowser, type Browser, someone } from '#test/auth-client.ts'
import { codeOf, enrol } from '#test/second-factor.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'

test('hashes within the queue’s limit are computed, later ones are refused with Retry-After', async () => {
  const hashing = openHashing({ threads: 2, maxQueued: 3 })
  const tasks = Array.from({ length: 8 }, (_, n) => hashing({ password: `password ${n}` }))
  const outcomes = await Promise.allSettled(tasks)
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array<string>(5).fill('fulfilled'),
    ...Array<string>(3).fill('rejected'),
  ])
  expect(outcomes[7]).toMatchObject({ reason: { code: 'auth.request_timeout', status: 503, retryAfter: 2 } })
  expect(await hashing({ password: 'later' })).toMatch(/^\$argon2id/)
})

test('each result goes to its own caller', async () => {
  const hashing = openHashing({ threads: 2, maxQueued: 20 })
  const hashes = await Promise.all([0, 1, 2, 3].map((n) => hashing({ password: `password ${n}` })))
  const compare = (password_hash: string | boolean, n: number) =>
    hashing({ password: `password ${n}`, password_hash: String(password_hash) })
  expect(await Promise.all(hashes.map(compare))).toEqual([true, true, true, true])
  expect(await Promise.all(hashes.toReversed().map(compare))).toEqual([false, false, false, false])
})

test('a password is right in each form in which keyboards write it', async () => {
  const passwords = createPasswords()
  const forms = [
    'Zoë’s ﬁne café 12',
    'Zoe\u0308’s ﬁne cafe\u0301 12',
    'Zoë’s fine café １２',
    '\u2060Zoë’s fine café 12\u200b',
  ]
  const password_hash = await passwords.hash('Zoë’s fine café 12')
  for (const form of forms) expect([form, await passwords.isRight(form, password_hash)]).toEqual([form, true])
  expect(await passwords.isRight('Zoe’s fine café 12', password_hash)).toBe(false)
  expect(await passwords.isRight('zoë’s fine café 12', password_hash)).toBe(false)
})

test('what is no hash fails, and the thread goes on', async () => {
  const hashing = openHashing({ threads: 1, maxQueued: 1 })
  await expect(hashing({ password: 'x', password_hash: 'no hash' })).rejects.toThrow()
  expect(await hashing({ password: 'x' })).toMatch(/^\$argon2id/)
})

test('under node --watch, as in development, what Node itself says of a thread is no response', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-hashing-'))
  const script = join(folder, 'hash.mjs')
  const hashing = new URL('passwords.ts', import.meta.url)
  await writeFile(
    script,
    `const { openHashing } = await import('${hashing.href}')
    console.log(String(await openHashing({ threads: 1, maxQueued: 1 })({ password: 'x' })))`,
  )
  const child = startProcess('node', ['--watch', script], { hasGroup: true })
  const first = await untilPrinted(child)
  await child.stop()
  await rm(folder, { recursive: true })
  expect(first).toMatch(/^\$argon2id/)
})

test('hashes are argon2id with 19 MiB and two passes, salted, and nobody matches no hash', async () => {
  const passwords = createPasswords()
  const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
  expect(await passwords.isRight('secret', first)).toBe(true)
  expect(await passwords.isRight('Secret', first)).toBe(false)
  expect(await passwords.isRight('', null)).toBe(false)
})

// Nobody becomes admin with a password that another person may know.

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
  time.ahead = 4 * dayMs
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

// Admins may not have a password that guessing begins with, however they came by it.

const shop = await openTestShop({ isEmpty: true, hasWorkers: false, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
const common = 'Password1'
const { auth } = shop.services

const trySignIn = (email: string, password: string) =>
  shop.call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })

test('common is what stands among the 10,000 commonest of six characters or more, in any case', async () => {
  for (const each of ['123456', 'PASSWORD', 'qwertyuiop', 'iloveyou', 'trustno1', common])
    expect(await isCommonPassword(each)).toBe(true)
  for (const each of ['correct horse', 'nine good words', '1234', 'X7#mq!vL2p', '__proto__'])
    expect(await isCommonPassword(each)).toBe(false)
})

test('no admin is made with a common password, by hand or by the settings; users may have one', async () => {
  const admin = await shop.person({ role: 'admin' })
  const create = (role: string, email = someone()) =>
    admin.call('POST', '/functions/v1/admin-create-user', { body: { email, password: common, role } })
  const refused = await create('admin')
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    success: false,
    error: expect.stringContaining('one of the 10,000 most common passwords'),
  })
  expect((await create('user')).status).toBe(200)
  await expect(auth.ensureAdmin(someone(), common)).rejects.toThrow('most common')

  const email = someone()
  await auth.ensureAdmin(email, 'an uncommon password')
  await auth.ensureAdmin(email, common)
  expect((await trySignIn(email, 'an uncommon password')).status).toBe(200)
})

test('an admin does not change to one; a user does, and as admin signs in with it no more', async () => {
  const email = someone()
  const password = 'an uncommon password'
  const { user_id } = await auth.createAccount({ email, password, role: 'user', isOwnPassword: true })
  const browser = await openBrowser(shop.url)
  await browser.auth.signInWithPassword({ email, password })
  const change = (to: string) => browser.auth.updateUser({ password: to })
  expect((await change(common)).error).toBeNull()
  expect((await trySignIn(email, common)).status).toBe(200)

  await shop.services.db.transaction((tx) => auth.admin.setRole(tx, user_id, 'admin', true))
  const refused = await trySignIn(email, common)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    code: 'weak_password',
    weak_password: { reasons: ['pwned'] },
    message: expect.stringContaining('"Forgot password?"'),
  })
  expect((await change('letmein')).error).toMatchObject({ code: 'weak_password', reasons: ['pwned'] })
  expect((await change('another uncommon one')).error).toBeNull()
  expect((await trySignIn(email, 'another uncommon one')).status).toBe(200)
})
