// Readers by the thousand, who own one product.
import type { Pool } from 'pg'

/** Accounts that have bought the first digital product, whose id is returned. Emails to them go out 100,000 an hour. */
export async function addOwners(pool: Pool, count: number): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from products where format = 'digital' limit 1`,
  )
  const { id } = rows[0]!
  await pool.query(
    `with made as (
       insert into auth.users (id, email, email_confirmed_at)
       select gen_random_uuid(), 'owner-' || n || '@example.com', now() from generate_series(1, $1) n returning id, email),
     named as (
       insert into profiles (user_id, email) select id, email from made returning user_id)
     insert into purchases (id, user_id, product_id, amount, status, created_at)
     select gen_random_uuid(), user_id, $2, 14.99, 'completed', now() - interval '1 day' from named`,
    [count, id],
  )
  await pool.query(
    `insert into settings (name, fields, revision, changed_by) values ('mail', $1, 1, 'tests')
     on conflict (name) do update set fields = settings.fields || excluded.fields`,
    [{ bulk_per_hour: 100_000 }],
  )
  return id
}
