import { stringify } from 'csv-stringify/sync'

// Where a spreadsheet would read a formula (OWASP, CSV Injection): at the beginning of a field, and after what some take for
// the end of one. Some read full-width signs as the plain ones.
const formula = /([;\t\r\n]|^)(?=[ ]*[=+@\t\r\n＝＋－＠-])/g

type Rows = Record<string, string | null>[]

/** A file begins with the columns' names, and the mark that says UTF-8. */
export function toCsv(columns: string[], rows: Rows, { isBeginning }: { isBeginning: boolean }): string {
  return stringify(rows, {
    columns,
    header: isBeginning,
    bom: isBeginning,
    record_delimiter: '\r\n',
    // Some spreadsheets split lines at semicolons or tabs.
    quoted_match: /[;\t\r\n]/,
    cast: { string: (value) => value.replace(formula, "$1'") },
  })
}
