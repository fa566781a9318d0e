// A purchase under a mistyped address is moved once; the old address loses it at once, and may object without moving it back.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  codeOf,
  askAsGuest,
  linkAsGuest,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
} from '#test/guests.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import type { AccessLink } from '#contract/orders/guest-purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { giveRefundRequest } from '#test/factories.ts'
import { linkIn, openBrowser } from '#test/auth-client.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { bought, ship } from '#test/withdrawals.ts'

const own = async (person: Person) =>
  ((await (await person.call('GET', '/api/purchases')).json()) as OwnPurchases).items

const move = (admin: Person, id: string, email: string, move_id: string = randomUUID()) =>
  admin.call('PUT', `/api/admin/purchases/${id}/moves/${move_id}`, {
    body: { email, reason: 'A typing error' },
  })

test('the new address gets the purchase and its receipt, the old one loses it, and neither learns of the other', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const [wrong, right] = [await shop.person(), await shop.person()]
  const { id, amount } = await wrong.buy((await shop.product('digital')).id)
  const asked = await wrong.call('POST', `/api/purchases/${id}/download`, { body: {} })
  const { url } = (await asked.json()) as { url: string }
  expect((await shop.call('GET', url)).status).toBe(200)

  const move_id = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => move(admin, id, right.email, move_id)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await codeOf(await move(admin, id, right.email))).toBe('purchase_moves.same_account')
  expect((await shop.call('GET', url)).status).toBe(404)
  expect(await own(wrong)).toEqual([])
  expect(await own(right)).toMatchObject([{ id, amount }])
  const file = await right.call('POST', `/api/purchases/${id}/download`, { body: {} })
  expect(file.status).toBe(200)

  const receipt = await shop.mailbox.to(right.email, /receipt/i)
  expect(receipt.text).toContain('put this purchase under your address')
  expect(receipt.text).not.toContain(wrong.email)
  const notice = await shop.mailbox.to(wrong.email, /moved away/)
  expect(`${notice.text} ${notice.html}`).not.toContain(right.email)
  const counts = async () => {
    const { rows } = await shop.services.database.pool.query(
      `select (select sum(total_spent) from user_sums where user_id = $1) as before,
         (select sum(total_spent) from user_sums where user_id = $2) as after,
         (select count(*) from purchase_moves) as moves, (select count(*) from mails where kind = 'moved_away') as mails`,
      [wrong.id, right.id],
    )
    return rows
  }
  await soon(shop, counts).toEqual([{ before: 0, after: amount, moves: 1, mails: 1 }])

  const token = /\/purchase-moved#(\S+)/.exec(notice.text!)![1]!
  const object = () =>
    shop.call('POST', '/api/moved-purchases/objection', { body: { token, message: 'It is mine.' } })
  const both = await Promise.all([object(), object()])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  expect(await own(wrong)).toEqual([])
  const order = (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  expect(order.moves).toMatchObject([{ from: wrong.email, to: right.email, objected_at: expect.any(String) }])
  const messages = await (await admin.call('GET', '/api/admin/messages')).json()
  expect(JSON.stringify(messages)).toContain('Objection: order #')

  // What each is told of what the shop has of them.
  const data = async (person: Person) =>
    JSON.stringify(await (await person.call('POST', '/api/account/data')).json())
  expect(await data(right)).not.toContain(wrong.email)
  expect(await data(wrong)).not.toContain(right.email)
})

test('an address without an account gets one that only its mailbox opens; what cannot be moved is refused', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const [wrong, disabled] = [await shop.person(), await shop.person()]
  const { id } = await wrong.buy((await shop.product('digital')).id)
  const stranger = { email: 'new@example.com', password: 'a strangers words' }
  await shop.call('POST', '/auth/v1/signup', { body: stranger })
  expect((await move(admin, id, stranger.email)).status).toBe(200)
  const refused = await shop.call('POST', '/auth/v1/token?grant_type=password', { body: stranger })
  expect(refused.status).toBe(400)
  const reader = await openBrowser(shop.url)
  await reader.auth.signInWithOtp({ email: stranger.email, options: { shouldCreateUser: false } })
  const { token_hash, type } = linkIn(await shop.mailbox.to(stranger.email, /sign-in/i))
  const { data } = await reader.auth.verifyOtp({ type, token_hash })
  const mine = await shop.call('GET', '/api/purchases', { token: data.session!.access_token })
  expect(await mine.json()).toMatchObject({ items: [{ id }] })

  const { id: other } = await wrong.buy((await shop.product('digital')).id)
  await shop.services.database.pool.query(`update auth.users set banned_until = '9999-01-01' where id = $1`, [
    disabled.id,
  ])
  expect(await codeOf(await move(admin, other, disabled.email))).toBe('purchase_moves.account_disabled')
  await giveRefundRequest(shop.services.db, other, 14.99)
  expect(await codeOf(await move(admin, other, stranger.email))).toBe('purchase_moves.not_movable')
  expect(await codeOf(await move(admin, randomUUID(), stranger.email))).toBe('purchases.not_found')
  expect((await move(wrong, other, 'x@example.com')).status).toBe(403)
})

// The browser that bought with an address only corrects it once, within the day; and the receipt that its links open.

const correct = (shop: TestShop, id: string, proof: string, email: string, move = randomUUID()) =>
  shop.call('POST', `/api/guest/purchases/${id}/address`, { body: { proof, id: move, email } })

const readReceipt = (shop: TestShop, id: string, proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/receipt`, { body: { proof } })

test('the order and its receipt go to the right address, once; the old one is told, and may object', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { sendsMail: true })
  const visitor = newVisitor('ruth@gmial.com')
  const id = await payAsGuest(shop, stripe, visitor)
  const { url } = (await (await linkAsGuest(shop, id, visitor.proof)).json()) as AccessLink
  const token = url.split('#').at(-1)!
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    own: { receipt_to: 'ruth@gmial.com', is_correctable: true },
  })
  // A receipt that leaves after the correction goes to the right address.
  await shop.mailbox.to('ruth@gmial.com', /receipt/i)
  // Who has only the link corrects nothing.
  expect(await codeOf(await correct(shop, id, token, 'thief@example.com'))).toBe(
    'guest_checkout.other_browser',
  )
  const move = randomUUID()
  const both = await Promise.all([1, 2].map(() => correct(shop, id, visitor.proof, 'ruth@gmail.com', move)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    own: { receipt_to: 'ruth@gmail.com', is_correctable: false },
  })
  const { text: receipt } = await shop.mailbox.to('ruth@gmail.com', /receipt/i)
  expect(receipt).toContain('/purchase/')
  expect(receipt).toContain('was corrected to yours after the payment')
  const told = await shop.mailbox.to('ruth@gmial.com', /moved|another/i)
  expect(told.text).not.toContain('ruth@gmail.com')
  expect(told.text).toContain('whoever paid for it has corrected the address since')
  for (const text of [receipt, told.text]) expect(text).not.toContain('The author')
  // The links in the wrong mailbox have ended.
  expect((await askAsGuest(shop, id, token)).status).toBe(404)
  expect(await codeOf(await correct(shop, id, visitor.proof, 'third@example.com'))).toBe(
    'guest_checkout.address_corrected',
  )
  const moves = await rows(shop, 'select from_email, to_email, is_by_buyer from purchase_moves')
  expect(moves).toEqual([{ from_email: 'ruth@gmial.com', to_email: 'ruth@gmail.com', is_by_buyer: true }])
})

test('after the day, after a refund, and to a disabled account nothing is moved, and nothing said of accounts', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { hasWorkers: false })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  expect((await correct(shop, id, visitor.proof, visitor.email)).status).toBe(200)
  const disabled = await shop.person()
  await rows(
    shop,
    `update auth.users set banned_until = now() + interval '1 day' where id = '${disabled.id}'`,
  )
  expect(await codeOf(await correct(shop, id, visitor.proof, disabled.email))).toBe(
    'guest_checkout.address_refused',
  )
  await rows(shop, `update purchases set status = 'refunded', refunded = amount where id = '${id}'`)
  expect(await codeOf(await correct(shop, id, visitor.proof, 'right@example.com'))).toBe(
    'guest_checkout.address_refused',
  )
  await rows(shop, `update purchase_access set expires_at = now() - interval '1 minute'`)
  expect(await codeOf(await correct(shop, id, visitor.proof, 'right@example.com'))).toBe(
    'guest_checkout.access_ended',
  )
  expect(await rows(shop, 'select from purchase_moves')).toEqual([])
})

test('a receipt to print opens by the links of the order, without the postal address', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await rows(shop, `insert into shipments (purchase_id, format) values ('${id}', 'paperback')`)
  await ship(shop, id)
  const { text = '' } = await shop.mailbox.to(visitor.email, /receipt/i)
  const [, token = ''] = new RegExp(`/purchase/${id}/receipt#([\\w-]{43})`).exec(text) ?? []
  for (const proof of [token, visitor.proof]) {
    const found = (await (await readReceipt(shop, id, proof)).json()) as Receipt
    expect(found).toMatchObject({ id, total: 14.99, shipping_address: null, refund_right: 'law' })
  }
  expect((await readReceipt(shop, id, newVisitor().proof)).status).toBe(404)
  await rows(shop, `update purchase_access set expires_at = now() - interval '1 minute'`)
  // As long as it can be given back, its receipt is there.
  expect((await readReceipt(shop, id, token)).status).toBe(200)
  await rows(shop, `update shipments set shipped_at = now() - interval '90 days'`)
  await bought(shop, id, 90)
  expect((await readReceipt(shop, id, token)).status).toBe(410)
})
