// docs/tables.md names every table, and what it says of the sweep is so.
import { expect, test } from 'vitest'
import { createSweeps, sweep } from '../src/background.ts'
import { openTestShop } from './shop.ts'
import { readTableList } from './table-list.ts'
import { dayMs } from '#contract/durations.ts'

test('every table of a running shop is in docs/tables.md, and no other', async () => {
  await using shop = await openTestShop()
  const { rows } = await shop.services.database.pool.query<{ name: string }>(`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema')`)
  const documented = readTableList().map(({ name }) => name)
  expect(documented.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

/** A shop whose clock can be put forward. */
async function openSweptShop() {
  let aheadMs = 0
  const shop = await openTestShop({ hasWorkers: false, clock: () => new Date(Date.now() + aheadMs) })
  const { pool } = shop.services.database
  async function sweepAfter(days: number) {
    aheadMs = days * dayMs
    await sweep(shop.services)
  }
  const ids = async (table: string) =>
    (await pool.query<{ id: string }>(`select id::text from ${table} order by id`)).rows.map(({ id }) => id)
  const setClock = (days: number) => void (aheadMs = days * dayMs)
  return { shop, pool, sweepAfter, setClock, ids, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() }
}

test('resolved events of Stripe are deleted after 90 days, however many; open ones stay', async () => {
  await using swept = await openSweptShop()
  await swept.pool.query(`insert into payment_events (id, type) values ('evt_open', 'a')`)
  await swept.pool.query(`
    insert into payment_events (id, type, handled_at) select 'evt_' || n, 'a', now() from generate_series(1, 25000) n`)
  await swept.sweepAfter(89)
  expect(await swept.ids('payment_events')).toHaveLength(25_001)
  await swept.sweepAfter(91)
  expect(await swept.ids('payment_events')).toEqual(['evt_open'])
})

test('records of emails are deleted after 90 days, but not of a purchase, and not what needs attention', async () => {
  await using swept = await openSweptShop()
  const reader = await swept.shop.person()
  const { id: purchase_id } = await reader.buy((await swept.shop.product('digital')).id)
  const record = async (kind: string, values: { purchase_id?: string; given_up_at?: Date } = {}) =>
    swept.pool.query(
      `insert into mails (id, kind, recipient, subject, status, purchase_id, given_up_at)
      values (gen_random_uuid(), $1, 'a@example.com', '', 'sent', $2, $3)`,
      [kind, values.purchase_id, values.given_up_at],
    )
  await record('account')
  await record('receipt', { purchase_id })
  await record('given up', { given_up_at: new Date() })
  const kinds = async () => {
    const { rows } = await swept.pool.query<{ kind: string }>('select kind from mails order by kind')
    return rows.map(({ kind }) => kind)
  }
  await swept.sweepAfter(89)
  expect(await kinds()).toEqual(['account', 'given up', 'receipt'])
  await swept.sweepAfter(91)
  expect(await kinds()).toEqual(['given up', 'receipt'])
})

test('a download link that was not followed is deleted after a day, a download after two years', async () => {
  await using swept = await openSweptShop()
  const reader = await swept.shop.person()
  const { id } = await reader.buy((await swept.shop.product('digital')).id)
  const links = await Promise.all(
    [1, 2].map(() => reader.call('POST', `/api/purchases/${id}/download`, { body: {} })),
  )
  const [{ url }] = (await Promise.all(links.map((link) => link.json()))) as [{ url: string }, unknown]
  await (await swept.shop.call('GET', url)).bytes()
  await swept.sweepAfter(0.9)
  expect(await swept.ids('downloads')).toHaveLength(2)
  await swept.sweepAfter(1.1)
  expect(await swept.ids('downloads')).toHaveLength(1)
  await swept.sweepAfter(729)
  expect(await swept.ids('downloads')).toHaveLength(1)
  await swept.sweepAfter(731)
  expect(await swept.ids('downloads')).toEqual([])
})

test('a second factor that was never verified is deleted', async () => {
  await using swept = await openSweptShop()
  const reader = await swept.shop.person()
  await reader.call('POST', '/auth/v1/factors', { body: { factor_type: 'totp' } })
  await swept.sweepAfter(0)
  expect(await swept.ids('auth.mfa_factors')).toHaveLength(1)
  await swept.sweepAfter(1)
  expect(await swept.ids('auth.mfa_factors')).toEqual([])
})

test('a clock that jumps deletes nothing and begins no backup', async () => {
  await using swept = await openSweptShop()
  await swept.pool.query(`insert into payment_events (id, type, handled_at) values ('evt_old', 'a', now())`)
  const sweepHourly = createSweeps(swept.shop.services)
  swept.setClock(100)
  await sweepHourly()
  swept.setClock(0)
  await sweepHourly()
  expect(await swept.ids('payment_events')).toEqual(['evt_old'])
  expect(await swept.ids('backup_runs')).toEqual([])
})

test('what a clock that was far ahead has put off is due again once it is right', async () => {
  await using swept = await openSweptShop()
  const reader = await swept.shop.person()
  await reader.buy((await swept.shop.product('digital')).id)
  await swept.pool.query(`update pgboss.job set start_after = now() + interval '31 days'`)
  await swept.pool.query(`update pgboss.queue set monitor_on = now() + interval '31 days'`)
  await swept.pool.query(
    `insert into rate_limits (key, hits, window_start) values ('ahead', 10, now() + interval '31 days')`,
  )
  await swept.sweepAfter(0)
  const isAhead = async (table: string, column: string) =>
    (await swept.pool.query(`select from ${table} where ${column} > now()`)).rowCount
  expect(await isAhead('pgboss.job', 'start_after')).toBe(0)
  expect(await isAhead('pgboss.queue', 'monitor_on')).toBe(0)
  expect(await isAhead('rate_limits', 'window_start')).toBe(0)
})
