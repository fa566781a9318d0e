// Whose a purchase becomes that was bought with an address only.
import { randomUUID } from 'node:crypto'
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  accounts,
  buyAsGuest,
  downloadAsGuest,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
} from '#test/guests.ts'
import { codeIn, linkIn, mailsTo, openBrowser } from '#test/auth-client.ts'
import { own, sendEvent, sessionOf } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { clock, time } from '#test/time.ts'
import { findOrAddAccount } from '#domains/accounts/created-accounts.ts'
import { reconcile } from './reconcile.ts'
import { settlePurchase } from './settle.ts'

test('an existing account gets the purchase and nothing else, whatever is special about it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin', email: 'admin@example.com', display_name: 'Ada' })
  const banned = await shop.person({ email: 'banned@example.com' })
  await admin.call('PUT', `/api/admin/users/${banned.id}/disabled`, { body: { is_disabled: true } })
  const before = await rows(shop, 'select * from auth.users order by id')
  const sessions = await rows(shop, 'select id from auth.sessions')
  for (const email of ['ADMIN@example.com', banned.email]) {
    const visitor = newVisitor(email)
    const id = await payAsGuest(shop, stripe, visitor)
    expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
  }
  expect(await rows(shop, 'select * from auth.users order by id')).toEqual(before)
  expect(await rows(shop, 'select id from auth.sessions')).toEqual(sessions)
  expect((await own(admin)).map(({ status }) => status)).toEqual(['completed'])
  expect(
    await rows(shop, 'select display_name from profiles where user_id is not null order by email'),
  ).toEqual([{ display_name: 'Ada' }, { display_name: 'Test User' }])
})

test('webhook, return and reconciler at once make one account and one receipt, also beside a sign-up', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor('ruth@example.com')
  const made = await Promise.all([
    buyAsGuest(shop, visitor),
    buyAsGuest(shop, newVisitor('ruth@example.com')),
  ])
  for (const { id } of made) stripe.pay(sessionOf(stripe, id).id)
  const signUp = {
    email: 'ruth@example.com',
    password: 'chosen by a stranger',
    data: { display_name: 'Win a prize at evil.example' },
  }
  await Promise.all([
    shop.call('POST', '/auth/v1/signup', { body: signUp }),
    ...made.flatMap(({ id }) => [
      sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id))),
      settlePurchase(shop.services, id),
      settlePurchase(shop.services, id),
    ]),
    reconcile(shop.services),
  ])
  const own = { email: 'ruth@example.com', is_confirmed: false, purchases: 2 }
  await soon(shop, () => accounts(shop)).toMatchObject([own])
  await soon(
    shop,
    async () =>
      (await shop.mailbox.all()).filter(({ subject }) => /receipt|thank/i.test(subject ?? '')).length,
  ).toBe(2)
  const receipts = (await shop.mailbox.all()).filter(({ subject }) => /receipt|thank/i.test(subject ?? ''))
  for (const { html, text } of receipts) expect(`${html} ${text}`).not.toContain('evil.example')
})

test('an unconfirmed account with a purchase is never deleted, and whoever proves the mailbox gets it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const admin = await shop.person({ role: 'admin' })
  const visitors = ['kept@example.com', 'taken@example.com', 'gift@example.com', 'invited@example.com'].map(
    newVisitor,
  )
  for (const visitor of visitors) await payAsGuest(shop, stripe, visitor)
  const signUp = { email: 'invited@example.com', password: 'chosen by a stranger' }
  await shop.call('POST', '/auth/v1/signup', { body: signUp })
  await shop.mailbox.to('invited@example.com', /verify|confirm/i)
  time.ahead = 100 * 3_600_000
  await shop.services.auth.sweep()
  time.ahead = 0
  const of = async (email: string) => (await accounts(shop)).find((each) => each.email === email)
  expect(await of('kept@example.com')).toMatchObject({ purchases: 1, is_confirmed: false })

  await shop.services.auth.createAccount({
    email: 'taken@example.com',
    password: 'by the author',
    role: 'user',
  })
  expect(await of('taken@example.com')).toMatchObject({
    purchases: 1,
    is_confirmed: true,
    has_password: true,
  })

  const recipient = { id: crypto.randomUUID(), email: 'gift@example.com' }
  await shop.services.db.transaction((tx) => findOrAddAccount(tx, recipient, new Date()))
  expect(await of('gift@example.com')).toMatchObject({
    purchases: 1,
    is_confirmed: true,
    has_password: false,
  })

  // The stranger's sign-up, which its owner might confirm, makes no admin.
  await shop.services.db.transaction((tx) => shop.services.auth.admin.inviteAdmin(tx, 'invited@example.com'))
  expect(await of('invited@example.com')).toMatchObject({
    purchases: 1,
    is_confirmed: true,
    has_password: false,
  })
  expect(await rows(shop, `select 1 from auth.one_time_tokens where type = 'signup'`)).toEqual([])
  expect((await admin.call('GET', '/api/admin/users')).status).toBe(200)
})

test('a stranger’s sign-up with a buyer’s address gets nothing when its link is pressed', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const { email } = newVisitor()
  const [stranger, owner] = [
    await openBrowser(shop.url, { deviceId: randomUUID() }),
    await openBrowser(shop.url, { deviceId: randomUUID() }),
  ]
  const credentials = { email, password: 'the stranger’s' }
  await stranger.auth.signUp({ ...credentials, options: { data: { display_name: 'Mallory' } } })
  const [mail] = await mailsTo(shop, email, 1)
  await payAsGuest(shop, stripe, newVisitor(email))
  const { data, error } = await owner.auth.verifyOtp(linkIn(mail!))
  expect(error).toBeNull()
  expect(data.user?.user_metadata).toEqual({})
  expect((await stranger.auth.signInWithPassword(credentials)).error?.code).toBe('invalid_credentials')
  expect(await accounts(shop)).toMatchObject([{ is_confirmed: true, has_password: false, purchases: 1 }])
})

test('a buyer’s own sign-up has its password in the browser in which it was typed', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { sendsMail: true })
  const visitor = newVisitor()
  await payAsGuest(shop, stripe, visitor)
  const { email } = visitor
  await shop.mailbox.to(email, /receipt/i)
  const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
  await auth.signUp({ email, password: 'her own password' })
  const code = codeIn((await mailsTo(shop, email, 2)).at(-1)!)
  expect((await auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull()
  expect((await auth.signInWithPassword({ email, password: 'her own password' })).error).toBeNull()
})
