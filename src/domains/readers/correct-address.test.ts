// The browser that bought with an address only corrects it once, within the day; and the receipt that its links open.
import { randomUUID } from 'node:crypto'
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  askAsGuest,
  codeOf,
  linkAsGuest,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
} from '#test/guests.ts'
import { bought, ship } from '#test/withdrawals.ts'
import type { TestShop } from '#test/shop.ts'
import type { AccessLink, Receipt } from '#contract/orders/purchases.ts'

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
  expect((await shop.mailbox.to('ruth@gmail.com', /receipt/i)).text).toContain('/purchase/')
  const told = await shop.mailbox.to('ruth@gmial.com', /moved|another/i)
  expect(told.text).not.toContain('ruth@gmail.com')
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
