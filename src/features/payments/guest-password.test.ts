// A password chosen after a payment with an address only: what it opens, and when it ends.
import { randomUUID } from 'node:crypto'
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { codeIn, linkIn, mailsTo, openBrowser } from '#test/auth-client.ts'
import {
  accounts,
  choosePassword,
  codeOf,
  downloadAsGuest,
  newProof,
  newVisitor,
  openByPassword,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
  sizeOf,
  type Visitor,
} from '#test/guests.ts'
import { own, sessionOf } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { settlePurchase } from './settle.ts'

const password = 'nine good words'
const open = (shop: TestShop, { email }: Pick<Visitor, 'email'>, proof = newProof(), given = password) =>
  openByPassword(shop, { email, password: given, proof })
const stateOf = async (shop: TestShop, id: string, { proof }: Visitor) =>
  (await settleAsGuest(shop, id, proof)).password

test('the password of a purchase opens it in another browser, makes no session, and opens nothing else', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const visitor = newVisitor('ruth@example.com')
  const id = await payAsGuest(shop, stripe, visitor)
  expect(await stateOf(shop, id, visitor)).toBe('offered')
  expect((await choosePassword(shop, id, visitor.proof, 'short')).status).toBe(422)
  expect((await choosePassword(shop, id, visitor.proof, password)).status).toBe(200)
  expect(await stateOf(shop, id, visitor)).toBe('chosen')
  const later = newVisitor('ruth@example.com')
  const other = await payAsGuest(shop, stripe, later)

  const { auth } = await openBrowser(shop.url)
  const { error } = await auth.signInWithPassword({ email: 'ruth@example.com', password })
  expect(error?.code).toBe('invalid_credentials')
  const proof = newProof()
  time.ahead = 3 * 24 * 3_600_000
  const opened = await open(shop, { email: 'RUTH@example.com' }, proof)
  expect(await opened.json()).toMatchObject({ id, access_ends_at: expect.any(String) as string })
  expect(await settleAsGuest(shop, id, proof)).toMatchObject({ status: 'completed', password: null })
  expect(await sizeOf(shop, await downloadAsGuest(shop, id, proof))).toMatchObject({ status: 200 })
  expect((await downloadAsGuest(shop, other, proof)).status).toBe(404)
  // It buys nothing, and chooses no other password.
  expect(await codeOf(await choosePassword(shop, id, proof, 'another one'))).toBe(
    'guest_checkout.password_not_offered',
  )
  expect(await codeOf(await open(shop, visitor, visitor.proof))).toBe('purchases.key_reused')
  time.ahead += 24 * 3_600_000
  expect((await downloadAsGuest(shop, id, proof)).status).toBe(410)
  expect(await rows(shop, 'select id from auth.sessions')).toEqual([])
  expect(JSON.stringify(await rows(shop, 'select p::text from auth.purchase_passwords p'))).not.toContain(
    password,
  )
})

test('it is offered to the browser whose payment made the account, and to nobody else', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const reader = await shop.person({ email: 'reader@example.com' })
  const [first, second, existing] = [
    newVisitor('ruth@example.com'),
    newVisitor('ruth@example.com'),
    newVisitor(reader.email),
  ]
  const mine = await payAsGuest(shop, stripe, first)
  for (const visitor of [second, existing]) {
    const id = await payAsGuest(shop, stripe, visitor)
    expect(await stateOf(shop, id, visitor)).toBe(null)
    expect(await codeOf(await choosePassword(shop, id, visitor.proof, password))).toBe(
      'guest_checkout.password_not_offered',
    )
  }
  const { html = '' } = await shop.mailbox.to('ruth@example.com')
  const [, token = ''] = new RegExp(`/purchase/${mine}#([\\w-]{43})`).exec(html) ?? []
  expect((await settleAsGuest(shop, mine, token)).password).toBe(null)
  expect((await choosePassword(shop, mine, token, password)).status).toBe(409)
  expect((await choosePassword(shop, mine, newProof(), password)).status).toBe(404)
  expect((await open(shop, existing)).status).toBe(400)
  expect((await own(reader)).length).toBe(1)
})

/** Of each, the address is confirmed by somebody who has the mailbox, or by the author. */
const confirmations = {
  'a code': async (shop: TestShop, email: string) => {
    const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
    await auth.signInWithOtp({ email })
    const mail = (await mailsTo(shop, email, 2)).at(-1)!
    expect((await auth.verifyOtp({ email, token: codeIn(mail), type: 'email' })).error).toBeNull()
  },
  'a link, opened without an id of the device': async (shop: TestShop, email: string) => {
    const { auth } = await openBrowser(shop.url)
    await auth.signInWithOtp({ email })
    expect((await auth.verifyOtp(linkIn((await mailsTo(shop, email, 2)).at(-1)!))).error).toBeNull()
  },
  'a sign-up': async (shop: TestShop, email: string) => {
    const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
    await auth.signUp({ email, password: 'her own password' })
    const mail = (await mailsTo(shop, email, 2)).at(-1)!
    expect((await auth.verifyOtp({ email, token: codeIn(mail), type: 'signup' })).error).toBeNull()
    expect((await auth.signInWithPassword({ email, password: 'her own password' })).error).toBeNull()
  },
  'a mail that was asked for again': async (shop: TestShop, email: string) => {
    const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
    await auth.resend({ type: 'signup', email })
    expect((await auth.verifyOtp(linkIn((await mailsTo(shop, email, 2)).at(-1)!))).error).toBeNull()
  },
  'a new password': async (shop: TestShop, email: string) => {
    const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
    await auth.resetPasswordForEmail(email)
    expect((await auth.verifyOtp(linkIn((await mailsTo(shop, email, 2)).at(-1)!))).error).toBeNull()
  },
  'the author': (shop: TestShop, email: string) =>
    shop.services.auth.createAccount({ email, password: 'by the author', role: 'user' }),
  'the author, who makes it admin': (shop: TestShop, email: string) =>
    shop.services.db.transaction((tx) => shop.services.auth.admin.inviteAdmin(tx, email)),
}

test('a password planted with a stranger’s address ends when the address is confirmed, and what it opened closes', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { sendsMail: true })
  for (const [by, confirm] of Object.entries(confirmations)) {
    const visitor = newVisitor()
    const id = await payAsGuest(shop, stripe, visitor)
    await choosePassword(shop, id, visitor.proof, password)
    const proof = newProof()
    expect((await open(shop, visitor, proof)).status).toBe(200)
    const { url } = (await (await downloadAsGuest(shop, id, proof)).json()) as { url: string }
    await shop.mailbox.to(visitor.email, /receipt/i)
    await confirm(shop, visitor.email)
    const after = {
      open: (await open(shop, visitor)).status,
      opened: (await downloadAsGuest(shop, id, proof)).status,
      file: (await shop.call('GET', url)).status,
      again: (await choosePassword(shop, id, visitor.proof, password)).status,
      state: await stateOf(shop, id, visitor),
    }
    expect([by, after]).toEqual([by, { open: 400, opened: 404, file: 404, again: 409, state: null }])
    const { auth } = await openBrowser(shop.url)
    const { error } = await auth.signInWithPassword({ email: visitor.email, password })
    expect([by, error?.code]).toEqual([by, 'invalid_credentials'])
  }
  expect(await rows(shop, 'select * from auth.purchase_passwords')).toEqual([])
})

test('it becomes the account’s where the browser that chose it has the mail as well', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { sendsMail: true })
  const visitor = newVisitor('ruth@example.com')
  const id = await payAsGuest(shop, stripe, visitor)
  const deviceId = randomUUID()
  await choosePassword(shop, id, visitor.proof, password, deviceId)
  const { auth } = await openBrowser(shop.url, { deviceId })
  await shop.mailbox.to(visitor.email, /receipt/i)
  await auth.signInWithOtp({ email: visitor.email })
  const mail = (await mailsTo(shop, visitor.email, 2)).at(-1)!
  await auth.verifyOtp({ email: visitor.email, token: codeIn(mail), type: 'email' })
  expect((await auth.signInWithPassword({ email: visitor.email, password })).error).toBeNull()
  expect(await accounts(shop)).toMatchObject([{ is_confirmed: true, has_password: true, purchases: 1 }])
})

test('a refund, a disabled account and a second choice end what the password opened', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const [ruth, ben] = [newVisitor(), newVisitor()]
  const [hers, his] = [await payAsGuest(shop, stripe, ruth), await payAsGuest(shop, stripe, ben)]
  const [atHers, atHis] = [newProof(), newProof()]
  for (const [id, visitor] of [
    [hers, ruth],
    [his, ben],
  ] as const)
    await choosePassword(shop, id, visitor.proof, password)
  await open(shop, ruth, atHers)
  await open(shop, ben, atHis)

  expect((await choosePassword(shop, hers, ruth.proof, 'another password')).status).toBe(200)
  expect((await open(shop, ruth)).status).toBe(400)
  expect((await downloadAsGuest(shop, hers, atHers)).status).toBe(404)
  const again = newProof()
  expect((await open(shop, ruth, again, 'another password')).status).toBe(200)
  stripe.refund(sessionOf(stripe, hers).payment_intent as string)
  await settlePurchase(shop.services, hers)
  expect((await downloadAsGuest(shop, hers, again)).status).toBe(409)
  expect(await settleAsGuest(shop, hers, ruth.proof)).toMatchObject({ status: 'refunded', password: null })
  expect((await choosePassword(shop, hers, ruth.proof, password)).status).toBe(409)

  const [{ user_id }] = (await rows(shop, `select user_id from purchases where id = '${his}'`)) as [
    { user_id: string },
  ]
  await admin.call('PUT', `/api/admin/users/${user_id}/disabled`, { body: { is_disabled: true } })
  expect((await open(shop, ben)).status).toBe(400)
  expect((await downloadAsGuest(shop, his, atHis)).status).toBe(404)
})

test('a choice at the moment in which the address is confirmed leaves no password behind', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { sendsMail: true })
  for (let round = 0; round < 4; round += 1) {
    const visitor = newVisitor()
    const id = await payAsGuest(shop, stripe, visitor)
    await shop.mailbox.to(visitor.email, /receipt/i)
    const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
    await auth.signInWithOtp({ email: visitor.email })
    const token = codeIn((await mailsTo(shop, visitor.email, 2)).at(-1)!)
    await Promise.all([
      ...Array.from({ length: 3 }, () => choosePassword(shop, id, visitor.proof, password)),
      auth.verifyOtp({ email: visitor.email, token, type: 'email' }),
    ])
    expect((await open(shop, visitor)).status).toBe(400)
    await soon(shop, () => rows(shop, 'select 1 from auth.purchase_passwords')).toEqual([])
  }
})

test('guesses are limited as those of accounts are, and an unknown address is refused in the same words', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { env: { RATE_LIMIT: 'on' } })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await choosePassword(shop, id, visitor.proof, password)
  const guess = (email: string) => open(shop, { email }, newProof(), 'a wrong guess')
  const [known, unknown] = [await guess(visitor.email), await guess('nobody@example.com')]
  const { request_id: _own, ...refused } = (await known.json()) as Record<string, unknown>
  expect([known.status, unknown.status]).toEqual([400, 400])
  expect(await unknown.json()).toMatchObject(refused)
  const statuses = await Promise.all(Array.from({ length: 12 }, () => guess(visitor.email)))
  expect(statuses.map(({ status }) => status)).toContain(429)
  expect((await open(shop, visitor)).status).toBe(429)
})
