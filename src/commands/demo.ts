// The command `lectern demo`: fills a shop with invented users, purchases and messages.
import type { Client } from 'pg'
import { parseArgs } from 'node:util'
import { daySeconds } from '#contract/durations.ts'
import { seed as seedCatalogue } from '#domains/catalog/seed.ts'
import { openClient } from '#platform/db/client.ts'
import { fail, openShell } from './shell.ts'

type DemoSize = { users: number; purchases: number; years: number; isForced: boolean }

async function fill(client: Client, request: DemoSize, onStep: (what: string) => void): Promise<void> {
  const { users, purchases, years, isForced } = request
  await client.query('begin')
  const { rowCount } = await client.query('select from purchases limit 1')
  if (rowCount && !isForced)
    throw new Error('This shop has purchases already. With --force the made-up ones are added to them.')
  for (const setting of settings) await client.query(`set local ${setting}`)
  await client.query(functions)
  const parts = await strip(client)
  onStep(`${users} users`)
  await client.query(readers, [users, years * 365 * daySeconds])
  await client.query(accounts)
  for (let inserted = 0; inserted < purchases; inserted += portion) {
    onStep(`purchases from ${inserted + 1} to ${Math.min(purchases, inserted + portion)}`)
    await client.query(sales, [inserted + 1, Math.min(purchases, inserted + portion), purchases, users])
  }
  onStep('refunds, parcels, codes and sums')
  for (const statement of [
    refunds,
    shipments,
    destinations,
    codes,
    codeUses,
    countsOfUses,
    messages,
    'select sums_rebuild()',
  ])
    await client.query(statement)
  onStep('indexes')
  await restore(client, parts)
  await client.query('commit')
  await client.query('vacuum analyze')
}

const portion = 1_000_000

const settings = [
  'statement_timeout = 0',
  "maintenance_work_mem = '512MB'",
  "work_mem = '128MB'",
  // A container's shared memory is small.
  'enable_parallel_hash = off',
]

const givenNames = `{Anna,Ben,Clara,David,Eva,Felix,Grace,Hannah,Isaac,Joel,Karen,Levi,Miriam,Noah,Olivia,Paul,Rachel,Samuel,Tessa,Victor}`
const family = `{Archer,Baker,Carter,Dyer,Ellis,Fisher,Gardner,Hunter,Ives,Joiner,Keller,Lane,Mason,North,Parker,Reeve,Sawyer,Turner,Weaver,Young}`

const countries = `{US,US,US,US,US,US,GB,GB,CA,CA,DE,AU,NL,IE,FR,NZ}`

const functions = `
  create function pg_temp.any_of(text[]) returns text language sql volatile as
    'select $1[1 + floor(random() * cardinality($1))]';
  create function pg_temp.id_at(timestamptz) returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from $1) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $$`

const readers = `
  create temporary table readers on commit drop as
  select n, pg_temp.id_at(joined) as id, 'reader-' || n + before || '@demo.example.com' as email, joined,
    case when random() < 0.875 then pg_temp.any_of('${givenNames}') || ' ' || pg_temp.any_of('${family}') end as name
  from (
    select n, before, now() - make_interval(secs => $2 * (1 - sqrt(case n when 1 then 0 else (n - random()) / $1 end))) as joined
    from generate_series(1, $1::integer) n, (
      select coalesce(max(substring(email from '^reader-(\\d+)@demo')::integer), 0) as before from profiles
      where email like 'reader-%@demo.example.com'
    ) earlier
  ) made`
const accounts = `
  create unique index on readers (n);
  analyze readers;
  insert into auth.users (id, email, user_metadata, email_confirmed_at, created_at)
    select id, email, jsonb_strip_nulls(jsonb_build_object('display_name', name)), joined, joined from readers;
  insert into profiles (user_id, email, display_name, created_at) select id, email, name, joined from readers;
  insert into user_roles (user_id, role) select id, 'user' from readers`

const sales = `
  with span as (select min(joined) as first, extract(epoch from now() - min(joined))::float8 as seconds from readers),
  offers as (
    select id, price, needs_shipping(products) as ships, sum(weight) over (order by price, id) / sum(weight) over () as upto,
      (sum(weight) over (order by price, id) - weight) / sum(weight) over () as beyond
    from products, lateral (select case format when 'digital' then 5.0 when 'paperback' then 3 else 1 end as weight) w
  ),
  moments as (
    select n, random() as who, random() as what, random() as fate, first, seconds,
      first + make_interval(secs => seconds * sqrt((n - random()) / $3::float8)) as moment, random() < 0.2 as is_weekend
    from generate_series($1::integer, $2::integer) n, span
  ),
  sold as (
    select *, case when is_weekend then greatest(first,
      moment - make_interval(days => (extract(dow from moment)::integer + 1) % 7)) else moment end as at
    from moments
  )
  insert into purchases (id, user_id, product_id, amount, refunded, country, status, created_at)
  select pg_temp.id_at(at), readers.id, offers.id, price,
    case when fate < 0.015 then price when fate < 0.02 then round(price / 3, 2) else 0 end,
    case when not ships then pg_temp.any_of('${countries}') when at < now() - interval '4 days' then 'US' end,
    case when fate < 0.015 then 'refunded' when fate < 0.02 then 'partially_refunded' else 'completed' end, at
  from sold
    join offers on what >= beyond and what < upto
    join readers on readers.n = 1 + floor(who ^ 1.4 * floor(
      $4::integer * (extract(epoch from at - first)::float8 / seconds) ^ 2))::integer`

const refunds = `
  insert into adjustments (id, purchase_id, kind, amount, note, created_at)
  select gen_random_uuid(), id, 'refund', -refunded, '', least(now(), created_at + random() * interval '20 days')
  from purchases p where refunded > 0 and not exists (select from adjustments a where a.purchase_id = p.id)`

const shipments = `
  insert into shipments (purchase_id, format, is_paid, created_at, shipped_at, carrier, tracking_number,
    name, line1, city, state, postal_code, country)
  select b.id, p.format, is_completed(b.status), b.created_at, sent,
    case when sent is not null then 'USPS' end,
    case when sent is not null then '9400' || lpad(floor(random() * 1e18)::bigint::text, 18, '0') end,
    case when has_address then coalesce(u.display_name, 'A Reader') end,
    case when has_address then 1 + floor(random() * 200) || ' Barley Road' end,
    case when has_address then 'Portland' end, case when has_address then 'OR' else '' end,
    case when has_address then '97201' else '' end, case when has_address then 'US' end
  from purchases b join products p on p.id = b.product_id join profiles u using (user_id)
    cross join lateral (select b.created_at < now() - interval '4 days' as is_old) age
    cross join lateral (select is_old or (random() > 0.03 and b.id is not null) as has_address,
      case when is_old and is_completed(b.status) then b.created_at + interval '2 days' end as sent) s
  where needs_shipping(p) and b.status <> 'canceled'
  on conflict do nothing`

const destinations = `
  update purchases b set country = s.country from shipments s
  where s.purchase_id = b.id and b.country is null and s.country is not null`

const codes = `
  insert into discount_codes (id, code, percent)
  select gen_random_uuid(), code, percent from (values ('LAUNCH', 20), ('FRIENDS', 10), ('PODCAST', 15)) made (code, percent)
  on conflict do nothing`

// Materialized: otherwise a purchase may be drawn once for each code.
const codeUses = `
  with drawn as materialized (
    select id, amount, 1 + floor(random() * 40) as draw from purchases b
    where refunded = 0 and is_completed(status)
      and not exists (select from discount_uses u where u.purchase_id = b.id)
  ), codes as (
    select id, percent, row_number() over (order by code) as place from discount_codes
    where ended_at is null and code in ('LAUNCH', 'FRIENDS', 'PODCAST')
  ), used as (
    select b.id, c.id as code_id, round(b.amount * c.percent / 100, 2) as discount
    from drawn b join codes c on c.place = b.draw
  ), reduced as (
    update purchases b set amount = b.amount - used.discount, code_id = used.code_id from used where b.id = used.id
  )
  insert into discount_uses (purchase_id, code_id, discount) select id, code_id, discount from used`

const countsOfUses = `
  update discount_codes c set uses = (select count(*) from discount_uses u where u.code_id = c.id and u.is_counted)
  where code in ('LAUNCH', 'FRIENDS', 'PODCAST')`

const messages = `
  insert into contact_messages (id, name, email, subject, message, created_at)
  select gen_random_uuid(), name, email, 'A question about the book',
    'I have read the first chapters with joy. Will there be a workbook for groups?', now() - random() * interval '60 days'
  from readers where name is not null order by n limit 12`

const tables = [
  'auth.users',
  'profiles',
  'user_roles',
  'purchases',
  'adjustments',
  'shipments',
  'discount_uses',
  'user_sums',
]

type Part = { table: string; drop: string; make: string }

/** Primary keys stay: foreign keys depend on them, and the rows come in their order. */
async function strip(client: Client): Promise<Part[]> {
  const names = tables.join(', ')
  // Products too: the keys that point at them are taken off. All at once, so that nobody waits for each other.
  await client.query(`lock table ${names}, products in access exclusive mode`)
  const { rows: parts } = await client.query<Part>(
    `select c.conrelid::regclass::text as table,
       format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
     from pg_constraint c where c.conrelid = any($1::regclass[]) and c.contype in ('u', 'f')
     union all
     select i.indrelid::regclass::text, format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
     from pg_index i where i.indrelid = any($1::regclass[]) and not i.indisprimary
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = i.indrelid)`,
    [tables],
  )
  for (const { drop } of parts) await client.query(drop)
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  return parts
}

async function restore(client: Client, parts: Part[]): Promise<void> {
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  for (const { make } of parts) await client.query(make)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '200' },
      purchases: { type: 'string', default: '1000' },
      years: { type: 'string', default: '2' },
      force: { type: 'boolean', default: false },
    },
  })
  const users = whole(values.users)
  const purchases = whole(values.purchases)
  const years = whole(values.years)
  await using shell = await openShell()
  await seedCatalogue(shell.services)
  await using client = await openClient(shell.url)
  await fill(client, { users, purchases, years, isForced: values.force }, console.log)
  console.log(`${users} readers (reader-1@demo.example.com …) and ${purchases} purchases are there.`)
}

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is no whole number.`)
  return Number(text)
}

await main().catch(fail)
process.exit(0)
