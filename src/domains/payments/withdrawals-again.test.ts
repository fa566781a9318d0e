// The buyer's button for the money back, pressed again after money did not arrive.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { listAttentionItems } from '#test/needs.ts'
import { buy, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'

test('money that did not arrive waits for the author once the parcel has left', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user, 'paperback')
  stripe.pay(sessionOf(stripe, id).id)
  await settle(user, id)
  const press = () => user.call('POST', `/api/purchases/${id}/refund`, { body: { reason: '' } })
  const found = async () => (await own(user)).find((each) => each.id === id)
  await press()
  await soon(shop, async () => (await found())?.status).toBe('refunded')
  const [refund] = stripe.refunds
  stripe.failRefund(refund?.id ?? '')
  await settle(user, id)
  expect(await found()).toMatchObject({ withdrawal: { state: 'unpaid' }, shipment: { is_to_ship: false } })
  const list = await admin.call('GET', '/api/admin/shipments?view=to_ship')
  expect(await list.json()).toMatchObject({ items: [], to_ship: { count: 0 } })
  // Its buyer may want the book after all: the parcel is not listed, but may be marked as shipped.
  const shipped = await admin.call('POST', '/api/admin/shipments/shipped', {
    body: { parcels: [{ purchase_id: id }] },
  })
  expect(await shipped.json()).toMatchObject({ shipped: [id] })

  expect((await press()).status).toBe(200)
  expect(await found()).toMatchObject({
    is_going_back: false,
    is_refundable: false,
    withdrawal: { state: 'waiting', waits_for: 'return' },
  })
  expect(stripe.refunds).toHaveLength(1)
  expect((await listAttentionItems(admin)).items).toContainEqual(
    expect.objectContaining({ kind: 'withdrawal', id }),
  )
  // The declaration is the first one: pressed once more, nothing changes.
  expect((await press()).status).toBe(200)
  const given = await admin.call('POST', `/api/admin/payments/withdrawal/${id}/refund`, { body: {} })
  expect(given.status).toBe(200)
  await soon(shop, async () => (await found())?.status).toBe('refunded')
})
