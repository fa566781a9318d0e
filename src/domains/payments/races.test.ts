// Concurrent settlements of one purchase: the one that waits for the lock uses what the other has written.
import { expect, test } from 'vitest'
import { changeCheckouts } from '#test/changes.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { buy, openPaidShop, sessionOf } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { clock, time } from '#test/time.ts'
import { settlePurchase } from './settle.ts'

/** Nobody gets on with this purchase until it is let go, and `change` is done. */
async function holdUp({ services }: TestShop, id: string) {
  const client = await services.database.pool.connect()
  await client.query('begin')
  await client.query('select from purchases where id = $1 for update', [id])
  return {
    /** As soon as so many wait for it. */
    async release(count: number, change = 'select 1') {
      await untilWaiting(services.database, count)
      await client.query(change)
      await client.query('commit')
      client.release()
    },
  }
}

test('a held payment that went back sends one mail, though two settle it concurrently', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { id } = await buy(shop, await shop.person())
  const session = sessionOf(stripe, id)
  stripe.pay(session.id)
  session.currency = 'eur'
  stripe.refund(session.payment_intent as string)
  const first = await holdUp(shop, id)
  const two = [settlePurchase(shop.services, id), settlePurchase(shop.services, id)]
  await first.release(2)
  expect(await Promise.all(two)).toEqual(['canceled', 'canceled'])
  const { rows } = await shop.services.database.pool.query(
    `select count(*) from pgboss.job where name = 'mail.refund'`,
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('a purchase that is canceled and paid concurrently is paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock })
  const { id } = await buy(shop, await shop.person())
  await changeCheckouts(shop.services.db, { session_id: null })
  time.ahead = 26 * 3_600_000
  const first = await holdUp(shop, id)
  const givenUp = settlePurchase(shop.services, id)
  await first.release(1, `update purchases set status = 'completed'`)
  expect(await givenUp).toBe('completed')
  const { rows } = await shop.services.database.pool.query('select status from purchases')
  expect(rows).toEqual([{ status: 'completed' }])
})
