// An account without a password proves itself by a code that is mailed to it, and so may one whose password is forgotten.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { codeIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { findOrAddAccount } from './created-accounts.ts'

const shop = await openTestShop({ clock, isEmpty: true, sendsMail: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

const tenMinutes = 10 * 60_000

/** A reader whose account a gift has made, signed in by a mailed code. */
async function withoutPassword() {
  const email = someone()
  const { services } = shop
  await services.db.transaction((tx) => findOrAddAccount(tx, { id: randomUUID(), email }, services.clock()))
  const deviceId = randomUUID()
  const browser = await openBrowser(shop.url, { deviceId })
  await browser.auth.signInWithOtp({ email })
  const token = codeIn((await mailsTo(shop, email, 1))[0]!)
  expect((await browser.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull()
  return { ...browser, email, deviceId }
}

type Reader = Awaited<ReturnType<typeof withoutPassword>>

async function askCode({ auth, email }: Pick<Reader, 'auth' | 'email'>, mails: number) {
  expect((await auth.reauthenticate()).error).toBeNull()
  return (await mailsTo(shop, email, mails)).at(-1)!
}

async function prove({ stored, deviceId }: Pick<Reader, 'stored' | 'deviceId'>, code: string) {
  const headers = { [deviceHeader]: deviceId }
  const token = stored()!.access_token
  return (await shop.call('POST', '/api/me/proof', { body: { code }, headers, token })).status
}

test('a mailed code is a proof for ten minutes, and with it an account gets its first password', async () => {
  const reader = await withoutPassword()
  const account = async () =>
    (await shop.call('GET', '/api/account', { token: reader.stored()!.access_token })).json()
  expect(await account()).toMatchObject({ email: reader.email, has_password: false })
  time.ahead += tenMinutes
  const refused = await reader.auth.updateUser({ password })
  expect(refused.error?.code).toBe('reauthentication_needed')
  const mail = await askCode(reader, 2)
  expect(mail.subject).toBe(`${codeIn(mail)} is your code`)
  expect(mail.text).not.toContain('token_hash')
  const code = codeIn(mail)
  expect(await prove(reader, String((Number(code) + 1) % 1_000_000).padStart(6, '0'))).toBe(403)
  expect(await prove({ ...reader, deviceId: randomUUID() }, code)).toBe(403)
  expect(await prove(reader, code)).toBe(200)
  expect(await prove(reader, code)).toBe(403)
  expect((await reader.auth.updateUser({ password })).error).toBeNull()
  expect(await account()).toMatchObject({ has_password: true })
  const elsewhere = await openBrowser(shop.url)
  expect((await elsewhere.auth.signInWithPassword({ email: reader.email, password })).error).toBeNull()
})

test('the code may come with the change, as GoTrue’s clients send it', async () => {
  const reader = await withoutPassword()
  time.ahead += tenMinutes
  const nonce = codeIn(await askCode(reader, 2))
  const wrong = await reader.auth.updateUser({ password, nonce: '000000' === nonce ? '000001' : '000000' })
  expect(wrong.error?.code).toBe('otp_expired')
  expect((await reader.auth.updateUser({ password, nonce })).error).toBeNull()
})

test('a code proves only the account that it was mailed to', async () => {
  const reader = await withoutPassword()
  const stranger = await signedIn(shop)
  time.ahead += tenMinutes
  const code = codeIn(await askCode(reader, 2))
  expect(await prove({ stored: stranger.stored, deviceId: reader.deviceId }, code)).toBe(403)
  expect((await shop.call('GET', '/auth/v1/reauthenticate')).status).toBe(401)
})
