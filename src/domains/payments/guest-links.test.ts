// The link that a buyer without an account makes, or the author: what it opens, who makes it, and what ends it.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  askAsGuest,
  buyAsGuest,
  codeOf,
  downloadAsGuest,
  linkAsGuest,
  newProof,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
  sizeOf,
} from '#test/guests.ts'
import { sessionOf } from '#test/paying.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'
import type { AccessLink } from '#contract/orders/purchases.ts'
import { hashOf } from '#domains/orders/guest-orders.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { Today } from '#contract/operations/today.ts'
import { settlePurchase } from './settle.ts'

const tokenOf = async (response: Response) => {
  const { url } = (await response.json()) as AccessLink
  return url.split('#').at(-1)!
}

test('a guest’s receipt says what its button does, and leads to nothing that asks for a sign-in', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  await payAsGuest(shop, stripe, visitor)
  const { text = '', html = '' } = await shop.mailbox.to(visitor.email, /receipt/i)
  expect(text).toContain('the button opens it')
  for (const words of ['/dashboard', 'sign in', 'Open your dashboard'])
    expect(html + text).not.toContain(words)
})

test('the browser that bought makes links that open the order elsewhere; the author ends them, and it makes another', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor)
  expect((await linkAsGuest(shop, id, visitor.proof)).status).toBe(409)
  stripe.pay(sessionOf(stripe, id).id)
  await settleAsGuest(shop, id, visitor.proof)
  const made = await linkAsGuest(shop, id, visitor.proof)
  expect(made.status).toBe(201)
  const { url, ends_at } = (await made.json()) as AccessLink
  expect(url).toMatch(new RegExp(`^http\\S+/purchase/${id}#[\\w-]{43}$`))
  expect(Date.parse(ends_at) - clock().getTime()).toBeGreaterThan(29.9 * 86_400_000)
  const token = url.split('#').at(-1)!
  time.ahead = 29 * 86_400_000
  const seen = await settleAsGuest(shop, id, token)
  expect(seen).toMatchObject({ status: 'completed', own: null })
  expect(JSON.stringify(seen)).not.toContain(visitor.email)
  expect(await sizeOf(shop, await downloadAsGuest(shop, id, token))).toMatchObject({ status: 200 })
  time.ahead = 0

  // Who has only the link makes no other, nor does any other browser or purchase.
  expect(await codeOf(await linkAsGuest(shop, id, token))).toBe('guest_checkout.other_browser')
  expect((await linkAsGuest(shop, id, newProof())).status).toBe(404)
  const other = newVisitor()
  await payAsGuest(shop, stripe, other)
  expect((await linkAsGuest(shop, id, other.proof)).status).toBe(404)

  const ended = await admin.call('DELETE', `/api/admin/purchases/${id}/links`)
  expect(((await ended.json()) as OrderDetail).open_links).toBe(0)
  expect((await askAsGuest(shop, id, token)).status).toBe(404)
  const again = await tokenOf(await linkAsGuest(shop, id, visitor.proof))
  expect((await askAsGuest(shop, id, again)).status).toBe(200)
  stripe.refund(sessionOf(stripe, id).payment_intent as string)
  await settlePurchase(shop.services, id)
  expect((await downloadAsGuest(shop, id, again)).status).toBe(409)
  expect((await linkAsGuest(shop, id, visitor.proof)).status).toBe(409)
  time.ahead = 86_400_000 + 1000
  expect((await linkAsGuest(shop, id, visitor.proof)).status).toBe(410)
  time.ahead = 0
})

test('the author makes a link for an order without an account, with a recent proof, and for no other', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const make = (purchase_id: string) => admin.call('POST', `/api/admin/purchases/${purchase_id}/links`)
  const token = await tokenOf(await make(id))
  expect(await settleAsGuest(shop, id, token)).toMatchObject({ status: 'completed', own: null })
  const order = (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  expect(order.is_guest).toBe(true)
  const log = await rows(shop, `select action from audit_log where subject_id = '${id}'`)
  expect(log).toEqual([{ action: 'purchases.link_made' }])
  expect(JSON.stringify(await rows(shop, 'select * from audit_log'))).not.toContain(token)

  const { id: unpaid } = await buyAsGuest(shop, newVisitor())
  expect((await make(unpaid)).status).toBe(409)
  const { id: product_id } = await shop.product('digital')
  await shop.services.database.pool.query(`update products set price = 0 where id = $1`, [product_id])
  expect((await make((await reader.buy(product_id)).id)).status).toBe(404)
  await shop.services.database.pool.query(`update auth.sessions set proved_at = now() - interval '1 hour'`)
  expect((await make(id)).status).toBe(400)
})

test('an order gives so many links a day, and no more', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { env: { RATE_LIMIT: 'on' } })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const statuses = await Promise.all(
    Array.from({ length: 24 }, async () => (await linkAsGuest(shop, id, visitor.proof)).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
})

const readToday = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/today')).json()) as Today

test('a password of a purchase from before 0.1.1 opens nothing; Today lists the orders without mail', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const visitors = [newVisitor(), newVisitor(), newVisitor(), newVisitor()]
  const [first, second, refunded, without] = [
    await payAsGuest(shop, stripe, visitors[0]!),
    await payAsGuest(shop, stripe, visitors[1]!),
    await payAsGuest(shop, stripe, visitors[2]!),
    await payAsGuest(shop, stripe, visitors[3]!),
  ]
  const { pool } = shop.services.database
  const proof = newProof()
  await pool.query(
    `insert into purchase_access (hash, purchase_id, kind, expires_at)
      values ($1, $2, 'password', now() + interval '1 day')`,
    [hashOf(proof), first],
  )
  expect((await readToday(admin)).ended_passwords).toBeUndefined()
  // As 0.1.1 has marked them.
  await pool.query('update guest_checkouts set had_password = true where purchase_id = any($1)', [
    [first, second, refunded],
  ])
  expect((await askAsGuest(shop, first, proof)).status).toBe(404)
  expect((await downloadAsGuest(shop, first, proof)).status).toBe(404)
  expect((await linkAsGuest(shop, first, proof)).status).toBe(404)
  expect((await settleAsGuest(shop, first, visitors[0]!.proof)).status).toBe('completed')

  stripe.refund(sessionOf(stripe, refunded).payment_intent as string)
  await settlePurchase(shop.services, refunded)
  const listed = async () =>
    (await readToday(admin)).ended_passwords?.orders.map(({ purchase_id, email }) => [purchase_id, email])
  expect(await listed()).toEqual([
    [second, visitors[1]!.email],
    [first, visitors[0]!.email],
  ])
  expect((await readToday(admin)).ended_passwords?.count).toBe(2)
  const link = await tokenOf(await admin.call('POST', `/api/admin/purchases/${second}/links`))
  expect((await downloadAsGuest(shop, second, link)).status).toBe(200)
  expect(await listed()).toEqual([[first, visitors[0]!.email]])
  await admin.call('POST', `/api/admin/purchases/${first}/links`)
  expect(await listed()).toBeUndefined()
  expect((await settleAsGuest(shop, without, visitors[3]!.proof)).status).toBe('completed')
})

test('two buyers of different networks and addresses share no counter', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } })
  const { id: product_id } = await shop.product('digital')
  const counted = async (ip: string) => {
    await shop.services.database.pool.query('delete from rate_limits')
    const visitor = newVisitor()
    const call = (path: string, body: object) =>
      shop.call('POST', `/api/guest/purchases${path}`, { body, headers: { 'x-forwarded-for': ip } })
    const unknown = { ...visitor, product_id: crypto.randomUUID(), code: 'NONE' }
    expect((await call('', unknown)).status).toBeGreaterThanOrEqual(400)
    const { id } = (await (await call('', { ...visitor, product_id })).json()) as { id: string }
    stripe.pay(sessionOf(stripe, id).id)
    for (const path of ['settle', 'download', 'link']) {
      const { status } = await call(`/${id}/${path}`, { proof: visitor.proof })
      expect([path, status < 300]).toEqual([path, true])
    }
    const found = await rows<{ key: string }>(shop, 'select key from rate_limits')
    return found.map(({ key }) => key)
  }
  const [first, second] = [await counted('203.0.113.7'), await counted('198.51.100.9')]
  expect(first.length).toBeGreaterThan(3)
  expect(first.filter((key) => second.includes(key))).toEqual([])
})
