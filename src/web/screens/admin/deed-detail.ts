// What a deed in the log holds beside its name, as people read it.
export function deedDetail(detail: Record<string, unknown>): [name: string, words: string][] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [name.replaceAll('_', ' '), inWords(value)])
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // All numbers in the log are money.
  if (typeof value === 'number') return value.toFixed(2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
