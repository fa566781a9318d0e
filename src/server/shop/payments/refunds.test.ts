// Money that is asked back: once, in whole cents, and also when the provider cannot be asked for a while.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { buyAndPay, openPaidShop, own, sessionOf, tell } from '#test/paying.ts'
import { startStripe } from '#test/stripe.ts'
import { paymentEventJob } from './events.ts'
import { refundJob } from './refunds.ts'

test('what is asked for while the keys are away is done once they are back, and no event is ticked off unread', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { services } = shop
  const reader = await shop.person()
  const id = await buyAndPay(shop, stripe, reader)
  await tell(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  expect((await reader.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(202)
  const first = async <Row extends object>(query: string) =>
    (await services.database.pool.query<Row>(query)).rows[0]!
  const { request_id } = await first<{ request_id: string }>('select id as request_id from refund_requests')
  const { event_id } = await first<{ event_id: string }>('select id as event_id from payment_events')
  const attempt = { id: randomUUID(), number: 1, isLast: false }

  const keyless = { ...services, payments: undefined }
  await expect(refundJob.run(keyless, { request_id }, attempt)).rejects.toThrow('takes no payments')
  await expect(paymentEventJob.run(keyless, { event_id }, attempt)).rejects.toThrow('takes no payments')
  expect(await first('select handled_at from payment_events')).toEqual({ handled_at: null })
  await refundJob.run(services, { request_id }, attempt)
  await paymentEventJob.run(services, { event_id }, attempt)
  expect((await own(reader))[0]!.status).toBe('refunded')
  expect(await first('select status from refund_requests')).toEqual({ status: 'done' })
})

test('a refund is a number of whole cents', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, reader)
  const give = async (amount: number) =>
    (await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })).status
  expect([await give(0.001), await give(5.005), await give(5.01)]).toEqual([422, 422, 202])
})
