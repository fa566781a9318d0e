// Admins may not have a password that guessing begins with, however they came by it.
import { afterAll, expect, test } from 'vitest'
import { openBrowser, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { isCommonPassword } from './passwords.ts'

const shop = await openTestShop({ isEmpty: true, hasWorkers: false, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
const common = 'Password1'
const { auth } = shop.services

const signIn = (email: string, password: string) =>
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
  expect((await signIn(email, 'an uncommon password')).status).toBe(200)
})

test('an admin does not change to one; a user does, and as admin signs in with it no more', async () => {
  const email = someone()
  const password = 'an uncommon password'
  const { user_id } = await auth.createAccount({ email, password, role: 'user', isOwnPassword: true })
  const browser = await openBrowser(shop.url)
  await browser.auth.signInWithPassword({ email, password })
  const change = (to: string) => browser.auth.updateUser({ password: to })
  expect((await change(common)).error).toBeNull()
  expect((await signIn(email, common)).status).toBe(200)

  await shop.services.db.transaction((tx) => auth.admin.setRole(tx, user_id, 'admin', true))
  const refused = await signIn(email, common)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    code: 'weak_password',
    weak_password: { reasons: ['pwned'] },
    message: expect.stringContaining('"Forgot password?"'),
  })
  expect((await change('letmein')).error).toMatchObject({ code: 'weak_password', reasons: ['pwned'] })
  expect((await change('another uncommon one')).error).toBeNull()
  expect((await signIn(email, 'another uncommon one')).status).toBe(200)
})
