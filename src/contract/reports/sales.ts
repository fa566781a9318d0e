// The figures of the admin area, by one definition: a purchase counts as completed while nothing, or only a part, of it was
// refunded; revenue is what was paid less what was refunded, each on its own day.
import { z } from 'zod'
import { day } from '../fields.ts'
import { adminOrder, orderListRequest } from '../orders/admin-orders.ts'
import { format } from '../catalog/products.ts'
import { userListRequest } from '../accounts/users.ts'

const money = z.number()
const count = z.number().int()

export const salesTotals = z.object({
  total_revenue: money,
  total_users: count,
  total_purchases: count,
  completed_purchases: count,
})
export type SalesTotals = z.infer<typeof salesTotals>

export const sales = z.object({
  totals: salesTotals,
  recent: z.array(adminOrder),
})
export type Sales = z.infer<typeof sales>

/** Of the last 30 days, for the first screen. Test orders count as in the totals. */
export const salesChart = z.object({
  steps: z.array(z.object({ day: z.iso.date(), purchases: count, completed: count, revenue: money })),
  total: z.object({ purchases: count, revenue: money }),
  before: z.object({ revenue: money, days: count, steps: z.array(money) }),
})
export type SalesChart = z.infer<typeof salesChart>

const reportStep = z.enum(['day', 'week', 'month'])
export type ReportStep = z.infer<typeof reportStep>

const comparison = z.enum(['days', 'month', 'year'])

export const reportRequest = z.object({
  /** Days back from today in the shop's time zone, this month or year until today, or the month before; `from` overrides it. */
  range: z.enum(['7', '30', '90', 'month', 'last_month', 'year']).default('30'),
  /** With as many days just before, or with the same days of the month or year before. Months are compared with months. */
  compare: comparison.optional(),
  from: day.optional(),
  to: day.optional(),
  by: reportStep.optional(),
  format: format.optional(),
})
export type ReportRequest = z.infer<typeof reportRequest>

/** All but `tests` without the test orders that count no more, in the currency of the shop. */
const reportSums = z.object({
  /** Completed, with a price. */
  sold: count,
  /** Completed, at no price. */
  free: count,
  tests: count,
  /** Orders with a price that were begun on these days, and how many of them were paid since. */
  begun: count,
  paid: count,
  /** Of the orders of these days, before refunds. */
  gross: money,
  /** On these days, also of earlier orders. Disputes that took money are refunds. */
  refunded: money,
  revenue: money,
})
export type ReportSums = z.infer<typeof reportSums>

const fewSums = reportSums.pick({ sold: true, free: true, revenue: true })

export const salesReport = z.object({
  time_zone: z.string(),
  from: day,
  to: day,
  today: day,
  by: reportStep,
  /** Newest last. `before` is the revenue of the step at the same place in the period before. */
  steps: z.array(reportSums.extend({ day: z.iso.date(), before: money.nullable() })),
  by_format: z.array(reportSums.extend({ format })),
  /** Null: the country is unknown. */
  by_country: z.array(fewSums.extend({ country: z.string().nullable() })),
  by_code: z.array(fewSums.extend({ code: z.string() })),
  total: reportSums,
  before: reportSums.extend({ compare: comparison, days: count, from: day, to: day }),
})
export type SalesReport = z.infer<typeof salesReport>

// What the report's tables show: the screen has the rows of the CSV files, and of the columns those with a figure.

const reportTables = ['steps', 'formats', 'countries', 'codes'] as const
export type ReportTable = (typeof reportTables)[number]

export type Cell = string | number | null
type Kind = 'text' | 'day' | 'format' | 'country' | 'count' | 'money'

export type ReportColumn = { name: string; title: string; kind: Kind }

type Column<Row> = ReportColumn & { value: (row: Row) => Cell }
type Shown = { columns: ReportColumn[]; rows: Cell[][] }

const sold = countColumn('sold', 'Sold')
const free = countColumn('free', 'Free')
const refunded = moneyColumn('refunded', 'Refunded')
const revenue = moneyColumn('revenue', 'Revenue')

const stepTitles = { day: 'Day', week: 'Week', month: 'Month' }

/** Steps are newest first. */
export function reportTable(report: SalesReport, table: ReportTable): Shown {
  if (table === 'formats')
    return show(report.by_format, [
      { ...textColumn('format', 'Format'), kind: 'format' },
      sold,
      free,
      refunded,
      revenue,
    ])
  if (table === 'countries')
    return show(report.by_country, [
      { ...textColumn('country', 'Country'), kind: 'country' },
      sold,
      free,
      revenue,
    ])
  if (table === 'codes') return show(report.by_code, [textColumn('code', 'Code'), sold, free, revenue])
  return show(report.steps.toReversed(), [
    { ...textColumn('day', stepTitles[report.by]), kind: 'day' },
    countColumn('begun', 'Begun'),
    countColumn('paid', 'Paid'),
    sold,
    free,
    refunded,
    revenue,
    moneyColumn('before', 'Before'),
  ])
}

function show<Row>(rows: readonly Row[], columns: Column<Row>[]): Shown {
  return {
    columns: columns.map(({ name, title, kind }) => ({ name, title, kind })),
    rows: rows.map((row) => columns.map(({ value }) => value(row))),
  }
}

function textColumn<Name extends string>(name: Name, title: string): Column<Record<Name, string | null>> {
  return { name, title, kind: 'text', value: (row) => row[name] }
}

function countColumn<Name extends string>(name: Name, title: string): Column<Record<Name, number>> {
  return { name, title, kind: 'count', value: (row) => row[name] }
}

function moneyColumn<Name extends string>(name: Name, title: string): Column<Record<Name, number | null>> {
  return { name, title, kind: 'money', value: (row) => row[name] }
}

/** Between two columns of a CSV file. With `semicolon` amounts have the decimal comma, as spreadsheets of many languages expect. */
export const csvSeparators = ['comma', 'semicolon'] as const
export type CsvSeparator = (typeof csvSeparators)[number]
const separator = z.enum(csvSeparators).default('comma')

export const exportRequest = z.discriminatedUnion('list', [
  z.strictObject({
    list: z.literal('purchases'),
    separator,
    ...orderListRequest.omit({ after: true }).shape,
  }),
  z.strictObject({ list: z.literal('users'), separator, ...userListRequest.pick({ q: true }).shape }),
  z.strictObject({
    list: z.literal('sales'),
    separator,
    table: z.enum(reportTables),
    ...reportRequest.shape,
  }),
])
export type NewExport = z.input<typeof exportRequest>
export type ExportRequest = z.infer<typeof exportRequest>

export const exportLink = z.object({ url: z.string() })
