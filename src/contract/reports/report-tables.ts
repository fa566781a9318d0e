// The tables of the report: the screen has the rows of the CSV files, and of the columns those with a figure.
import { fromCents, toCents } from '../money.ts'
import type { SalesReport } from './sales.ts'

export const reportTables = ['steps', 'formats', 'countries', 'codes'] as const
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

/** The tax that Link owes of the revenue, and the revenue without it. There are none where Link has not sold. */
function linkColumns({ total, steps }: SalesReport): Column<Taxed>[] {
  if (total.link_tax === 0 && steps.every(({ link_tax }) => link_tax === 0)) return []
  return [
    moneyColumn('link_tax', 'Link’s tax'),
    {
      ...moneyColumn('without_link_tax', 'Without it'),
      value: ({ revenue, link_tax }) => fromCents(toCents(revenue) - toCents(link_tax)),
    },
  ]
}

type Taxed = { revenue: number; link_tax: number }

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
      ...linkColumns(report),
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
    ...linkColumns(report),
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

/** The sign between two columns of a CSV file. Amounts beside `semicolon` have the decimal comma, as many spreadsheets expect. */
export const csvSeparators = ['comma', 'semicolon'] as const
export type CsvSeparator = (typeof csvSeparators)[number]
