// Buying through the whole path, against the same SQL alone; and one's own list among few users and among many.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Product } from '../../src/features/products/contract/products.ts'
import { migrateDatabase } from '../../src/platform/db/migrate.ts'
import { openDatabase, type Database } from '../../src/platform/db/client.ts'
import { listOwnPurchases } from '../../src/features/purchases/own-purchases.ts'
import { compare, median, type Figure } from '../figure.ts'
import { databaseUrlOf, load, runProgram, signIn, type Shop } from '../processes.ts'

export const connections = 32
export const seconds = 5

export async function purchases(shop: Shop, rounds: number): Promise<Figure[]> {
  const token = await signIn(shop)
  const databaseUrl = databaseUrlOf(shop)
  const [product] = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const product_id = product!.id
  const { dataDir, url: siteUrl } = shop
  const recorded = await runProgram<object>('record', { databaseUrl, dataDir, token, product_id, siteUrl })
  const { ratio, note } = await compare(
    rounds,
    () => buyForSeconds(shop, token, product_id),
    async () => {
      await untilIdle(databaseUrl)
      const input = { ...recorded, databaseUrl, connections, seconds }
      return (await runProgram<{ perSecond: number }>('sql', input)).perSecond
    },
  )
  const name = 'POST /api/purchases at 32 connections, against its SQL alone'
  return [{ name, bar: { atLeast: 0.5 }, unit: 'ratio', measured: ratio, note }]
}

/** How many a second. */
export async function buyForSeconds(shop: Shop, token: string, product_id: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ product_id })
  const url = `${shop.url}/api/purchases`
  return (await load({ url, connections, seconds, method: 'POST', headers, body, hasKeys: true })).perSecond
}

/** The jobs of the shop's own turn would take the database's time from the baseline. */
export async function untilIdle(databaseUrl: string): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const since = performance.now()
  while (performance.now() - since < 300_000) {
    // A shop is open a moment before it has made the tables of its jobs.
    const { rowCount } = await database.pool.query("select where to_regclass('pgboss.job') is not null")
    if (rowCount === 0) {
      await sleep(200)
      continue
    }
    const { rows } = await database.pool.query<{ isIdle: boolean }>(
      `select not exists (
         select from pgboss.job where state < 'completed' and start_after <= now()
       ) as "isIdle"`,
    )
    if (rows[0]!.isIdle) return
    await sleep(200)
  }
  throw new Error('the jobs of the purchases were not done within five minutes')
}

const sizes = { few: { readers: 1_000, purchases: 10_000 }, many: { readers: 100_000, purchases: 1_000_000 } }

export async function ownList(shop: Shop, rounds: number): Promise<Figure[]> {
  await using few = await openFilled(shop, 'few')
  await using many = await openFilled(shop, 'many')
  const { ratio } = await compare(
    rounds + 2,
    () => listMs(many.database, sizes.many.readers),
    () => listMs(few.database, sizes.few.readers),
  )
  const name = "A reader's own list among 1M purchases, against 10k"
  return [{ name, bar: { atMost: 1.3 }, unit: 'ratio', measured: ratio }]
}

/** Median time of 300 users' lists, each of about ten purchases. */
async function listMs({ db }: Database, readers: number): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 300; turn++) {
    const reader = 1 + ((turn * 7919) % readers)
    const since = performance.now()
    const { items } = await listOwnPurchases(db, readerId(reader), {})
    times.push(performance.now() - since)
    if (items.length === 0) throw new Error('a reader of the bench has no purchases')
  }
  return median(times)
}

const readerId = (number: number) => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

async function openFilled(shop: Shop, size: keyof typeof sizes) {
  const admin = openDatabase(databaseUrlOf(shop), { max: 1 })
  await admin.pool.query(`create database bench_${size}`)
  const url = new URL(databaseUrlOf(shop))
  url.pathname = `bench_${size}`
  const database = openDatabase(url.href, { max: 2 })
  await migrateDatabase(database)
  await fill(database, sizes[size])
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await admin.pool.query(`drop database bench_${size} with (force)`)
      await admin.close()
    },
  }
}

async function fill({ pool }: Database, { readers, purchases }: (typeof sizes)['few']): Promise<void> {
  // The pool's connections give up after seconds.
  const client = new Client({ connectionString: pool.options.connectionString })
  await client.connect()
  const id = (number: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
  await client.query('alter table purchases disable trigger user')
  await client.query(`insert into products (id, name, price, format)
    select ${id('n')}, 'Product ' || n, 14.99, 'digital' from generate_series(1, 4) n`)
  await client.query(
    `insert into profiles (user_id, email) select ${id('n')}, n || '@example.com' from generate_series(1, $1::int) n`,
    [readers],
  )
  await client.query(
    `insert into purchases (id, user_id, product_id, amount, status, created_at)
     select gen_random_uuid(), ${id('1 + n % $1::int')}, ${id('1 + n % 4')}, 14.99, 'completed',
            now() - make_interval(secs => n) from generate_series(1, $2::int) n`,
    [readers, purchases],
  )
  await client.query('alter table purchases enable trigger user')
  await client.query('vacuum analyze')
  await client.end()
}
