// Discount codes: what they take off, of what, how often and until when.
import { z } from 'zod'
import { day, id, money, timestamp, wholeCents } from '#platform/contract/fields.ts'

/** Letters count the same in both cases. */
export const discountCode = z
  .string()
  .transform((value) => value.trim().toUpperCase())
  .pipe(
    z
      .string()
      .regex(/^[A-Z0-9](-?[A-Z0-9]){3,29}$/, 'Use 4 to 30 letters and digits, with hyphens between them.'),
  )

/** One of the two is null; discounted-price.ts computes with them. */
const terms = z.object({
  percent: z.number().int().nullable(),
  amount_off: money.nullable(),
})

/** `product_id` is null where it is for every product. */
export const discount = terms.extend({ code: z.string(), product_id: id.nullable() })
export type Discount = z.infer<typeof discount>

export const discountCheck = z.strictObject({ code: discountCode })

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
    /** The last day that it is valid. */
    ends_on: day.optional(),
  })
  .refine(({ percent, amount_off }) => (percent === undefined) !== (amount_off === undefined), {
    path: ['percent'],
    message: 'It takes off either a percentage or an amount.',
  })
export type NewDiscount = z.infer<typeof newDiscount>

export const newDiscountRequest = newDiscount.safeExtend({
  /** The admin's own password; not needed in the ten minutes after a sign-in. */
  current_password: z.string().max(200).optional(),
})

export const discountResumption = z.strictObject({
  /** As with a new code. */
  current_password: z.string().max(200).optional(),
})

/** More than can be listed must not be valid at once: each can be ended. */
export const maxOpenDiscounts = 500

export const discountStates = ['active', 'paused', 'used_up', 'expired', 'ended'] as const

const adminDiscount = discount.extend({
  id,
  product_name: z.string().nullable(),
  max_uses: z.number().int().nullable(),
  /** Purchases that were not canceled, open checkouts included. */
  uses: z.number().int(),
  ends_on: z.string().nullable(),
  state: z.enum(discountStates),
  created_at: timestamp,
})
export type AdminDiscount = z.infer<typeof adminDiscount>

/** Newest first. */
export const adminDiscounts = z.array(adminDiscount)
