import { z } from 'zod'

export const lowStock = 5

const copies = z
  .number('Please enter a number.')
  .int('Whole copies only.')
  .min(0, 'This cannot be less than 0.')
  .max(1_000_000, 'This number is too large.')

export const stockChange = z.strictObject({
  copies: copies.nullable(),
  seen: copies.nullable(),
})
export type StockChange = z.infer<typeof stockChange>
