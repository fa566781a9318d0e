// A withdrawal that is declared without an account, by who has neither the receipt's link nor the browser that bought.
import { z } from 'zod'
import { parseOrderNumber } from './order-number.ts'
import { id, timestamp, email, line } from '../fields.ts'
import { endedRight, refundRight, withdrawal } from './purchases.ts'

/** Days for which the link of an acknowledgement works, and for which a declaration is kept that fits no order. */
export const declarationDays = 30

/** `order`: the order's number, else the product and the day. */
export const declarationRequest = z.strictObject({
  /** Made by the page: one that is sent again, by a second press or because its response was lost, is declared once. */
  key: id.optional(),
  name: line(200),
  email,
  order: line(300),
})

/** The same whether or not there is such an order. `is_mailed`: else the page offers the acknowledgement as a file. */
export const declarationReceived = z.object({ id, declared_at: timestamp, is_mailed: z.boolean() })
export type DeclarationReceived = z.infer<typeof declarationReceived>

/** Reads what was typed as the order: its number, or words. */
export function readOrder(typed: string): { number: number | null; ordered: string } {
  const number = parseOrderNumber(typed)
  return number === undefined ? { number: null, ordered: typed } : { number, ordered: '' }
}

export const declarationToken = z.strictObject({ token: z.string().max(100) })
export const declarationChoice = declarationToken.extend({ purchase_id: id })

export const declaredOrder = z.object({
  id,
  number: z.number().int(),
  product_name: z.string(),
  amount: z.number(),
  currency: z.string(),
  created_at: timestamp,
  /** The right at the time of the declaration; null where only the author can give the money back. */
  right: refundRight.nullable(),
  /** Null where the law gave none, or it has not ended. */
  ended_right: endedRight.nullable(),
})

/** Shown to a reader with the link: `orders` are those under the address that the declaration can mean. */
export const provenDeclaration = z.object({
  declared_at: timestamp,
  /** `dismissed`: by the author, whom the proof overrules. */
  state: z.enum(['open', 'dismissed', 'effective']),
  orders: z.array(declaredOrder),
  /** What has become of it, once it is effective. */
  withdrawal: withdrawal.nullable(),
})
export type ProvenDeclaration = z.infer<typeof provenDeclaration>

export const declarationEffect = z.object({ withdrawal: withdrawal.nullable() })

export const acceptedDeclaration = z.strictObject({
  purchase_id: id,
  current_password: z.string().max(200).optional(),
})
