import { z } from 'zod'
import { day, email } from '../fields.ts'

/** Null: from now on. */
export const releaseRequest = z.strictObject({ release_on: day.nullable() })

export const waitlistRequest = z.strictObject({ email })

export const waitlistToken = z.strictObject({ token: z.string().max(100) })

export const waitlistEntry = z.object({ product_name: z.string() })
