import { toCents } from '#contract/money.ts'
import type { Services } from '#platform/services.ts'
import type { ExportRequest } from '#contract/operations/exports.ts'
import { reportTable } from '#contract/operations/report-tables.ts'
import { toCsv } from './csv.ts'
import { readSalesReport } from './sales-report.ts'

type ReportExport = Extract<ExportRequest, { list: 'sales' }>

/** One table of the report, as the screen shows it. */
export async function openReportExport(services: Services, { list: _list, table, ...request }: ReportExport) {
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
    lines: [toCsv(names, shown, { isBeginning: true, currency })],
  }
}

const kinds = { formats: 'format', countries: 'country', codes: 'code' }
