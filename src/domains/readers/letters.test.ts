// Letters: the tick at a purchase, the button in the receipt, the page of the letters, the account, and the author's list.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test, vi } from 'vitest'
import { lettersWords } from '#contract/mail/letters-words.ts'
import type { SubscriberList } from '#contract/mail/subscribers.ts'
import { buyAsGuest, newVisitor, openGuestShop, rows, settleAsGuest, type Visitor } from '#test/guests.ts'
import { sessionOf } from '#test/paying.ts'
import { saveGroup } from '#test/settings.ts'
import type { TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'

const terms = { sender: 'Anna Miller', topics: 'news of my books', frequency: 'once a month', program: '' }
const words = lettersWords(terms)

async function openLetters() {
  const stack = new AsyncDisposableStack()
  const stripe = stack.use(await startStripe())
  const smtp = stack.use(await openSmtpServer())
  const shop = stack.use(await openGuestShop(stripe, { env: { SMTP_URL: smtp.url, RATE_LIMIT: 'on' } }))
  const admin = await shop.person({ role: 'admin' })
  const saved = await saveGroup(admin, { revision: 0, values: { is_on: true, ...terms } }, 'letters')
  expect(saved).toEqual({ status: 200 })
  async function buy(visitor: Visitor, letters?: string) {
    const { id } = await buyAsGuest(shop, visitor, letters === undefined ? {} : { letters })
    stripe.pay(sessionOf(stripe, id).id)
    await settleAsGuest(shop, id, visitor.proof)
    return id
  }
  return { shop, admin, stripe, smtp, buy, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const list = (shop: TestShop) =>
  rows<{ email: string; source: string | null; is_confirmed: boolean; is_ended: boolean }>(
    shop,
    `select email, coalesce(source, requested_source) as source, confirmed_at is not null as is_confirmed,
      ended_at is not null as is_ended from subscribers order by created_at`,
  )

async function mailTo(smtp: TestSmtpServer, email: string, subject: RegExp): Promise<string> {
  const find = () =>
    smtp.emails.findLast(
      ({ envelope, email: mail }) => envelope.to[0] === email && subject.test(mail.subject ?? ''),
    )
  return (await vi.waitUntil(find, 20_000)).email.text ?? ''
}

const tokenIn = (text: string) => /\/letters#([\w-]{43})/.exec(text)?.[1]

const press = (shop: TestShop, call: 'show' | 'confirm' | 'refuse', token = '') =>
  shop.call('POST', `/api/letters/${call}`, { body: { token } })

test('a guest who ticks the box confirms in the receipt; without the tick nothing is stored or mailed', async () => {
  await using letters = await openLetters()
  const { shop, smtp, buy } = letters
  const [ticked, plain, other] = [newVisitor(), newVisitor(), newVisitor()]
  await buy(plain)
  await buy(other, 'Other words than the shop’s')
  const { id: unpaid } = await buyAsGuest(shop, newVisitor(), { letters: words })
  expect(await list(shop)).toEqual([])
  expect(await rows(shop, 'select purchase_id from subscription_requests')).toEqual([{ purchase_id: unpaid }])
  await buy(ticked, words)
  expect(await list(shop)).toEqual([
    { email: ticked.email, source: 'order', is_confirmed: false, is_ended: false },
  ])
  for (const { email } of [plain, other])
    expect(tokenIn(await mailTo(smtp, email, /receipt/))).toBeUndefined()

  const token = tokenIn(await mailTo(smtp, ticked.email, /receipt/))
  const shown = await (await press(shop, 'show', token)).json()
  expect(shown).toMatchObject({ words, state: 'unconfirmed', email: expect.stringMatching(/^g…@example/) })
  expect(await list(shop)).toMatchObject([{ is_confirmed: false }])
  const presses = await Promise.all([press(shop, 'confirm', token), press(shop, 'confirm', token)])
  for (const pressed of presses) expect(await pressed.json()).toMatchObject({ state: 'confirmed' })
  expect(await list(shop)).toMatchObject([{ is_confirmed: true, is_ended: false }])
  expect(await rows(shop, `select kind from mails where kind = 'letters_confirm'`)).toEqual([])
})

test('a canceled purchase takes the tick along, and a refund ends nothing', async () => {
  await using letters = await openLetters()
  const { shop, stripe } = letters
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor, { letters: words })
  stripe.expire(sessionOf(stripe, id).id)
  await settleAsGuest(shop, id, visitor.proof)
  expect(await rows(shop, 'select status from purchases')).toEqual([{ status: 'canceled' }])
  expect(await rows(shop, 'select purchase_id from subscription_requests')).toEqual([])
})

test('the page mails one question to an address, and the answer is the same where it is on the list', async () => {
  await using letters = await openLetters()
  const { shop, smtp } = letters
  const email = 'visitor@example.com'
  const ask = (body: object = {}) => shop.call('POST', '/api/letters', { body: { email, words, ...body } })
  expect((await ask({ website: 'https://spam.example' })).status).toBe(422)
  expect(await (await ask({ words: 'Others' })).json()).toMatchObject({ code: 'letters.changed' })
  expect(await list(shop)).toEqual([])
  const spent = `select key from rate_limits where key like '%${email}%'`
  expect(await rows(shop, spent)).toEqual([])
  const first = await ask()
  expect(await rows(shop, spent)).not.toEqual([])
  const token = tokenIn(await mailTo(smtp, email, /letters by email/))
  await press(shop, 'confirm', token)
  const second = await ask()
  expect([first.status, await first.text()]).toEqual([second.status, await second.text()])
  expect(await list(shop)).toEqual([{ email, source: 'letters', is_confirmed: true, is_ended: false }])

  const [{ token: leaving } = { token: '' }] = await rows<{ token: string }>(
    shop,
    'select token from subscribers',
  )
  const seen = await (await shop.call('GET', `/api/subscriptions/${leaving}`)).json()
  expect(seen).toMatchObject({ words, source: 'letters', ended_at: null })
  expect(await list(shop)).toMatchObject([{ is_ended: false }])
  expect((await shop.call('POST', `/emails/${leaving}`)).status).toBe(204)
  expect(await list(shop)).toMatchObject([{ is_ended: true }])
  expect(await (await press(shop, 'confirm', token)).json()).toMatchObject({ state: 'ended' })
  expect((await shop.call('DELETE', `/api/subscriptions/${leaving}`)).status).toBe(200)
  expect(await list(shop)).toEqual([])
})

test('a signed-in reader switches both ways, and a changed address takes the letters along', async () => {
  await using letters = await openLetters()
  const { shop } = letters
  const reader = await shop.person()
  const save = (body: object) => reader.call('PUT', '/api/account/letters', { body })
  expect(await (await reader.call('GET', '/api/account/letters')).json()).toEqual({
    is_offered: true,
    subscription: null,
  })
  expect(await (await save({ words })).json()).toMatchObject({ subscription: { words, source: 'account' } })
  expect(await (await save({})).json()).toMatchObject({
    subscription: { ended_at: expect.any(String) as string },
  })
  expect(await list(shop)).toMatchObject([{ email: reader.email, is_ended: true }])
})

test('the author lists, ends and exports those who have confirmed, and nobody else', async () => {
  await using letters = await openLetters()
  const { shop, admin } = letters
  const [first, second] = [await shop.person(), await shop.person()]
  for (const reader of [first, second]) await reader.call('PUT', '/api/account/letters', { body: { words } })
  await shop.call('POST', '/api/letters', { body: { email: 'unconfirmed@example.com', words } })
  const read = async () =>
    (await (await admin.call('GET', '/api/admin/subscribers')).json()) as SubscriberList
  const { items, counts } = await read()
  expect(items.map(({ email }) => email).toSorted()).toEqual([first.email, second.email].toSorted())
  expect(counts).toEqual({ order: 0, letters: 0, account: 2, excerpt: 0 })
  const { id } = items.find(({ email }) => email === first.email)!
  expect((await admin.call('POST', `/api/admin/subscribers/${id}/end`)).status).toBe(200)
  const csv = await readCsv(shop, admin)
  expect(csv).toContain(second.email)
  expect(csv).toMatch(/\/emails\/[\w-]{22}/)
  expect(await rows(shop, `select subject from audit_log where action = 'subscribers.ended'`)).toEqual([
    { subject: 'an address' },
  ])
  for (const hidden of [first.email, 'unconfirmed@example.com']) expect(csv).not.toContain(hidden)
  expect((await admin.call('DELETE', `/api/admin/subscribers/${id}`)).status).toBe(200)
  expect((await admin.call('DELETE', `/api/admin/subscribers/${id}`)).status).toBe(404)
  expect(await (await admin.call('POST', '/api/admin/subscribers/end')).json()).toEqual({ ended: 1 })
  expect((await read()).counts.account).toBe(0)
})

async function readCsv(shop: TestShop, admin: Person): Promise<string> {
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'subscribers' } })
  const { url } = (await asked.json()) as { url: string }
  return (await shop.call('GET', url)).text()
}

test('switched off, nothing is asked and no tick is taken; the words have to be said before it is switched on', async () => {
  await using letters = await openLetters()
  const { shop, admin, buy } = letters
  const unsaid = await saveGroup(admin, { revision: 1, values: { topics: '' } }, 'letters')
  expect(unsaid).toMatchObject({ status: 422, fields: { topics: expect.any(String) as string } })
  await saveGroup(admin, { revision: 1, values: { is_on: false } }, 'letters')
  await buy(newVisitor(), words)
  expect(await list(shop)).toEqual([])
  const asked = await shop.call('POST', '/api/letters', { body: { email: 'visitor@example.com', words } })
  expect(await asked.json()).toMatchObject({ code: 'letters.not_offered' })
})
