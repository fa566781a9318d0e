// Formats and parses the number of an order.
import { plainCode } from '../comparable-text.ts'

export function formatOrderNumber(number: number): string {
  return `#${number}`
}

/** Nine digits at most: the column is a 32-bit integer. */
export function parseOrderNumber(text: string): number | undefined {
  const digits = /^#?(\d{1,9})$/.exec(plainCode(text))?.[1]
  return digits === undefined ? undefined : Number(digits)
}
