// The buyer's button for the money back, pressed again after money did not arrive.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { listNeeds } from '#test/needs.ts'
import { buy, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'

test('while money that was to go back did not arrive, nothing is sent, and it waits for the author where another was given back since', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const buyOne = async () => {
    const made = await buy(shop, user, 'paperback')
    stripe.pay(sessionOf(stripe, made.id).id)
    await settle(user, made.id)
    return made.id
  }
  const press = (one: string) => user.call('POST', `/api/purchases/${one}/refund`, { body: { reason: '' } })
  const find = async (one: string) => (await own(user)).find((each) => each.id === one)
  const id = await buyOne()
  const found = () => find(id)
  await press(id)
  await soon(shop, async () => (await found())?.status).toBe('refunded')
  const [refund] = stripe.refunds
  stripe.failRefund(refund?.id ?? '')
  await settle(user, id)
  expect(await found()).toMatchObject({
    status: 'completed',
    withdrawal: { state: 'unpaid' },
    shipment: { is_to_ship: false },
  })
  const list = await admin.call('GET', '/api/admin/shipments?view=to_ship')
  expect(await list.json()).toMatchObject({ items: [], to_ship: { count: 0 } })
  const shipped = await admin.call('POST', '/api/admin/shipments/shipped', {
    body: { parcels: [{ purchase_id: id }] },
  })
  expect(await shipped.json()).toEqual({ shipped: [], skipped: [id] })

  const second = await buyOne()
  await press(second)
  await soon(shop, async () => (await find(second))?.status).toBe('refunded')
  expect((await press(id)).status).toBe(200)
  expect(await found()).toMatchObject({
    is_going_back: false,
    is_refundable: false,
    withdrawal: { state: 'waiting', waits_for: 'repeat' },
  })
  expect(stripe.refunds).toHaveLength(2)
  expect((await listNeeds(admin)).items).toContainEqual(expect.objectContaining({ kind: 'withdrawal', id }))
  // The declaration is the first one: pressed once more, nothing changes.
  expect((await press(id)).status).toBe(200)
  const given = await admin.call('POST', `/api/admin/payments/withdrawal/${id}/refund`, { body: {} })
  expect(given.status).toBe(200)
  await soon(shop, async () => (await found())?.status).toBe('refunded')
})
