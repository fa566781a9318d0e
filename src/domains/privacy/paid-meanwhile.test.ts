// What strangers and the owner of the address buy without an account while its account is erased.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  buyAsGuest,
  downloadAsGuest,
  newVisitor,
  openGuestShop,
  payAsGuest,
  settleAsGuest,
} from '#test/guests.ts'
import { sessionOf } from '#test/paying.ts'
import { sweepErasures } from './erasure-sweep.ts'

const day = 86_400_000

test('what is paid while an erasure is under way is not erased with it, and unpaid orders delay none', async () => {
  let ahead = 0
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock: () => new Date(Date.now() + ahead) })
  const { pool } = shop.services.database
  const [reader, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  expect((await reader.call('POST', '/api/account/erasure')).status).toBe(200)
  const unpaid = newVisitor(reader.email)
  const { id: unpaid_id } = await buyAsGuest(shop, unpaid)
  ahead = 14 * day
  await sweepErasures(shop.services)
  const began = await pool.query('select from erasures where user_id = $1 and began_at is not null', [
    reader.id,
  ])
  expect(began.rowCount).toBe(1)

  ahead = 0
  const visitor = newVisitor(reader.email)
  const id = await payAsGuest(shop, stripe, visitor)
  await shop.mailbox.to(reader.email, /receipt/i)
  ahead = 15 * day
  await sweepErasures(shop.services)
  expect((await pool.query('select from erasures')).rowCount).toBe(0)
  ahead = 0
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ status: 'completed' })
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
  const order = await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()
  expect(order).toMatchObject({ email: reader.email, mails: [{ kind: 'receipt', recipient: reader.email }] })
  expect(order.user_id).not.toBe(reader.id)

  stripe.pay(sessionOf(stripe, unpaid_id).id)
  expect(await settleAsGuest(shop, unpaid_id, unpaid.proof)).toMatchObject({ status: 'completed' })
  const { rows } = await pool.query('select count(distinct user_id)::int as users from purchases')
  expect(rows).toEqual([{ users: 1 }])
})
