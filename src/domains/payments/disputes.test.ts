// A bank that asks about a payment waits for the author until it is answered, and no longer.
import { expect, test } from 'vitest'
import type { AttentionItem } from '#contract/payments/needs-attention.ts'
import type { Page } from '#contract/fields.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { AuditEntry } from '#contract/overview/audit.ts'
import { settlePurchase } from './settle.ts'
import {
  buyAndPay,
  openPaidShop,
  sessionOf,
  begin,
  beginOfLink,
  buy,
  own,
  sellByLink,
  settle,
  startLiveStripe,
  sendEvent,
} from '#test/paying.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { changePurchases } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { listHeld, listAttentionItems, press } from '#test/needs.ts'
import { soon } from '#test/retries.ts'
import { readSums } from '#test/sales-sums.ts'
import type { TestShop } from '#test/shop.ts'
import { reconcile } from './reconcile.ts'

async function openDisputedShop(stripe: StripeStandIn) {
  const shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const get = async (path: string) => (await admin.call('GET', `/api/admin/payments${path}`)).json()
  return {
    id,
    admin,
    user,
    needs: async () => ((await get('')) as Page<AttentionItem>).items,
    settle: () => settlePurchase(shop.services, id),
    count: async () => ((await get('/count')) as { count: number }).count,
    /** What the bank says now, and what becomes of the purchase. */
    async hear(status: Parameters<StripeStandIn['dispute']>[1]) {
      const { evidence_details } = stripe.dispute(sessionOf(stripe, id).id, status)
      const now = await settlePurchase(shop.services, id)
      return { now, due: new Date(evidence_details.due_by! * 1000).toISOString() }
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

test('a dispute needs attention until it has a response, and cannot be dismissed', async () => {
  await using stripe = await startStripe()
  await using adminArea = await openDisputedShop(stripe)
  const { id, admin, user } = adminArea
  expect(await adminArea.count()).toBe(0)
  const { now, due } = await adminArea.hear('needs_response')
  expect(now).toBe('disputed')
  expect(await adminArea.needs()).toMatchObject([
    {
      kind: 'dispute',
      is_inquiry: false,
      id,
      purchase_id: id,
      since: due,
      amount: 14.99,
      email: user.email,
    },
  ])
  expect(await adminArea.count()).toBe(1)
  const body = { note: 'Later' }
  expect((await admin.call('POST', `/api/admin/payments/dispute/${id}/dismissal`, { body })).status).toBe(404)

  await adminArea.hear('under_review')
  expect(await adminArea.needs()).toEqual([])
  expect((await adminArea.hear('won')).now).toBe('completed')
  expect(await adminArea.count()).toBe(0)
})

test('Link answers the dispute of what it has sold, and nothing waits for the author', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = (await (await beginOfLink(shop, user)).json()) as { id: string }
  stripe.pay(sessionOf(stripe, id).id)
  expect(await settle(user, id)).toBe('completed')
  stripe.dispute(sessionOf(stripe, id).id, 'needs_response')
  expect(await settlePurchase(shop.services, id)).toBe('disputed')
  expect(await listAttentionItems(admin)).toMatchObject({ items: [] })
})

test('an inquiry, which takes no money yet, needs a response too', async () => {
  await using stripe = await startStripe()
  await using adminArea = await openDisputedShop(stripe)
  expect((await adminArea.hear('warning_needs_response')).now).toBe('completed')
  expect(await adminArea.needs()).toMatchObject([{ kind: 'dispute', is_inquiry: true, id: adminArea.id }])
  await adminArea.hear('warning_closed')
  expect(await adminArea.needs()).toEqual([])
})

test('a purchase’s page says when a dispute was opened, its deadline, and how it ended', async () => {
  await using stripe = await startStripe()
  await using adminArea = await openDisputedShop(stripe)
  const detail = async () =>
    (await (await adminArea.admin.call('GET', `/api/admin/purchases/${adminArea.id}`)).json()) as OrderDetail
  stripe.refund(intentOf(stripe, adminArea.id), 500)
  await adminArea.settle()
  expect(await detail()).toMatchObject({ discount: 0, tax: 0, dispute: null, refunded: 5, taken_by_bank: 0 })
  const { due } = await adminArea.hear('needs_response')
  const opened_at = new Date((stripe.disputes[0]?.created ?? 0) * 1000).toISOString()
  const stripe_url = expect.stringContaining('https://dashboard.stripe.com/test/payments/pi_')
  expect((await detail()).dispute).toEqual({
    opened_at,
    status: 'needs_response',
    answer_by: due,
    lost_at: null,
    stripe_url,
  })
  expect(await detail()).toMatchObject({ refunded: 14.99, taken_by_bank: 9.99 })
  const taken = { status: 'disputed', refunded: 14.99, taken_by_bank: 9.99 }
  expect(await own(adminArea.user)).toMatchObject([{ ...taken, is_dispute_lost: false }])
  for (const status of ['under_review', 'lost'] as const) {
    await adminArea.hear(status)
    const lost_at = status === 'lost' ? expect.any(String) : null
    expect((await detail()).dispute).toEqual({ opened_at, status, answer_by: null, lost_at, stripe_url })
  }
  await adminArea.settle()
  const log = (await (
    await adminArea.admin.call('GET', '/api/admin/audit?q=payments')
  ).json()) as Page<AuditEntry>
  expect(log.items.map(({ action }) => action)).toEqual([
    'payments.dispute_lost',
    'payments.disputed',
    'payments.refunded',
  ])
  expect(await own(adminArea.user)).toMatchObject([{ ...taken, is_dispute_lost: true }])
  await adminArea.hear('won')
  expect(await detail()).toMatchObject({ refunded: 5, taken_by_bank: 0 })
})

test('an appeal against a dispute that was lost has a deadline, too', async () => {
  await using stripe = await startStripe()
  await using adminArea = await openDisputedShop(stripe)
  await adminArea.hear('lost')
  expect(await adminArea.needs()).toEqual([])
  const { now, due } = await adminArea.hear('appeal_needs_response')
  expect(now).toBe('disputed')
  expect(await adminArea.needs()).toMatchObject([{ kind: 'dispute', since: due }])
  await adminArea.hear('appeal_under_review')
  expect(await adminArea.needs()).toEqual([])
})

test.each(['won', 'warning_closed', 'lost'] as const)(
  'a dispute that was lost decides again once a later one has ended as %s',
  async (end) => {
    await using stripe = await startStripe()
    await using shop = await openPaidShop(stripe, { hasWorkers: false })
    const user = await shop.person()
    const id = await buyAndPay(shop, stripe, user)
    const read = async () => {
      expect(await settlePurchase(shop.services, id)).toBe('disputed')
      return (await own(user))[0]!.is_dispute_lost
    }
    const first = stripe.dispute(sessionOf(stripe, id).id, 'lost', 500)
    expect(await read()).toBe(true)
    const status = end === 'warning_closed' ? 'warning_needs_response' : 'needs_response'
    const later = { ...first, id: 'du_later', amount: 400, created: first.created + 60, status }
    stripe.disputes.push(later)
    expect(await read()).toBe(false)
    Object.assign(later, { status: end })
    expect(await read()).toBe(true)
    const { rows } = await run(shop, `select from audit_log where action = 'payments.dispute_lost'`)
    expect(rows).toHaveLength(end === 'lost' ? 2 : 1)
  },
)

// Payments whose money went back, or was disputed, before the shop saw them.

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)
const intentOf = (stripe: StripeStandIn, id: string) => sessionOf(stripe, id).payment_intent as string
const mails = async (shop: TestShop) => (await shop.mailbox.all()).map(({ subject }) => subject ?? '')

test('a payment that was refunded in Stripe’s dashboard first is a refunded purchase: nothing is sent, and its copy is back', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  await given.copies(shop, 'paperback', 3)
  const [anna, ben, eva] = [await shop.person(), await shop.person(), await shop.person()]
  const pending = await buy(shop, anna, 'paperback')
  const canceled = await buy(shop, ben, 'paperback')
  const digital = await buy(shop, eva)
  await changePurchases(shop.services.db, { status: 'canceled' }, canceled.id)
  for (const { id } of [pending, canceled, digital]) {
    stripe.pay(sessionOf(stripe, id).id)
    stripe.refund(intentOf(stripe, id))
  }
  await Promise.all([
    settle(anna, pending.id),
    settlePurchase(shop.services, pending.id),
    settlePurchase(shop.services, canceled.id),
    reconcile(shop.services),
  ])
  await sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, digital.id)))
  const bought = async () => [...(await own(anna)), ...(await own(ben)), ...(await own(eva))]
  const refunded = { status: 'refunded', shipment: null, is_held: false }
  await soon(shop, bought).toMatchObject([refunded, refunded, refunded])
  expect((await eva.call('POST', `/api/purchases/${digital.id}/download`, { body: {} })).status).toBe(409)
  const { rows } = await run(
    shop,
    'select copies, (select count(*) from taken_copies)::int as taken from stock',
  )
  expect(rows).toEqual([{ copies: 3, taken: 0 }])
  await soon(shop, async () => (await mails(shop)).length).toBe(3)
  expect((await mails(shop)).every((subject) => subject.startsWith('Your refund'))).toBe(true)
  const { kept, counted, wrongUsers } = await readSums(shop.services.database)
  expect([kept, wrongUsers]).toEqual([counted, []])
})

test('a refunded payment leaves the only use of its discount code to others, also after it was canceled', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  await given.code(shop, { code: 'FIRST', max_uses: 1 })
  const uses = async () => (await run(shop, 'select uses from discount_codes')).rows
  const { id: product_id } = await shop.product('digital')
  for (const isCanceled of [false, true]) {
    const person = await shop.person()
    const body = { product_id, code: 'FIRST' }
    const { id } = (await (await person.call('POST', '/api/purchases', { body })).json()) as { id: string }
    expect(await uses()).toEqual([{ uses: 1 }])
    if (isCanceled) await changePurchases(shop.services.db, { status: 'canceled' }, id)
    stripe.pay(sessionOf(stripe, id).id)
    const refund = stripe.refund(intentOf(stripe, id))
    expect(await settle(person, id)).toBe('refunded')
    expect(await uses()).toEqual([{ uses: 0 }])
    if (!isCanceled) continue
    stripe.failRefund(refund.id)
    expect(await settle(person, id)).toBe('completed')
    expect(await uses()).toEqual([{ uses: 1 }])
  }
})

test('a part that was refunded before leaves a purchase that counts', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  stripe.pay(sessionOf(stripe, id).id)
  stripe.refund(intentOf(stripe, id), 500)
  expect(await settle(user, id)).toBe('partially_refunded')
  await shop.mailbox.to(user.email, /receipt/)
})

test('a dispute that was lost before counts as money back, and stays so', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  stripe.pay(sessionOf(stripe, id).id)
  stripe.dispute(sessionOf(stripe, id).id, 'lost')
  expect(await Promise.all([settle(user, id), settlePurchase(shop.services, id)])).toEqual([
    'refunded',
    'refunded',
  ])
  await reconcile(shop.services)
  expect(await settlePurchase(shop.services, id)).toBe('refunded')
  expect((await user.call('POST', `/api/purchases/${id}/download`, { body: {} })).status).toBe(409)
  expect(await mails(shop)).toEqual([])
  const { kept, counted, wrongUsers } = await readSums(shop.services.database)
  expect([kept, wrongUsers]).toEqual([counted, []])
  expect((await begin(shop, user)).status).toBe(201)
})

test('a payment that is disputed when it is first seen waits for the author, also when the dispute was won', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, won, lost] = [await shop.person({ role: 'admin' }), await shop.person(), await shop.person()]
  const ids = [(await buy(shop, won)).id, (await buy(shop, lost)).id] as const
  for (const id of ids) {
    stripe.pay(sessionOf(stripe, id).id)
    stripe.dispute(sessionOf(stripe, id).id)
    expect(await settlePurchase(shop.services, id)).toBe('pending')
  }
  const kinds = async () => (await listAttentionItems(admin)).items.map(({ kind }) => kind).toSorted()
  expect(await kinds()).toEqual(['dispute', 'dispute', 'held', 'held'])
  expect(await listHeld(admin)).toMatchObject([
    { reason: expect.stringContaining('disputed'), paid: { total: 14.99 } },
    { reason: expect.stringContaining('disputed'), paid: { total: 14.99 } },
  ])
  stripe.dispute(sessionOf(stripe, ids[0]).id, 'won')
  stripe.dispute(sessionOf(stripe, ids[1]).id, 'lost')
  expect(await settlePurchase(shop.services, ids[0])).toBe('pending')
  expect(await settlePurchase(shop.services, ids[1])).toBe('refunded')
  expect(await kinds()).toEqual(['held'])
  expect(await mails(shop)).toEqual([])
  expect((await press(admin, `held/${ids[0]}/accept`)).status).toBe(200)
  expect((await own(won))[0]).toMatchObject({ status: 'completed' })
})
