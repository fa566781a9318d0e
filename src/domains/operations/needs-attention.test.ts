// What needs the author's attention: listed once, counted, and each action done once however often it is asked for.
import { expect, test } from 'vitest'
import { changeJobs, loseJobs } from '#test/changes.ts'
import { givePaymentEvents } from '#test/factories.ts'
import {
  countAttentionItems,
  hold,
  isCheaper,
  listAuditEvents,
  listAttentionItems,
  press,
} from '#test/needs.ts'
import { openPaidShop } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'

/** A purchase that is paid; its payment fits. */
const makePaid = (shop: TestShop, stripe: StripeStandIn, user: Person) =>
  hold(shop, stripe, user, () => undefined)

test('a refund that Stripe refuses is listed and dismissed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, session } = await makePaid(shop, stripe, user)
  // Given back at Stripe meanwhile, so that there is nothing left to refund there.
  const intent = session['payment_intent'] as string
  stripe.refund(intent)
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: id, reason: expect.stringMatching(/refunded/) },
  ])
  const refund = (await listAttentionItems(admin)).items[0]!
  expect((await press(admin, `refund/${refund.id}/dismissal`, { note: 'It went back' })).status).toBe(200)
  expect((await press(admin, `refund/not-an-id/dismissal`, { note: 'x' })).status).toBe(409)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect(await listAuditEvents(shop)).toEqual([
    'purchases.refund_asked',
    'payments.refunded',
    'refunds.dismissed',
  ])
})

test('lost events are listed page by page, and are tried again or dismissed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await hold(shop, stripe, user, isCheaper)
  await givePaymentEvents(shop.services.db, 40, (n) => ({
    type: 'charge.updated',
    received_at: new Date(Date.now() - n * 2 * 3_600_000),
  }))
  const first = await listAttentionItems(admin)
  const rest = await listAttentionItems(admin, first.next!)
  const ids = [...first.items, ...rest.items].map((need) => need.id)
  expect([first.items.length, new Set(ids).size, rest.next]).toEqual([30, 41, null])
  expect(ids).toContain(id)
  expect(first.items.find(({ kind }) => kind === 'event')).toMatchObject({
    id: 'evt_1',
    stripe_url: 'https://dashboard.stripe.com/test/events/evt_1',
  })
  expect((await press(admin, 'event/evt_1/again')).status).toBe(200)
  await soon(shop, async () => (await countAttentionItems(admin)).count).toBe(40)
  expect((await press(admin, 'event/evt_1/again')).status).toBe(409)
  expect((await press(admin, 'event/evt_2/dismissal', { note: 'Not ours' })).status).toBe(200)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 39 })
  expect(await listAuditEvents(shop)).toEqual(['payments.event_tried_again', 'events.dismissed'])
})

test('a mail that failed for good is listed, and is sent again once, or dismissed', async () => {
  await using server = await openSmtpServer('refuses for good')
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SMTP_URL: server.url } })
  const { pool } = shop.services.database
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await makePaid(shop, stripe, user)
  const receipt = async () =>
    (await pool.query(`select state from pgboss.job where name = 'mail.receipt'`)).rows[0].state as string
  await expect.poll(receipt).toBe('retry')
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  await changeJobs({ pool }, { retry_count: 23, isDue: true }, 'mail.receipt')
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'mail', recipient: user.email, attempts: 25, purchase_id: id },
  ])
  const [mail] = (await listAttentionItems(admin)).items
  server.behavior = 'takes mails'
  const twice = await Promise.all([
    press(admin, `mail/${mail!.id}/again`),
    press(admin, `mail/${mail!.id}/again`),
  ])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  await soon(
    shop,
    async () => (await pool.query('select status from mails where id = $1', [mail!.id])).rows,
  ).toEqual([{ status: 'sent' }])
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })

  await pool.query(`update mails set status = 'failed', given_up_at = now() where id = $1`, [mail!.id])
  await loseJobs({ pool })
  expect(await (await press(admin, `mail/${mail!.id}/again`)).json()).toMatchObject({ code: 'mails.too_old' })
  expect((await press(admin, `mail/${mail!.id}/dismissal`, { note: 'Told her' })).status).toBe(200)
  expect(await listAuditEvents(shop)).toEqual(['mails.sent_again', 'mails.dismissed'])
})
