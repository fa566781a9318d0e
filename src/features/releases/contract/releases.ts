import { z } from 'zod'
import { day, email } from '#platform/contract/fields.ts'

/** Null: from now on. */
export const releaseRequest = z.strictObject({ release_on: day.nullable() })

export const waitRequest = z.strictObject({ email })

export const waitToken = z.strictObject({ token: z.string().max(100) })

export const waited = z.object({ product_name: z.string() })
