// A stretch in which nobody could pay: counted by people, told once it is over, once, and dismissed.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { listAuditEvents, listAttentionItems, press } from '#test/needs.ts'
import { begin, buy, openPaidShop } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { openSecondShop } from '#test/second-shop.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'
import { describeOutage } from './outages.ts'

const people = (shop: TestShop, count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => shop.person()))

const noticesOf = async (shop: TestShop) =>
  (await shop.mailbox.all()).filter(({ subject }) => subject === 'Nobody could pay for a while')

test('who could not pay is counted once, in all processes, and the author is told once when a checkout opens', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { clock, env: { TIME_ZONE: 'Europe/Berlin' } })
  const admin = await shop.person({ role: 'admin' })
  const crowd = await people(shop, 6)
  const lines: unknown[][] = []
  shop.services.log.warn = (...line: unknown[]) => void lines.push(line)
  stripe.faults.away = 1
  {
    await using other = await openSecondShop(shop, { env: stripe.env })
    const { id: product_id } = await shop.product('digital')
    const there = ({ token }: Person) =>
      fetch(`${other.url}/api/purchases`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ product_id }),
      })
    const refused = await Promise.all([
      ...crowd.slice(0, 4).map((person) => begin(shop, person)),
      ...crowd.slice(2).map((person) => there(person)),
    ])
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  }
  // Not over yet, though a process has ended.
  expect((await listAttentionItems(admin)).items).toEqual([])
  time.ahead = 3 * 60_000
  stripe.faults.away = 0
  await Promise.all((await people(shop, 3)).map((person) => buy(shop, person)))
  const { items } = await listAttentionItems(admin)
  const { rows } = await shop.services.database.pool.query<{ began_at: Date; ended_at: Date }>(
    'select began_at, ended_at from payment_outages',
  )
  expect(rows[0]!.ended_at.getTime() - rows[0]!.began_at.getTime()).toBeGreaterThan(2 * 60_000)
  const words = describeOutage({ reason: 'unavailable', ...rows[0]!, people: 6 }, 'Europe/Berlin')
  expect(words).toContain('Stripe did not answer; 6 people could not pay.')
  expect(items).toMatchObject([
    { kind: 'outage', reason: words, people: 6, emails: crowd.map(({ email }) => email).toSorted() },
  ])
  await soon(shop, async () => (await noticesOf(shop)).length).toBe(1)
  const [mail] = await noticesOf(shop)
  for (const { email } of crowd) expect(mail!.text).toContain(email)
  expect(mail!.text!.replaceAll(/\s+/g, ' ')).toContain(words)
  const log = JSON.stringify(lines)
  expect(log).toContain('"people":6')
  for (const { email } of crowd) expect(log).not.toContain(email)

  const { id } = items[0]!
  const dismiss = () => press(admin, `outage/${id}/dismissal`, { note: 'Wrote to them' })
  const twice = await Promise.all([dismiss(), dismiss()])
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect(await listAuditEvents(shop)).toContain('outages.dismissed')
  // The next checkouts end nothing, and a new outage is another one.
  await buy(shop, await shop.person())
  stripe.faults.away = 1
  await begin(shop, await shop.person())
  stripe.faults.away = 0
  await buy(shop, await shop.person())
  expect((await listAttentionItems(admin)).items).toMatchObject([{ kind: 'outage', people: 1 }])
  await soon(shop, async () => (await noticesOf(shop)).length).toBe(2)
})

test('a key that Stripe does not accept is said as such, and a refusal of another kind is no outage', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const [anna, ben] = [await shop.person(), await shop.person()]
  await begin(shop, anna, 'digital', 'one-key-for-two')
  expect((await begin(shop, anna, 'paperback', 'one-key-for-two')).status).toBe(409)
  stripe.denied.add('key')
  await begin(shop, anna, 'hardcover')
  stripe.denied.clear()
  await buy(shop, ben)
  // Once resumed, it is no new checkout.
  await buy(shop, ben)
  expect((await listAttentionItems(admin)).items).toMatchObject([
    {
      kind: 'outage',
      reason: expect.stringContaining('Stripe did not accept the key of the shop; 1 person'),
    },
  ])
})

test('an outage is said in the time zone of the shop, with both days where it lasted over midnight', () => {
  const outage = {
    reason: 'unavailable' as const,
    began_at: new Date('2026-03-01T09:02:00Z'),
    ended_at: new Date('2026-03-01T09:05:00Z'),
    people: 1,
  }
  expect(describeOutage(outage, 'Europe/Berlin')).toBe(
    'On Mar 1, 2026, from 10:02 to 10:05 (Europe/Berlin) Stripe did not answer; 1 person could not pay.',
  )
  const later = { ...outage, ended_at: new Date('2026-03-02T00:01:00Z'), people: 6 }
  expect(describeOutage(later, 'UTC')).toBe(
    'From 09:02 on Mar 1, 2026 to 00:01 on Mar 2, 2026 (UTC) Stripe did not answer; 6 people could not pay.',
  )
})
