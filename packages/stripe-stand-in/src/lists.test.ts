// What the stand-in lists: newest first, page by page.
import { expect, test } from 'vitest'
import { libraryFor, order } from './stripe-library.ts'
import { startStripe } from './stripe.ts'

test('checkouts are listed newest first, by status and moment, page by page, and with nothing expanded', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
  const ids: string[] = []
  for (const created of [100, 200, 300, 400]) {
    const { id } = await stripe.checkout.sessions.create(order)
    Object.assign(stand.sessions.get(id)!, { created })
    if (created !== 300) stand.pay(id)
    ids.unshift(id)
  }
  const { sessions } = stripe.checkout
  const params = { status: 'complete', created: { gte: 200 }, limit: 1 } as const
  const first = await sessions.list(params)
  expect(first).toMatchObject({ data: [{ id: ids[0], payment_status: 'paid' }], has_more: true })
  expect(first.data[0]).not.toHaveProperty('line_items')
  expect(typeof first.data[0]!.payment_intent).toBe('string')
  const second = await sessions.list({ ...params, starting_after: ids[0]! })
  expect(second).toMatchObject({ data: [{ id: ids[2] }], has_more: false })
  await expect(sessions.list({ ...params, starting_after: 'cs_x' })).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  })
})

test('refunds and disputes of all payments are listed by their moment, newest first, page by page', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
  const refunds: string[] = []
  for (const created of [100, 200, 300]) {
    const { id } = await stripe.checkout.sessions.create(order)
    stand.pay(id)
    const refund = stand.refund(stand.sessions.get(id)!.payment_intent as string, 100)
    refunds.unshift(Object.assign(refund, { created }).id)
    Object.assign(stand.dispute(id), { created })
  }
  const first = await stripe.refunds.list({ created: { gte: 200 }, limit: 1 })
  expect(first).toMatchObject({ data: [{ id: refunds[0] }], has_more: true })
  const second = await stripe.refunds.list({ created: { gte: 200 }, limit: 1, starting_after: refunds[0]! })
  expect(second).toMatchObject({ data: [{ id: refunds[1] }], has_more: false })
  const before = await stripe.refunds.list({ limit: 1, ending_before: refunds[2]! })
  expect(before).toMatchObject({ data: [{ id: refunds[1] }], has_more: true })
  const disputes = await stripe.disputes.list({ created: { gt: 100, lt: 300 } })
  expect(disputes.data.map(({ created }) => created)).toEqual([200])
  await expect(stripe.disputes.list({ status: 'won' } as object)).rejects.toMatchObject({
    code: 'parameter_unknown',
  })
})
