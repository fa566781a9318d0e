// A list of recipients as it is pasted, or comes from a spreadsheet: CSV with or without titles, or an address a line.
import { z } from 'zod'
import { maxRecipients, type BadRow, type Recipient } from '#contract/delivery/gifts.ts'
import { CsvError, parse, type Options } from 'csv-parse/sync'
import { email as emailField, line as lineField } from '#contract/fields.ts'

type Read = { recipients: Recipient[]; bad_rows: BadRow[] }
type Row = { cells: string[]; line: number }
type Entry = { email: string; name: string | undefined; text: string }

const parsedRow = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }))
const optionalName = lineField(200).nullable().catch(null)

/** An address counts once, and what is left out of a line is named once. */
export function readRecipients(list: string): Read {
  const result: Read = { recipients: [], bad_rows: [] }
  const seen = new Set<string>()
  const leftOut = new Set<string>()
  const { rows, header } = splitRows(list.replaceAll('＠', '@'))
  for (const row of rows) {
    for (const { email: given, name, text } of header ? [entryOf(row, header)] : entriesOf(row)) {
      const bad = (reason: string) => {
        const shown = text.slice(0, 200)
        const entry = `${row.line} ${shown}`
        if (!leftOut.has(entry)) result.bad_rows.push({ line: row.line, text: shown, reason })
        leftOut.add(entry)
      }
      const { data: email, error } = emailField.safeParse(given)
      if (!email) bad(given ? (error?.issues[0]?.message ?? noAddress) : noAddress)
      else if (seen.has(email)) bad('This address is in the list already.')
      else if (result.recipients.length >= maxRecipients) bad(`Only ${maxRecipients} addresses at once.`)
      else {
        seen.add(email)
        result.recipients.push({ line: row.line, email, name: optionalName.parse(name ?? null) })
      }
    }
  }
  return result
}

const noAddress = 'There is no email address in this row.'

/** Spreadsheets use commas, semicolons or tabs, by their language. */
const delimiters = [',', ';', '\t']

const options = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
} satisfies Options

/** A header's delimiter is that of the whole table; without a header each of them ends a cell. */
function splitRows(list: string): { rows: Row[]; header?: Header } {
  for (const delimiter of delimiters) {
    const [first, ...rows] = parseRows(list, delimiter)
    const header = first && findHeader(first)
    if (header) return { rows, header }
  }
  const rows = parseRows(quoteNames(list), delimiters)
  return { rows: rows[0] && isTitle(rows[0]) ? rows.slice(1) : rows }
}

/** Mail programs write `"Lee, Ann" <ann@example.com>`. */
function quoteNames(list: string): string {
  return list.replaceAll(/"([^"\n]*)"[ \t]*<([^<>"\n]*)>/g, '"$1 <$2>"')
}

function parseRows(list: string, delimiter: string | string[]): Row[] {
  return parsedRow
    .parse(parseLenient(list, delimiter))
    .map(({ record, info }) => ({ cells: record, line: info.lines }))
    .filter(({ cells }) => cells.some(Boolean))
}

/** All quotation marks are text where one is not closed. */
function parseLenient(list: string, delimiter: string | string[]): unknown {
  try {
    return parse(list, { ...options, delimiter, relax_quotes: true })
  } catch (error) {
    if (error instanceof CsvError) return parse(list, { ...options, delimiter, quote: false })
    throw error
  }
}

type Header = { email: number; name: number }

/** Best first: a table of customers may have a postal address, too. */
const emailTitles = ['email', 'emailaddress', 'mail', 'address']
const nameTitles = ['name', 'fullname', 'displayname', 'firstname']

function findHeader({ cells }: Row): Header | undefined {
  const titles = cells.map(titleOf)
  const find = (ids: string[]) =>
    ids.map((title) => titles.indexOf(title)).find((index) => index !== -1) ?? -1
  const email = find(emailTitles)
  return email === -1 || cells.length === 1 ? undefined : { email, name: find(nameTitles) }
}

const isTitle = ({ cells }: Row) => cells.length === 1 && emailTitles.includes(titleOf(cells[0] ?? ''))
const titleOf = (cell: string) => cell.toLowerCase().replaceAll(/[^a-z]/g, '')

function entryOf({ cells }: Row, header: Header): Entry {
  const { email, name } = readAddress(cells[header.email] ?? '')
  const named = nameIn(cells[header.name]) ?? name
  return { email: email.includes('@') ? email : '', name: named, text: cells.join(', ') }
}

function entriesOf({ cells }: Row): Entry[] {
  const filled = cells.filter(Boolean)
  const addresses = filled.filter((cell) => cell.includes('@'))
  const [only] = addresses
  if (!only) return [{ email: '', name: undefined, text: cells.join(', ') }]
  if (addresses.length > 1) return filled.map(entryIn)
  const { email, name } = readAddress(only)
  return [{ email, name: name ?? filled.find((cell) => cell !== only), text: cells.join(', ') }]
}

function entryIn(cell: string): Entry {
  const { email, name } = readAddress(cell)
  return { email, name, text: cell }
}

function readAddress(cell: string): Pick<Entry, 'email' | 'name'> {
  const [, name, email] = /^([^<]*)<([^<>]*)>$/.exec(cell) ?? []
  return email === undefined ? { email: cell, name: undefined } : { email, name: nameIn(name) }
}

function nameIn(text: string | undefined): string | undefined {
  const name = text?.trim().replace(/^"(.*)"$/, '$1')
  return name && !name.includes('@') ? name : undefined
}
