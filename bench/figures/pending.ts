// Pending purchases of the bench: the same number has the same id in the shop and at the stand-in.
import { openDatabase } from '../../src/platform/db/client.ts'
import { databaseUrlOf, type Shop } from '../processes.ts'

const portion = 20_000

export const purchaseId = (number: number) =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Straight into the tables, in portions that the database's time limits allow; not asked about yet. */
export async function begin(shop: Shop, from: number, to: number, product_id: string): Promise<void> {
  await using database = openDatabase(databaseUrlOf(shop), { max: 1 })
  await database.pool.query('alter table purchases disable trigger user')
  const id = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  for (let first = from; first <= to; first += portion) {
    await database.pool.query(
      `with made as (
         insert into purchases (id, user_id, product_id, amount, status)
         select ${id}, (select user_id from profiles limit 1), $3, 14.99, 'pending'
         from generate_series($1::int, $2::int) n
         returning id
       )
       insert into checkouts (purchase_id, session_id, is_live) select id, 'cs_' || id, false from made`,
      [first, Math.min(to, first + portion - 1), product_id],
    )
  }
  await database.pool.query('alter table purchases enable trigger user')
}

/** All are due at once; resolves when each was asked about. */
export async function untilAsked(shop: Shop): Promise<void> {
  await using database = openDatabase(databaseUrlOf(shop), { max: 1 })
  const { rows } = await database.pool.query<{ due: string }>(
    `with due as (
       update checkouts set next_check_at = now() where purchase_id in (
         select id from purchases where status = 'pending') and next_check_at is null
       returning next_check_at
     )
     select max(next_check_at)::text as due from due`,
  )
  for (;;) {
    const { rowCount } = await database.pool.query(
      'select from checkouts where next_check_at <= $1::timestamptz limit 1',
      [rows[0]!.due],
    )
    if (rowCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
