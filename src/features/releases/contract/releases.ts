import { z } from 'zod'
import { day } from '#platform/contract/fields.ts'

/** Null: from now on. */
export const releaseRequest = z.strictObject({ release_on: day.nullable() })
