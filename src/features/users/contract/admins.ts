// Who may do everything in the admin area.
import { z } from 'zod'
import { email, id, timestamp } from '#platform/contract/fields.ts'

export const adminAccount = z.object({
  user_id: id,
  email: z.string(),
  display_name: z.string().nullable(),
  /** Null until the first sign-in. */
  last_sign_in_at: timestamp.nullable(),
  is_disabled: z.boolean(),
  has_second_factor: z.boolean(),
})
export type AdminAccount = z.infer<typeof adminAccount>

/** By email address. */
export const adminList = z.object({ items: z.array(adminAccount) })

/** The admin's own password is not needed in the ten minutes after a sign-in. */
export const adminRequest = z.strictObject({ email, current_password: z.string().max(200).optional() })

/** `invited`: an account was made, or has no password yet, and its owner gets a link to choose one. */
export const adminAdded = z.object({ outcome: z.enum(['invited', 'granted', 'unchanged']) })
export type AdminAdded = z.infer<typeof adminAdded>
