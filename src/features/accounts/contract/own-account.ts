// What a user sees and changes of their own account, beyond what GoTrue's contract has.
import { z } from 'zod'
import { ownFactors } from './own-factors.ts'
import { email, id, line, timestamp } from '#platform/contract/fields.ts'

export const ownAccount = z.object({
  email: z.string(),
  /** Asked for, and not confirmed yet. */
  new_email: z.string().nullable(),
  display_name: z.string().nullable(),
  /** An account made by a purchase, a gift or a code has none until its owner chooses one. */
  has_password: z.boolean(),
  factors: ownFactors,
})
export type OwnAccount = z.infer<typeof ownAccount>

export const ownSession = z.object({
  id,
  is_current: z.boolean(),
  /** As the browser calls itself; null where it does not say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  signed_in_at: timestamp,
  /** To the hour: browsers renew their sessions so often. */
  last_seen_at: timestamp,
})
export type OwnSession = z.infer<typeof ownSession>

/** Of the email to the old address. */
export const addressUndo = z.strictObject({ token: z.string().max(100) })
/** Of a link that sets a new password. */
export const addressUndone = z.object({ token_hash: z.string() })

export const addressForm = z.object({ email })
export const profileForm = z.object({ display_name: line(200).nullable() })
