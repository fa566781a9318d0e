// Lists as CSV, batch after batch: a million rows pass through without being held.
import { stringify, type CastingContext } from 'csv-stringify/sync'
import { fromCents, toDecimal, type Cents, toCents, currenciesWithoutDecimals } from '#contract/money.ts'
import { type CsvSeparator, reportTable } from '#contract/reports/report-tables.ts'
import { type ExportRequest, exportRequest } from '#contract/reports/exports.ts'
import type { OrderListRequest } from '#contract/orders/admin-orders.ts'
import { readSalesReport } from './sales.ts'
import { platformProblem } from '#platform/problem.ts'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { dayIn, queryAll, queryOne } from '#platform/db/query.ts'
import { readLink, writeLink, type LinkHolder } from '#platform/signed-links.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { searchOrders, type Walk } from '#domains/orders/purchases.ts'
import { findUsers, isFound } from '#domains/accounts/user-search.ts'
import type { BackupShop } from '#domains/backup/shop.ts'

// A spreadsheet would read a formula here (OWASP, CSV Injection): at the beginning of a field, and after what some take for the
// end of one. Some read full-width signs as the plain ones.
const signs = '(?=[ ]*[=+@\\t\\r\\n＝＋－＠-])'
const styles = {
  comma: { delimiter: ',', decimalSign: '.', formula: new RegExp(`([;\\t\\r\\n]|^)${signs}`, 'g') },
  semicolon: { delimiter: ';', decimalSign: ',', formula: new RegExp(`([,;\\t\\r\\n]|^)${signs}`, 'g') },
}

type Cell = string | number | Cents | null
type Rows = (Record<string, Cell> | Cell[])[]
type Options = {
  separator: CsvSeparator
  isBeginning: boolean
  currency?: string
  amounts?: readonly string[]
}

/**
 * A file begins with the columns' names, and the mark that says UTF-8. An amount below zero stays a number. `amounts` are
 * columns whose text is a decimal.
 */
function toCsv(
  columns: string[],
  rows: Rows,
  { separator, isBeginning, currency, amounts = [] }: Options,
): string {
  const { delimiter, decimalSign, formula } = styles[separator]
  const decimal = (value: string) => value.replace('.', decimalSign)
  const isAmount = (column: CastingContext['column']) =>
    typeof column === 'string' && amounts.includes(column)
  return stringify(rows, {
    columns,
    delimiter,
    header: isBeginning,
    bom: isBeginning,
    record_delimiter: '\r\n',
    cast: {
      string: (value, { column, header }) =>
        !header && isAmount(column)
          ? decimal(value)
          : // Some spreadsheets split lines at the other separator, or at tabs.
            { value: value.replace(formula, "$1'"), quoted_match: /[,;\t\r\n]/ },
      number: (value) => decimal(String(value)),
      bigint: (cents) => decimal(toDecimal(fromCents(cents), currency)),
    },
  })
}

type ReportExport = Extract<ExportRequest, { list: 'sales' }>

/** One table of the report, as the screen shows it. */
async function openReportExport(
  services: BackupShop,
  { list: _list, separator, table, ...request }: ReportExport,
) {
  const report = await readSalesReport(services, request)
  const { currency } = services.settings.get().shop
  const { columns, rows } = reportTable(report, table)
  const names = [...columns.map(({ name }) => name), 'currency']
  const shown = rows.map((cells) =>
    cells
      .map((cell, at) => (columns[at]?.kind === 'money' && typeof cell === 'number' ? toCents(cell) : cell))
      .concat(currency.toUpperCase()),
  )
  const kind = table === 'steps' ? report.by : kinds[table]
  return {
    file_name: `sales by ${kind} ${report.from} to ${report.to}.csv`,
    lines: [toCsv(names, shown, { separator, isBeginning: true, currency })],
  }
}

const kinds = { formats: 'format', countries: 'country', codes: 'code' }

const batchSize = 1_000

export async function requestExport(
  services: BackupShop,
  { actor, holder }: { actor: Actor; holder: LinkHolder },
  request: ExportRequest,
): Promise<{ url: string }> {
  const { list } = request
  const subject = `${isNarrowed(request) ? 'some' : 'all'} ${list}`
  const detail = detailOf(request)
  await recordAuditEvent(services.db, actor, { action: `${list}.exported`, subject, detail })
  return { url: `/api/exports/${writeLink(services, 'exports', holder, request)}` }
}

function detailOf(request: ExportRequest) {
  if (request.list === 'sales') {
    const { list: _sales, separator: _form, ...about } = request
    return about
  }
  const { list: _list, separator: _form, q: search, ...narrowing } = { q: undefined, ...request }
  return { search, ...narrowing }
}

function isNarrowed({ list: _list, separator: _form, ...narrowing }: ExportRequest) {
  return Object.values(narrowing).some(Boolean)
}

export async function openExport(services: BackupShop, token: string) {
  const { db, clock, settings } = services
  const { content: request, holder } = await readLink(services, 'exports', token, exportRequest)
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  if (request.list === 'sales') return openReportExport(services, request)
  const { site_url, time_zone } = settings.get().shop
  return {
    file_name: fileName(request, dayIn(time_zone, clock())),
    lines: readLines(db, request, { site_url, time_zone }),
  }
}

type ListExport = Exclude<ExportRequest, { list: 'sales' }>

/** "completed purchases 2026-10-01 to 2026-10-31.csv": what narrows the list, and its days or that of the export. */
function fileName(request: ListExport, today: string): string {
  const { q, status, format, user_id, from, to }: OrderListRequest = { q: undefined, ...request }
  const days = from ? `${from} to ${to ?? today}` : to ? `until ${to}` : today
  const words = q?.replaceAll(/[^\p{L}\p{N}@.+-]+/gu, ' ').trim()
  const parts = [
    !isNarrowed(request) && 'all',
    status?.replaceAll('_', ' '),
    format,
    request.list,
    user_id && 'of one reader',
    words && `with ${Array.from(words).slice(0, maxSearchInName).join('')}`,
    days,
  ]
  return `${parts.filter(Boolean).join(' ')}.csv`
}

const maxSearchInName = 40
type List = { columns: Record<string, SQL>; amounts: readonly string[]; from: (batch: SQL) => SQL }

const iso = (moment: SQL) => sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')`

/** Writes the decimals that the currency has. */
const inCurrency = (amount: SQL, currency: SQL) => sql`case
  when ${currency} = any(${sql.param(currenciesWithoutDecimals)}::text[]) then trim_scale(${amount}) else ${amount} end`

/** The parcels of an erased account have none. */
const ofParcel = (column: SQL) => sql`case when u.email is distinct from '' then ${column} end`

const lists: Record<ListExport['list'], List> = {
  purchases: {
    columns: {
      id: sql`b.id`,
      number: sql`b.number`,
      date: iso(sql`b.created_at`),
      email: sql`coalesce(u.email, g.email)`,
      name: sql`buyer_name(b.id)`,
      product: sql`p.name`,
      format: sql`p.format`,
      status: sql`b.status`,
      amount: inCurrency(sql`b.amount`, sql`b.currency`),
      refunded: inCurrency(sql`b.refunded`, sql`b.currency`),
      kept: inCurrency(sql`net_amount(b.status, b.amount, b.refunded)`, sql`b.currency`),
      currency: sql`upper(b.currency)`,
      shipping: inCurrency(sql`s.amount`, sql`b.currency`),
      kind: sql`case
        when b.is_test then 'test' when b.gift_of is not null then 'gift' when b.amount = 0 then 'free' else 'sale' end`,
      country: sql`b.country`,
      code: sql`d.code`,
      // Link owes the tax of what it has sold: it has a column of its own.
      tax: inCurrency(sql`case when c.sold_by is distinct from 'stripe' then c.tax end`, sql`b.currency`),
      parcel_name: ofParcel(sql`parcel.name`),
      parcel_line1: ofParcel(sql`parcel.line1`),
      parcel_line2: ofParcel(sql`parcel.line2`),
      parcel_postal_code: ofParcel(sql`parcel.postal_code`),
      parcel_city: ofParcel(sql`parcel.city`),
      parcel_state: ofParcel(sql`parcel.state`),
      parcel_country: ofParcel(sql`parcel.country`),
    },
    amounts: ['amount', 'refunded', 'kept', 'shipping', 'tax'],
    from: (batch) => sql`
      (${batch}) b join products p on p.id = b.product_id left join profiles u on u.user_id = b.user_id
      left join guest_checkouts g on g.purchase_id = b.id left join shipping_charges s on s.purchase_id = b.id
      left join discount_codes d on d.id = b.code_id left join shipments parcel on parcel.purchase_id = b.id
      left join checkouts c on c.purchase_id = b.id`,
  },
  users: {
    columns: {
      id: sql`b.user_id`,
      joined: iso(sql`b.created_at`),
      email: sql`b.email`,
      name: sql`reader_name(b.user_id)`,
      role: sql`b.top_role`,
      purchases: sql`s.total_purchases`,
      total_spent: inCurrency(sql`s.total_spent`, sql`shop_currency()`),
      last_purchase: iso(sql`s.last_purchase`),
    },
    amounts: ['total_spent'],
    from: (batch) => sql`(${batch}) b left join user_sums s on s.user_id = b.user_id`,
  },
  subscribers: {
    columns: {
      id: sql`b.id`,
      email: sql`b.email`,
      words: sql`b.words`,
      language: sql`b.language`,
      source: sql`b.source`,
      asked: iso(sql`b.agreed_at`),
      confirmed: iso(sql`b.confirmed_at`),
      end_url: sql`b.end_url`,
    },
    amounts: [],
    from: (batch) => sql`(${batch}) b`,
  },
}

/** Further columns of purchases, in a shop where Link has sold. */
const ofLink = {
  columns: {
    sold_by: sql`case c.sold_by when 'stripe' then 'Link' else 'author' end`,
    link_tax: inCurrency(sql`net_link_tax(b)`, sql`b.currency`),
    kept_without_link_tax: inCurrency(
      sql`net_amount(b.status, b.amount, b.refunded) - net_link_tax(b)`,
      sql`b.currency`,
    ),
  },
  amounts: ['link_tax', 'kept_without_link_tax'],
}

const soldRow = z.object({ has_sold: z.boolean() })

async function hasLinkSold(db: Db): Promise<boolean> {
  const query = sql`select exists (select from checkouts where sold_by = 'stripe') as has_sold`
  return (await queryOne(db, soldRow, query)).has_sold
}

async function listOf(db: Db, name: ListExport['list']): Promise<List> {
  const list = lists[name]
  if (name !== 'purchases' || !(await hasLinkSold(db))) return list
  return {
    ...list,
    columns: { ...list.columns, ...ofLink.columns },
    amounts: [...list.amounts, ...ofLink.amounts],
  }
}

/** Each batch is a query of its own, so that none is long. */
async function* readLines(
  db: Db,
  request: ListExport,
  { site_url, time_zone: zone }: { site_url: string; time_zone: string },
) {
  const list = await listOf(db, request.list)
  const names = Object.keys(list.columns)
  const search = await searchOf(db, request, { site_url, zone })
  for (let after: Walk['after']; ;) {
    const rows = await readBatch(db, list, search({ after, way: 'asc', limit: batchSize }), zone)
    yield toCsv(names, rows, { separator: request.separator, isBeginning: !after, amounts: list.amounts })
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = [last.at, last.id]
  }
}

function searchOf(db: Db, request: ListExport, { site_url, zone }: { site_url: string; zone: string }) {
  if (request.list === 'purchases') return searchOrders(db, request, zone)
  return request.list === 'users' ? searchUsers(db, request.q) : searchSubscribers(site_url)
}

/** Those who have confirmed and not left. `end_url` stands in the foot of the author's letters. */
function searchSubscribers(site_url: string) {
  return ({ after, limit }: Pick<Walk, 'after' | 'limit'>) => {
    const isAfter = after
      ? sql`(s.created_at, s.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`
      : sql`true`
    return sql`
      select s.*, ${site_url}::text || '/emails/' || s.token as end_url from subscribers s
      where s.confirmed_at is not null and s.ended_at is null and ${isAfter}
      order by s.created_at, s.id limit ${limit}`
  }
}

async function searchUsers(db: Db, q: string | undefined) {
  const ids = q ? await findUsers(db, q) : undefined
  const isOne = ids ? sql`p.user_id = any(${sql.param(ids)}::uuid[])` : q ? isFound(q) : sql`true`
  return ({ after, limit }: Pick<Walk, 'after' | 'limit'>) => {
    const isAfter = after
      ? sql`(p.created_at, p.user_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`
      : sql`true`
    return sql`
      select p.user_id as id, p.* from profiles p where ${isOne} and ${isAfter}
      order by p.created_at, p.user_id limit ${limit}`
  }
}

const exportedRow = z.object({ at: z.string(), id: z.string() }).catchall(z.string().nullable())

/** Values as text; times in the shop's time zone. `at` is the row's time to the microsecond, from which to go on. */
function readBatch(db: Db, { columns, from }: List, batch: SQL, zone: string) {
  const cells = Object.entries(columns).map(
    ([name, value]) => sql`(${value})::text as ${sql.identifier(name)}`,
  )
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('timezone', ${zone}, true)`)
    const query = sql`
      select b.created_at::text as at, ${sql.join(cells, sql`, `)} from ${from(batch)} order by b.created_at, b.id`
    return queryAll(tx, exportedRow, query)
  })
}
