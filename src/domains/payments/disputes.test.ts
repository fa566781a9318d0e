// A bank that asks about a payment waits for the author until it is answered, and no longer.
import { expect, test } from 'vitest'
import type { AttentionItem } from '#contract/payments/needs-attention.ts'
import type { Page } from '#contract/fields.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { settlePurchase } from './settle.ts'
import { buyAndPay, openPaidShop, sessionOf } from '#test/paying.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'

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
  expect(await detail()).toMatchObject({ discount: 0, tax: 0, dispute: null })
  const { due } = await adminArea.hear('needs_response')
  const opened_at = new Date((stripe.disputes[0]?.created ?? 0) * 1000).toISOString()
  const stripe_url = expect.stringContaining('https://dashboard.stripe.com/test/payments/pi_')
  expect((await detail()).dispute).toEqual({
    opened_at,
    status: 'needs_response',
    answer_by: due,
    stripe_url,
  })
  for (const status of ['under_review', 'lost'] as const) {
    await adminArea.hear(status)
    expect((await detail()).dispute).toEqual({ opened_at, status, answer_by: null, stripe_url })
  }
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
