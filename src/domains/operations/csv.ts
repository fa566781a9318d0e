import { stringify } from 'csv-stringify/sync'
import { fromCents, toDecimal, type Cents } from '#contract/money.ts'

// Where a spreadsheet would read a formula (OWASP, CSV Injection): at the beginning of a field, and after what some take for
// the end of one. Some read full-width signs as the plain ones.
const formula = /([;\t\r\n]|^)(?=[ ]*[=+@\t\r\n＝＋－＠-])/g

type Cell = string | number | Cents | null
type Rows = (Record<string, Cell> | Cell[])[]
type Options = { isBeginning: boolean; currency?: string }

/** A file begins with the columns' names, and the mark that says UTF-8. An amount below zero stays a number. */
export function toCsv(columns: string[], rows: Rows, { isBeginning, currency }: Options): string {
  return stringify(rows, {
    columns,
    header: isBeginning,
    bom: isBeginning,
    record_delimiter: '\r\n',
    // Some spreadsheets split lines at semicolons or tabs.
    quoted_match: /[;\t\r\n]/,
    cast: {
      string: (value) => value.replace(formula, "$1'"),
      bigint: (cents) => toDecimal(fromCents(cents), currency),
    },
  })
}
