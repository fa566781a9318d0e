// What the report's tables show: the screen and the CSV files have the same columns and rows.
import { type SalesReport, reportRequest } from './sales.ts'
import { z } from 'zod'
import { orderListRequest } from '../orders/admin-orders.ts'
import { userListRequest } from '../accounts/users.ts'

const reportTables = ['steps', 'formats', 'countries', 'codes'] as const
export type ReportTable = (typeof reportTables)[number]

export type Cell = string | number | null
type Kind = 'text' | 'day' | 'format' | 'country' | 'count' | 'money'

export type ReportColumn = { name: string; title: string; kind: Kind }

type Column<Row> = ReportColumn & { value: (row: Row) => Cell }
type Shown = { columns: ReportColumn[]; rows: Cell[][] }

const sold = count('sold', 'Sold')
const free = count('free', 'Free')
const refunded = money('refunded', 'Refunded')
const revenue = money('revenue', 'Revenue')

const stepTitles = { day: 'Day', week: 'Week', month: 'Month' }

/** Steps are newest first. */
export function reportTable(report: SalesReport, table: ReportTable): Shown {
  if (table === 'formats')
    return show(report.by_format, [
      { ...text('format', 'Format'), kind: 'format' },
      sold,
      free,
      refunded,
      revenue,
    ])
  if (table === 'countries')
    return show(report.by_country, [{ ...text('country', 'Country'), kind: 'country' }, sold, free, revenue])
  if (table === 'codes') return show(report.by_code, [text('code', 'Code'), sold, free, revenue])
  return show(report.steps.toReversed(), [
    { ...text('day', stepTitles[report.by]), kind: 'day' },
    count('begun', 'Begun'),
    count('paid', 'Paid'),
    sold,
    free,
    refunded,
    revenue,
    money('before', 'Before'),
  ])
}

function show<Row>(rows: readonly Row[], columns: Column<Row>[]): Shown {
  return {
    columns: columns.map(({ name, title, kind }) => ({ name, title, kind })),
    rows: rows.map((row) => columns.map(({ value }) => value(row))),
  }
}

function text<Name extends string>(name: Name, title: string): Column<Record<Name, string | null>> {
  return { name, title, kind: 'text', value: (row) => row[name] }
}

function count<Name extends string>(name: Name, title: string): Column<Record<Name, number>> {
  return { name, title, kind: 'count', value: (row) => row[name] }
}

function money<Name extends string>(name: Name, title: string): Column<Record<Name, number | null>> {
  return { name, title, kind: 'money', value: (row) => row[name] }
}

export const exportRequest = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('purchases'), ...orderListRequest.omit({ after: true }).shape }),
  z.strictObject({ list: z.literal('users'), ...userListRequest.pick({ q: true }).shape }),
  z.strictObject({ list: z.literal('sales'), table: z.enum(reportTables), ...reportRequest.shape }),
])
export type ExportRequest = z.infer<typeof exportRequest>

export const exportLink = z.object({ url: z.string() })
