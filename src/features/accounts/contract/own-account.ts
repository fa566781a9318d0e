// What a user sees and changes of their own account, beyond what GoTrue's contract has.
import { z } from 'zod'
import { line } from '#platform/contract/fields.ts'
import { ownFactors } from './own-factors.ts'

export const ownAccount = z.object({
  email: z.string(),
  display_name: z.string().nullable(),
  /** An account made by a purchase, a gift or a code has none until its owner chooses one. */
  has_password: z.boolean(),
  factors: ownFactors,
})
export type OwnAccount = z.infer<typeof ownAccount>

export const profileForm = z.object({ display_name: line(200).nullable() })
