import { useState } from 'react'
import {
  reportTable,
  type Cell,
  type ReportColumn,
  type ReportTable,
} from '#contract/operations/report-tables.ts'
import type { SalesReport } from '#contract/operations/sales.ts'
import { countryName } from '#contract/orders/postal.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Table, type Column } from '../../../components/table.tsx'
import { formatCount } from '../../../format.ts'
import { useFormatMoney } from '../../../money.tsx'
import { ExportButton } from '../export-button.tsx'
import { hasSeveralYears, stepName } from './labels.ts'

const maxRows = 12

type ReportTableCardProps = {
  report: SalesReport
  table: ReportTable
  /** As "day": "By day", "Sales by day". */
  by: string
  format: SalesReport['by_format'][number]['format'] | undefined
  empty: string
}

export function ReportTableCard({ report, table, by, format, empty }: ReportTableCardProps) {
  const [isWhole, setIsWhole] = useState(false)
  const cellIn = useCells(report)
  const { columns, rows } = reportTable(report, table)
  const shown = isWhole ? rows : rows.slice(0, maxRows)
  const { from, to } = report
  const request = { list: 'sales', table, from, to, by: report.by, format, range: '30' } as const
  return (
    <Card
      title={`By ${by}`}
      action={
        rows.length > 0 && (
          <ExportButton request={request} name={`Download sales by ${by} (CSV)`}>
            Download
          </ExportButton>
        )
      }
    >
      {rows.length === 0 && <p className="px-5 py-4 text-soft">{empty}</p>}
      {rows.length > 0 && (
        <Table
          label={`Sales by ${by}`}
          rows={shown}
          rowKey={([first]) => `${first}`}
          columns={columns.map((column, at): Column<Cell[]> => ({
            title: column.title,
            align: at > 0 ? 'right' : undefined,
            cell: (row) => cellIn(column, row[at] ?? null),
          }))}
        />
      )}
      {rows.length > shown.length && (
        <div className="border-t border-line px-5 py-3">
          <Button look="quiet" onClick={() => setIsWhole(true)}>
            Show all {formatCount(rows.length)}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Nothing for a zero but in the columns that each row has. */
function useCells({ steps, by }: SalesReport) {
  const formatMoney = useFormatMoney()
  const hasYears = hasSeveralYears(steps)
  return ({ kind, name }: ReportColumn, cell: Cell) => {
    if (kind === 'country') return cell === null ? 'Unknown' : countryName(`${cell}`)
    if (kind === 'format') return <Badge>{cell}</Badge>
    if (kind === 'day') return stepName(`${cell}`, by, hasYears)
    if (typeof cell !== 'number') return cell
    if (cell === 0 && name !== 'sold' && name !== 'revenue') return null
    return kind === 'money' ? formatMoney(cell) : formatCount(cell)
  }
}
