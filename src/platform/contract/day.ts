// Days as the wire has them.
import { z } from 'zod'

/** A day of the shop's time zone, within what a calendar and the database agree on. */
export const day = z.iso
  .date()
  .refine((value) => value >= '2000-01-01' && value <= '2999-12-31', 'must be of this millennium')
