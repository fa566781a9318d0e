import { toDecimal } from '../../format.tsx'

export function eventDetail(detail: Record<string, unknown>): [name: string, words: string][] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [
      name.replaceAll('_', ' '),
      inWords(value, amounts.has(name) ? toDecimal : String),
    ])
}

/** Other numbers in the log are counts, days and percentages. */
const amounts = new Set(['amount', 'amount_off', 'asked', 'paid', 'price'])

type FormatNumber = (value: number) => string

function inWords(value: unknown, format: FormatNumber): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return format(value)
  if (value === null || value === '') return 'nothing'
  if (Array.isArray(value)) return value.map((each) => inWords(each, format)).join(', ') || 'none'
  if (isChange(value)) return `from ${quoted(value.from, format)} to ${quoted(value.to, format)}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Where one text ends and the other begins is to be seen. */
function quoted(value: unknown, format: FormatNumber): string {
  return typeof value === 'string' && value.includes(' ') ? `“${value}”` : inWords(value, format)
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

/** A network address as a person reads it. */
export function formatNetwork(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d)/i, '')
  return address === '::1' || address.startsWith('127.') ? 'this machine' : address
}
