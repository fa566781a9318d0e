// One address is one account, in whatever script and with whatever invisible letters it is typed.
import { afterAll, expect, test } from 'vitest'
import { password } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { fieldsTexts } from '#words/fields.ts'

const shop = await openTestShop({
  isEmpty: true,
  env: { RATE_LIMIT: 'off', ADMIN_EMAIL: 'Autor@Bücher.example' },
})
afterAll(() => shop[Symbol.asyncDispose]())
const { pool } = shop.services.database

const signUp = (email: string) => shop.call('POST', '/auth/v1/signup', { body: { email, password } })

test('an address in another script is one account in each of its forms, and is mailed in punycode', async () => {
  const stored = 'ruth@xn--80a1acny.xn--p1ai'
  expect((await signUp('Ruth@ПОЧТА.рф')).status).toBe(200)
  await shop.mailbox.to(stored, /confirm/i)
  for (const typed of ['ruth@почта.рф.', 'ruth＠почта。рф', '\u202aruth@XN--80A1ACNY.xn--p1ai\u202c'])
    expect((await signUp(typed)).status).toBe(200)
  const { rows } = await pool.query("select email from auth.users where email like 'ruth@%'")
  expect(rows).toEqual([{ email: stored }])
  await pool.query('update auth.users set email_confirmed_at = now() where email = $1', [stored])
  for (const typed of [stored, 'ruth@почта.рф', 'RUTH@почта.РФ\u200b']) {
    const response = await shop.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: typed, password },
    })
    expect([typed, response.status]).toEqual([typed, 200])
    expect(await response.json()).toMatchObject({ user: { email: stored } })
  }
})

test('a letter of another script before the "@" is refused in words', async () => {
  const response = await signUp('jörg@example.com')
  expect(response.status).toBe(400)
  expect(JSON.stringify(await response.json())).toContain(fieldsTexts.foreignAddress)
})

test('a message is stored with the address in its one form, and the author gets it at hers', async () => {
  const body = {
    name: '\u200fRuth\u200e',
    email: "o'Neil&co/x!=y@中文。中国",
    subject: '\u2066Hi\u2069',
    message: 'Hello',
  }
  expect((await shop.call('POST', '/api/contact', { body })).status).toBe(201)
  const { rows } = await pool.query('select name, email, subject from contact_messages')
  expect(rows).toEqual([{ name: 'Ruth', email: "o'neil&co/x!=y@xn--fiq228c.xn--fiqs8s", subject: 'Hi' }])
  const { replyTo } = await shop.mailbox.to('autor@xn--bcher-kva.example')
  expect(replyTo).toMatchObject([{ address: "o'neil&co/x!=y@xn--fiq228c.xn--fiqs8s" }])
})
