// A requested mail with a link, as the payload of its job.
import { z } from 'zod'

const email = z.string()
const path = z.string().optional()

export const askedLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign_up'), id: z.uuid(), email, path }),
  z.object({ kind: z.literal('verify_again'), email, path }),
  z.object({ kind: z.literal('recovery'), email, path }),
  /** To an account that an admin has made, without a password. */
  z.object({ kind: z.literal('invitation'), email, path }),
  z.object({ kind: z.literal('email_change'), email, new_email: email, path }),
  z.object({ kind: z.literal('email_change_again'), email, path }),
])
export type AskedLink = z.infer<typeof askedLink>
