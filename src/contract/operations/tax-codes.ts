import { z } from 'zod'
import type { Format } from '../catalog/products.ts'

const taxCode = z.string().regex(/^txcd_\d{8}$/, 'This must be a code of Stripe, as txcd_10302000.')

export const formatTaxCodes = z.object({
  digital: taxCode,
  paperback: taxCode,
  hardcover: taxCode,
  bundle: taxCode,
} satisfies Record<Format, typeof taxCode>)

/**
 * Of Stripe's list (docs.stripe.com/tax/tax-codes): "Digital Books - downloaded - non subscription - with permanent
 * rights", and "Books". A bundle holds paper, mostly.
 */
export const usualTaxCodes: z.infer<typeof formatTaxCodes> = {
  digital: 'txcd_10302000',
  paperback: 'txcd_35010000',
  hardcover: 'txcd_35010000',
  bundle: 'txcd_35010000',
}
