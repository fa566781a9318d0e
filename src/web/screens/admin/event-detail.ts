import { toDecimal } from '../../format.ts'

export function eventDetail(detail: Record<string, unknown>): [name: string, words: string][] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [name.replaceAll('_', ' '), inWords(value)])
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // All numbers in the log are money.
  if (typeof value === 'number') return toDecimal(value)
  if (value === null || value === '') return 'nothing'
  if (Array.isArray(value)) return value.map(inWords).join(', ') || 'none'
  if (isChange(value)) return `from ${quoted(value.from)} to ${quoted(value.to)}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Where one text ends and the other begins is to be seen. */
function quoted(value: unknown): string {
  return typeof value === 'string' && value.includes(' ') ? `“${value}”` : inWords(value)
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}
