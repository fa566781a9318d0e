// Payments, refunds and disputes since the backup from which a shop was restored, of which Stripe has no events any more.
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import type { Backups } from '#contract/operations/backups.ts'
import { losePurchases, loseUsers } from '#test/changes.ts'
import { listAttentionItems } from '#test/needs.ts'
import { begin, buy, buyAndPay, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { reconcile, beginSearch, finishSearches } from './reconcile.ts'

/** As the database of an older backup, a month later: without purchases, and without these accounts. */
async function loseAll(shop: TestShop, stripe: StripeStandIn, ...younger: Person[]): Promise<void> {
  await losePurchases(shop.services.db)
  await loseUsers(
    shop.services.database,
    younger.map(({ id }) => id),
  )
  stripe.events.length = 0
}

const search = ({ services }: TestShop) => beginSearch(services.db, new Date())

const rebuiltIn = async (admin: Person) =>
  ((await (await admin.call('GET', '/api/admin/backups')).json()) as Backups).rebuilt

/** Of another shop on the same account. */
async function payElsewhere(stripe: StripeStandIn, like: string, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const id = `cs_elsewhere_${nth}`
    stripe.sessions.set(id, {
      ...structuredClone(stripe.sessions.get(like)!),
      id,
      success_url: 'https://another.example/dashboard',
      status: 'complete',
    })
  }
}

test('a payment without an event comes back with its buyer, once, and the author sees it', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const [ruth, boaz] = [await shop.person({ email: 'ruth@example.com' }), await shop.person()]
  const [hers, his] = [await buy(shop, ruth), await buy(shop, boaz)]
  for (const { id } of [hers, his]) stripe.pay(sessionOf(stripe, id).id)
  // More than a page of newer ones.
  await payElsewhere(stripe, sessionOf(stripe, his.id).id, 120)
  await loseAll(shop, stripe, ruth)
  await reconcile(shop.services)
  expect(await rebuiltIn(admin)).toEqual({ is_searching: false, count: 0, items: [] })

  await search(shop)
  expect(await rebuiltIn(admin)).toMatchObject({ is_searching: true })
  await Promise.all([reconcile(shop.services), reconcile(shop.services)])
  const expected = [
    { id: hers.id, number: 1001, email: 'ruth@example.com', amount: 14.99, status: 'completed' },
    { id: his.id, number: 1002, email: boaz.email, amount: 14.99, status: 'completed' },
  ]
  const rebuilt = async () => {
    const { is_searching, count, items } = await rebuiltIn(admin)
    return { is_searching, count, items: items.toSorted((a, b) => a.number - b.number) }
  }
  await soon(shop, rebuilt).toMatchObject({ is_searching: false, count: 2, items: expected })
  const mail = await shop.mailbox.to('ruth@example.com', /made again/)
  expect(mail.text).toContain('nothing to pay once more')

  await search(shop)
  await reconcile(shop.services)
  await soon(shop, rebuilt).toMatchObject({ is_searching: false, count: 2, items: expected })
  const { rows } = await shop.services.database.pool.query(
    `select kind, count(*)::int from mails where kind in ('account_restored', 'receipt') group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { kind: 'account_restored', count: 1 },
    { kind: 'receipt', count: 2 },
  ])
})

test('before the shop opens all is looked up, and no buyer is asked to pay once more', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [ruth, boaz] = [await shop.person(), await shop.person()]
  const [paid, slow] = [await buy(shop, ruth), await buy(shop, boaz)]
  stripe.pay(sessionOf(stripe, paid.id).id)
  stripe.pay(sessionOf(stripe, slow.id).id, { isSlow: true })
  await loseAll(shop, stripe)
  await search(shop)
  stripe.fail(1, 'GET sessions')
  const { services } = shop
  await expect(finishSearches(services, services.payments.current()!)).rejects.toThrow()
  await finishSearches(services, services.payments.current()!)
  expect(await own(ruth)).toMatchObject([{ id: paid.id, status: 'completed' }])
  const again = await begin(shop, boaz)
  expect(await again.json()).toMatchObject({ id: slow.id, status: 'pending', checkout_url: null })
})

test('a payment that cannot be made a purchase again needs attention, with its page at Stripe', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  Object.assign(session, { metadata: { purchase_id: id } })
  stripe.pay(session.id)
  await loseAll(shop, stripe)
  await search(shop)
  await reconcile(shop.services)
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    {
      kind: 'event',
      id: session.id,
      reason: expect.stringContaining(`$14.99 was paid for the purchase ${id}`),
      stripe_url: expect.stringContaining('/payments/pi_'),
    },
  ])
})

test('refunds and disputes of purchases in the backup are found, and those that failed or were decided since', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const [refunded, disputed, failed, whole] = [
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
  ]
  const intentOf = (id: string) => sessionOf(stripe, id).payment_intent as string
  const statuses = async () =>
    Object.fromEntries((await own(user)).map(({ id, status }) => [id, status])) as Record<string, string>
  const before = stripe.refund(intentOf(failed))
  await settle(user, failed)
  expect(await statuses()).toMatchObject({ [failed]: 'refunded', [refunded]: 'completed' })

  // The backup is of this moment.
  const monthAgo = Math.floor(Date.now() / 1000) - 30 * 86_400
  Object.assign(before, { created: monthAgo })
  stripe.refund(intentOf(refunded))
  stripe.dispute(sessionOf(stripe, disputed).id)
  stripe.failRefund(before.id)
  stripe.events.length = 0
  await reconcile(shop.services)
  expect(await statuses()).toMatchObject({ [refunded]: 'completed', [disputed]: 'completed' })

  await search(shop)
  await Promise.all([reconcile(shop.services), reconcile(shop.services)])
  await soon(shop, statuses).toMatchObject({
    [refunded]: 'refunded',
    [disputed]: 'disputed',
    [failed]: 'completed',
    [whole]: 'completed',
  })
  await shop.mailbox.to(user.email, /Your refund for/)

  // A later restore of a newer backup finds only what has changed.
  stripe.dispute(sessionOf(stripe, disputed).id, 'won')
  stripe.events.length = 0
  await search(shop)
  await finishSearches(shop.services, shop.services.payments.current()!)
  expect(await statuses()).toMatchObject({ [refunded]: 'refunded', [disputed]: 'completed' })
  const { rows } = await shop.services.database.pool.query(
    `select kind, count(*)::int from adjustments group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { kind: 'dispute', count: 1 },
    { kind: 'dispute_won', count: 1 },
    { kind: 'refund', count: 2 },
    { kind: 'refund_failed', count: 1 },
  ])
})
