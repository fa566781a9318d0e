// Addresses from what the author has typed, pasted or taken from a spreadsheet.
import { CsvError, parse, type Options } from 'csv-parse/sync'
import { z } from 'zod'
import { email as emailField, line as lineField } from '#platform/contract/fields.ts'
import { mostRecipients, type BadRow, type Recipient } from './contract/gifts.ts'

type Read = { recipients: Recipient[]; bad_rows: BadRow[] }
type Row = { cells: string[]; line: number }

const parsedRow = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }))
const optionalName = lineField(200).nullable().catch(null)

/** Every row is either a recipient or a bad row, which says on which line it ends and why. An address counts once. */
export function readRecipients(list: string): Read {
  const found: Read = { recipients: [], bad_rows: [] }
  const seen = new Set<string>()
  const rows = splitRows(list)
  const header = rows[0] && findHeader(rows[0])
  for (const row of header ? rows.slice(1) : rows) {
    const bad = (reason: string) =>
      found.bad_rows.push({ line: row.line, text: row.cells.join(', ').slice(0, 200), reason })
    const given = pick(row, header)
    const { data: email, error } = emailField.safeParse(given.email)
    if (!email) bad(given.email.includes('@') ? (error?.issues[0]?.message ?? noAddress) : noAddress)
    else if (seen.has(email)) bad('This address is in the list already.')
    else if (found.recipients.length >= mostRecipients) bad(`Only ${mostRecipients} addresses at once.`)
    else {
      seen.add(email)
      found.recipients.push({ line: row.line, email, name: optionalName.parse(given.name || null) })
    }
  }
  return found
}

const noAddress = 'There is no email address in this row.'

/** Spreadsheets write commas, semicolons or tabs, by their language. */
const options = {
  bom: true,
  delimiter: [',', ';', '\t'],
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
} satisfies Options

function splitRows(list: string): Row[] {
  return parsedRow
    .parse(parseLenient(list))
    .map(({ record, info }) => ({ cells: record, line: info.lines }))
    .filter(({ cells }) => cells.some(Boolean))
}

/** A quotation mark that nobody has closed is a sign like any other. */
function parseLenient(list: string): unknown {
  try {
    return parse(list, { ...options, relax_quotes: true })
  } catch (error) {
    if (error instanceof CsvError) return parse(list, { ...options, quote: false })
    throw error
  }
}

type Header = { email: number; name: number }

function findHeader({ cells }: Row): Header | undefined {
  const titles = cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const email = titles.findIndex((title) => ['email', 'emailaddress', 'mail', 'address'].includes(title))
  if (email === -1) return undefined
  return {
    email,
    name: titles.findIndex((title) => ['name', 'fullname', 'firstname', 'displayname'].includes(title)),
  }
}

/** Without a header, the address is the first cell that looks like one, and the name the first other cell. */
function pick({ cells }: Row, header: Header | undefined): { email: string; name: string | undefined } {
  if (header) return { email: cells[header.email] ?? '', name: cells[header.name] }
  const at = cells.findIndex((cell) => cell.includes('@'))
  return { email: cells[at] ?? '', name: cells.find((cell, index) => index !== at && cell !== '') }
}
