// Made-up readers and purchases, written by PostgreSQL itself: nothing of them passes through this process.
import type { Client } from 'pg'

const batch = 100_000
type Progress = (done: number) => void

const given =
  'Anna,Ben,Clara,David,Eva,Felix,Grace,Hannah,Isaac,Joel,Karen,Levi,Miriam,Noah,Olivia,Paul,Rachel,Samuel,Tessa,Victor'
const family =
  'Archer,Baker,Carter,Dyer,Ellis,Fisher,Gardner,Hunter,Ives,Joiner,Keller,Lane,Mason,North,Parker,Reeve,Sawyer,Turner,Weaver,Young'

const watched = ['profiles', 'user_roles', 'purchases', 'adjustments']

/** Throws when the shop has purchases of its own, unless forced. */
export async function prepare(
  client: Client,
  { seed, isForced }: { seed: number; isForced: boolean },
): Promise<void> {
  const { rowCount } = await client.query('select from purchases limit 1')
  if (rowCount && !isForced)
    throw new Error('This shop has purchases already. With --force the made-up ones are added to them.')
  await client.query('lock table profiles, user_roles, purchases, adjustments in share row exclusive mode')
  // The sums are made once, at the end.
  for (const table of watched) await client.query(`alter table ${table} disable trigger user`)
  await client.query('select setseed($1)', [1 / (seed + 1)])
  await client.query(
    'create temporary table demo_reader (n integer primary key, user_id uuid not null) on commit drop',
  )
}

/** More and more of them towards today; one in eight has told no name. */
export async function addReaders(
  client: Client,
  count: number,
  years: number,
  onProgress: Progress,
): Promise<void> {
  const { rows } = await client.query<{ last: number }>(`
    select coalesce(max(substring(email from '^reader-(\\d+)@demo')::integer), 0) as last from profiles
    where email like 'reader-%@demo.example.com'`)
  const offset = rows[0]!.last
  for (let from = 1; from <= count; from += batch) {
    const to = Math.min(from + batch - 1, count)
    await client.query(
      `with made as materialized (
        select n, gen_random_uuid() as id, 'reader-' || (n + $5) || '@demo.example.com' as email,
          case when random() < 0.875 then
            (string_to_array('${given}', ','))[1 + floor(random() * 20)] || ' ' ||
            (string_to_array('${family}', ','))[1 + floor(random() * 20)] end as name,
          now() - (1 - sqrt(n::float / $3)) * $4 * interval '365 days' - random() * interval '1 day' as at
        from generate_series($1::integer, $2::integer) n
      ), accounts as (
        insert into auth.users (id, email, user_metadata, email_confirmed_at, created_at)
        select id, email, case when name is null then '{}' else jsonb_build_object('display_name', name) end, at, at from made
      ), people as (
        insert into profiles (user_id, email, display_name, created_at) select id, email, name, at from made
        returning user_id
      ), roles as (
        insert into user_roles (user_id, role) select user_id, 'user' from people
      )
      insert into demo_reader select n, id from made`,
      [from, to, count, years, offset],
    )
    onProgress(to)
  }
}

type Amounts = { users: number; purchases: number; years: number }

/** Few buy much, most buy little; more at weekends, more towards today; one in fifty comes back. */
export async function addPurchases(
  client: Client,
  { users, purchases, years }: Amounts,
  onProgress: Progress,
): Promise<void> {
  await client.query(`
    create temporary table demo_shelf on commit drop as
    select id, price, sum(case format when 'digital' then 5 when 'paperback' then 3 else 1 end) over (order by price, id)::float
      / sum(case format when 'digital' then 5 when 'paperback' then 3 else 1 end) over () as upto
    from products`)
  for (let done = 0; done < purchases; done += batch) {
    const size = Math.min(batch, purchases - done)
    await client.query(
      `with drawn as materialized (
        select 1 + floor(power(random(), 2) * $2)::integer as reader, random() as which, random() as fate,
          now() - (1 - sqrt(random())) * $3 * interval '365 days' as at
        from generate_series(1, $1::integer)
      ), timed as (
        select *, case
          when extract(isodow from at) < 6 and random() < 0.25 then at - extract(isodow from at) * interval '1 day'
          else at end as moment
        from drawn
      ), bought as (
        insert into purchases (id, user_id, product_id, amount, status, created_at)
        select gen_random_uuid(), r.user_id, p.id, p.price,
          case when fate < 0.015 then 'refunded' when fate < 0.02 then 'partially_refunded' else 'completed' end, moment
        from timed join demo_reader r on r.n = reader
          join lateral (select id, price from demo_shelf where upto >= which order by upto limit 1) p on true
        returning id, amount, status, created_at
      )
      insert into adjustments (id, purchase_id, kind, amount, note, created_at)
      select gen_random_uuid(), id, 'refund',
        -case status when 'refunded' then amount else round(amount / 3, 2) end, '',
        least(now(), created_at + random() * interval '20 days')
      from bought where status <> 'completed'`,
      [size, users, years],
    )
    onProgress(done + size)
  }
}

export async function finish(client: Client): Promise<void> {
  await client.query(`
    update purchases p set refunded = a.back
    from (select purchase_id, -sum(amount) as back from adjustments group by purchase_id) a where a.purchase_id = p.id`)
  await client.query(`
    insert into contact_messages (id, name, email, subject, message, created_at)
    select gen_random_uuid(), p.display_name, p.email, 'A question about the book',
      'I have read the first chapters with joy. Will there be a workbook for groups?', now() - random() * interval '60 days'
    from profiles p join demo_reader r using (user_id) where r.n <= 12 and p.display_name is not null`)
  await client.query(shipments)
  for (const table of watched) await client.query(`alter table ${table} enable trigger user`)
  await client.query('select sums_rebuild()')
}

/** What is older than four days has left; of one in thirty the address is still to come. */
const shipments = `
  insert into shipments (purchase_id, format, is_paid, created_at, shipped_at, carrier, tracking_number,
    name, line1, city, state, postal_code, country)
  select b.id, p.format, is_completed(b.status), b.created_at, sent,
    case when sent is not null then 'USPS' end,
    case when sent is not null then '9400' || lpad(floor(random() * 1e18)::bigint::text, 18, '0') end,
    case when has_address then coalesce(u.display_name, 'A Reader') end,
    case when has_address then 1 + floor(random() * 200) || ' ' ||
      (array['Barley Road', 'Olive Street', 'Cedar Lane', 'Well Street', 'Harvest Avenue'])[1 + floor(random() * 5)] end,
    case when has_address then place[1] end, coalesce(place[2], ''), coalesce(place[3], ''),
    case when has_address then 'US' end
  from purchases b join products p on p.id = b.product_id join profiles u using (user_id)
    join demo_reader r using (user_id)
    cross join lateral (select b.created_at < now() - interval '4 days' as is_old, random() > 0.03 and b.id is not null as drawn) d
    cross join lateral (select is_old or drawn as has_address,
      case when is_old and is_completed(b.status) then b.created_at + interval '2 days' end as sent) s
    cross join lateral (select case when has_address then string_to_array((array[
      'Portland,OR,97201', 'Austin,TX,78701', 'Nashville,TN,37201', 'Columbus,OH,43004', 'Boise,ID,83702'
    ])[1 + floor(random() * 5)], ',') end as place) a
  where p.format <> 'digital' and b.status <> 'canceled'
  on conflict do nothing`
