// The consent to instant delivery of digital content: asked before buying, kept with the purchase, repeated to the buyer.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { legalPages } from '#content/legal-pages.ts'
import { evidence } from '#contract/orders/admin-orders.ts'
import type { ProblemDocument } from '#contract/problems.ts'
import { losePurchases } from '#test/changes.ts'
import { publishLegal } from '#test/legal.ts'
import { openPaidShop, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { reconcile } from '#domains/payments/reconcile.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { receipt } from '#contract/orders/receipts.ts'

const consent = 'I want it at once & know what I give up.'

async function ask(shop: TestShop, text = consent) {
  const admin = await shop.person({ role: 'admin' })
  const legal = { ...legalPages, consent: { is_asked: true, text } }
  expect((await publishLegal(admin, legal)).status).toBe(200)
  return admin
}

type Wanted = { format?: string; consent?: string; key?: string }

async function buy(shop: TestShop, user: Person, { format = 'digital', key, ...more }: Wanted = {}) {
  const { id: product_id } = await shop.product(format)
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
  return user.call('POST', '/api/purchases', { body: { product_id, ...more }, headers })
}

const made = async (response: Response) => (await response.json()) as PurchaseMade

async function kept(shop: TestShop) {
  const { rows } = await shop.services.database.pool.query('select purchase_id, text from consents')
  return rows
}

async function expectNeeded(response: Response) {
  expect(response.status).toBe(422)
  expect(((await response.json()) as ProblemDocument).code).toBe('purchases.consent_needed')
}

test('nobody is asked, and nothing is kept, until the author switches it on', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  expect((await buy(shop, user)).status).toBe(201)
  expect((await buy(shop, user, { consent })).status).toBe(201)
  expect(await kept(shop)).toEqual([])
})

test('digital content is not sold without consent to the very words, paper is', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  await ask(shop)
  for (const format of ['digital', 'bundle']) {
    await expectNeeded(await buy(shop, user, { format }))
    await expectNeeded(await buy(shop, user, { format, consent: 'Other words.' }))
  }
  const { rows } = await shop.services.database.pool.query('select count(*) as n from purchases')
  expect(rows).toEqual([{ n: 0 }])
  expect((await buy(shop, user, { format: 'paperback' })).status).toBe(201)
  expect(await kept(shop)).toEqual([])
  const { id } = await made(await buy(shop, user, { format: 'bundle', consent }))
  expect(await kept(shop)).toEqual([{ purchase_id: id, text: consent }])
})

test('what was agreed to is in the receipt, its email and the evidence, and stays when the words change', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  const admin = await ask(shop)
  const key = 'one-intent-to-buy'
  const { id } = await made(await buy(shop, user, { consent, key }))
  const mail = await shop.mailbox.to(user.email, /receipt/i)
  expect(mail.text).toContain(`you agreed: “${consent}”`)
  await publishLegal(admin, { ...legalPages, consent: { is_asked: true, text: 'Other words.' } })
  expect((await buy(shop, user, { consent, key })).status).toBe(200)
  await expectNeeded(await buy(shop, user, { consent }))

  const own = receipt.parse(await (await user.call('GET', `/api/purchases/${id}/receipt`)).json())
  expect(own.consent?.text).toBe(consent)
  const page = await admin.call('GET', `/api/admin/purchases/${id}/evidence`)
  expect(evidence.parse(await page.json()).consent).toEqual(own.consent)
})

async function expectFourBuyOverTwoConnections(shop: TestShop) {
  const users = await Promise.all([1, 2, 3, 4].map(() => shop.person()))
  const { pool } = shop.services.database
  Object.assign(pool.options, { max: 2, connectionTimeoutMillis: 1500 })
  shop.services.book.drop()
  const responses = await Promise.all(users.map((user) => buy(shop, user)))
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
}

test('purchases that take all connections do not wait for the book over one more', async () => {
  await using stripe = await startStripe()
  await using free = await openTestShop({ hasWorkers: false })
  await expectFourBuyOverTwoConnections(free)
  await using paid = await openPaidShop(stripe, { hasWorkers: false })
  await expectFourBuyOverTwoConnections(paid)
})

test('a checkout opens with consent only, is resumed without, and names it for a restored shop', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const before = await made(await buy(shop, user))
  await ask(shop)
  // Begun before it was asked for: it is not paid without.
  await expectNeeded(await buy(shop, user))
  expect(stripe.sessions.size).toBe(1)
  const { id } = await made(await buy(shop, user, { consent }))
  expect(id).toBe(before.id)
  expect(await kept(shop)).toEqual([{ purchase_id: id, text: consent }])
  expect((await made(await buy(shop, user))).id).toBe(id)
  stripe.pay(sessionOf(stripe, id).id)
  expect(await settle(user, id)).toBe('completed')

  const second = await made(await buy(shop, user, { consent }))
  expect(sessionOf(stripe, second.id)['metadata']).toMatchObject({ consent })
})

test('a purchase that is made again from its payment has its consent again', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  await ask(shop)
  const { id } = await made(await buy(shop, user, { consent }))
  stripe.pay(sessionOf(stripe, id).id)
  await losePurchases(shop.services.db)
  expect(await kept(shop)).toEqual([])
  await reconcile(shop.services)
  await soon(shop, () => kept(shop)).toEqual([{ purchase_id: id, text: consent }])
})
