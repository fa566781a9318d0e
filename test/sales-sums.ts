// The sums as the triggers keep them, beside the same counted from the rows: they must be equal.
import type { Database } from '#platform/db/client.ts'

const isPaid = `status not in ('pending', 'canceled')`
const isCompleted = `status in ('completed', 'partially_refunded')`
const isCounted = 'not (is_test and not counts_tests)'
const count = (condition: string) => `case when ${condition} then 1 else 0 end`
const countSold = (condition: string) => count(`${isCounted} and ${condition}`)

/** What each purchase and each adjustment brings, in words of this file only. */
const parts = `
  select shop_day(created_at)::text as day, product_id, country, (
      select u.code_id from discount_uses u where u.purchase_id = purchases.id) as code_id,
    ${countSold(`status <> 'canceled'`)} as purchases, ${countSold(isCompleted)} as completed, paid_in as revenue,
    ${countSold(`amount > 0 and ${isCompleted}`)} as sold, paid_in as gross, 0 as refunded,
    ${countSold(`amount = 0 and ${isCompleted}`)} as free, ${count(`not (${isCounted}) and ${isPaid}`)} as tests,
    ${countSold('amount > 0')} as begun, ${countSold(`amount > 0 and ${isPaid}`)} as paid,
    case when paid_in = 0 then 0 when status = 'refunded' then link_tax_back else link_tax end as link_tax
  from purchases cross join (select counts_tests from sums_settings) s
    cross join lateral (select case when not (${isCounted}) then 0 when ${isCompleted} then amount
      when status = 'disputed' and refunded > 0 then amount when status = 'refunded' then refunded else 0 end as paid_in) m
  union all
  select shop_day(a.created_at)::text, product_id, country, (
      select u.code_id from discount_uses u where u.purchase_id = p.id),
    0, 0, a.amount, 0, 0, -a.amount, 0, 0, 0, 0, a.link_tax
  from adjustments a join purchases p on p.id = purchase_id cross join sums_settings where ${isCounted}`

const sums = [
  'purchases',
  'completed',
  'revenue',
  'sold',
  'gross',
  'refunded',
  'free',
  'tests',
  'begun',
  'paid',
  'link_tax',
]
const fewSums = ['sold', 'free', 'revenue']

/** Of each day and key; those on which all came to nothing are left out. */
function summed(source: string, keys: string[], columns: string[]): string {
  const totals = columns.map((column) => `sum(${column}) as ${column}`).join(', ')
  const hasAny = columns.map((column) => `sum(${column}) <> 0`).join(' or ')
  const key = keys.join(', ')
  return `select day::text as day, ${key}, ${totals} from (${source}) rows where ${keys.at(-1)} is not null
    group by day, ${key} having ${hasAny} order by day, ${key}`
}

const netParts = `select day, product_id, country, code_id, sold, free, gross - refunded as revenue from (${parts}) parts`

const wrongUsers = `
  select user_id from profiles left join user_sums sums using (user_id) left join lateral (
    select count(*) as purchases, max(created_at) as last,
      coalesce(sum(amount - refunded) filter (
        where status in ('completed', 'partially_refunded') or (status = 'disputed' and refunded > 0)), 0) as spent
    from purchases cross join sums_settings
    where purchases.user_id = profiles.user_id and status <> 'canceled' and ${isCounted}
  ) rows on true
  where (sums.total_purchases, sums.total_spent, sums.last_purchase)
    is distinct from (rows.purchases::integer, rows.spent, rows.last)`

export async function readSums({ pool }: Pick<Database, 'pool'>) {
  const rowsOf = async (query: string) => (await pool.query(query)).rows
  const people = await pool.query<{ kept: number; counted: number }>(`
    select (select coalesce(sum(users), 0) from user_count) as kept, (select count(*) from profiles) as counted`)
  const [byCountry, byCode] = [
    ['product_id', 'country'],
    ['product_id', 'code_id'],
  ] as const
  return {
    kept: await rowsOf(summed('select * from sales_day', ['product_id'], sums)),
    counted: await rowsOf(summed(parts, ['product_id'], sums)),
    keptApart: {
      countries: await rowsOf(summed('select * from sales_day_by_country', [...byCountry], fewSums)),
      codes: await rowsOf(summed('select * from sales_day_by_code', [...byCode], fewSums)),
    },
    countedApart: {
      countries: await rowsOf(summed(netParts, [...byCountry], fewSums)),
      codes: await rowsOf(summed(netParts, [...byCode], fewSums)),
    },
    /** Ids of the people whose own sums are not what their purchases come to. */
    wrongUsers: (await pool.query<{ user_id: string }>(wrongUsers)).rows.map(({ user_id }) => user_id),
    people: people.rows[0]!,
  }
}
