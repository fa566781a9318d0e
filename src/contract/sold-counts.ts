// What was sold: the one definition of all screens, emails and files, which the sums of days count by.
import { z } from 'zod'

const count = z.number().int()

/** Of the orders that count in no figure, as tests once the shop takes money, only `tests` counts. */
export const soldCounts = z.object({
  /** Completed orders with a price. What was refunded in full is not among them. */
  sold: count,
  /** Completed orders at no price: copies that the author gave, and what a code or a price of 0 left free. */
  free: count,
  /** Test orders that were paid, and count as neither. */
  tests: count,
})
export type SoldCounts = z.infer<typeof soldCounts>
