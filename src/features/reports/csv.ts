// Rows as CSV (RFC 4180) that is safe to open in a spreadsheet.
import { stringify } from 'csv-stringify/sync'

/**
 * Where a spreadsheet would read a formula (OWASP, CSV Injection): at the beginning of a field, and after what some take
 * for the end of one. Some read full-width signs as the plain ones.
 */
const formula = /([;\t\r\n]|^)(?=[ ]*[=+@\t\r\n＝＋－＠-])/g

const asText = (value: string) => value.replace(formula, "$1'")

type Rows = Record<string, string | null>[]

/** The named columns, in that order. At the beginning of a file come their names, and the mark that says UTF-8. */
export function toCsv(columns: string[], rows: Rows, { isBeginning }: { isBeginning: boolean }): string {
  return stringify(rows, {
    columns,
    header: isBeginning,
    bom: isBeginning,
    record_delimiter: '\r\n',
    // Some spreadsheets split lines at semicolons or tabs.
    quoted_match: /[;\t\r\n]/,
    cast: { string: asText },
  })
}
