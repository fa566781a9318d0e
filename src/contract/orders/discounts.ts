// Discount codes: checked by buyers, and listed, added, resumed and ended by admins.
import { z } from 'zod'
import { plainCode } from '../comparable-text.ts'
import { day, id, money, storable, timestamp, wholeCents } from '../fields.ts'

/** Letters count the same in both cases. */
const typedCode = storable.max(200).transform((value) => plainCode(value).toUpperCase())

export const discountCode = typedCode.pipe(
  z
    .string()
    .regex(/^[A-Z0-9](-?[A-Z0-9]){3,29}$/, 'Use 4 to 30 letters and digits, with hyphens between them.'),
)

/** One of the two is null. */
const terms = z.object({
  percent: z.number().int().nullable(),
  amount_off: money.nullable(),
})

const discountTerms = terms.extend({ code: z.string(), product_id: id.nullable() })

export const discount = discountTerms.extend({
  /** The lowest price of the thirty days before the code, of each product that was for sale. Null for one use: it is personal. */
  former_prices: z.record(id, money).nullable(),
})
export type Discount = z.infer<typeof discount>

/** What no code looks like is refused as an unknown code: the buyer has mistyped it. */
export const discountCheck = z.strictObject({ code: typedCode })

const wholeNumber = (least: number, most: number) =>
  z
    .number('Please enter a number.')
    .int('Whole numbers only.')
    .min(least, `At least ${least}.`)
    .max(most, `${most} at most.`)

export const newDiscount = z
  .strictObject({
    code: discountCode,
    percent: wholeNumber(1, 100).optional(),
    amount_off: wholeCents.positive('Please enter an amount above 0.').optional(),
    product_id: id.optional(),
    max_uses: wholeNumber(1, 1_000_000).optional(),
    ends_on: day.optional(),
  })
  .refine(({ percent, amount_off }) => (percent === undefined) !== (amount_off === undefined), {
    path: ['percent'],
    message: 'It takes off either a percentage or an amount.',
  })
export type NewDiscount = z.infer<typeof newDiscount>

/** Each can be listed and ended: no more may be valid at once. */
export const maxOpenDiscounts = 500

export const discountStates = ['active', 'paused', 'used_up', 'expired', 'ended'] as const

const adminDiscount = discountTerms.extend({
  id,
  product_name: z.string().nullable(),
  max_uses: z.number().int().nullable(),
  /** Canceled purchases do not count, open checkouts do. */
  uses: z.number().int(),
  ends_on: z.string().nullable(),
  state: z.enum(discountStates),
  created_at: timestamp,
})
export type AdminDiscount = z.infer<typeof adminDiscount>

export const adminDiscounts = z.array(adminDiscount)
