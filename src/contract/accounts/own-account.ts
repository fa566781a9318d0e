// The own account beyond what GoTrue’s contract has: its factors, its sessions, and the change of its address.
import { z } from 'zod'
import { email, id, line, timestamp } from '../fields.ts'

const added = { id: z.uuid(), created_at: z.string() }

const ownFactors = z.object({
  apps: z.array(z.object(added)),
  passkeys: z.array(
    z.object({
      ...added,
      friendly_name: z.string().nullable(),
      last_used_at: z.string().nullable(),
      /** Browsers offer a passkey only at the address where it was made. */
      is_of_old_address: z.boolean(),
    }),
  ),
  /** Null where none were made. */
  codes_left: z.number().nullable(),
})
export type OwnFactors = z.infer<typeof ownFactors>

/** The mailboxes of an account whose address changes. */
export const mailboxes = ['current', 'new'] as const
export type Mailbox = (typeof mailboxes)[number]

export const ownAccount = z.object({
  email: z.string(),
  /** Asked for, and not confirmed yet by the mailboxes in `missing`. */
  new_email: z.string().nullable(),
  missing: z.array(z.enum(mailboxes)),
  display_name: z.string().nullable(),
  /** An account made by a purchase, a gift or a code has none until its owner chooses one. */
  has_password: z.boolean(),
  factors: ownFactors,
})
export type OwnAccount = z.infer<typeof ownAccount>

export const ownSession = z.object({
  id,
  is_current: z.boolean(),
  /** The browser's own name; null where it does not say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  signed_in_at: timestamp,
  /** Accurate to the hour: browsers renew their sessions so often. */
  last_seen_at: timestamp,
})
export type OwnSession = z.infer<typeof ownSession>

/** The token comes from an email about a change of address. */
export const addressLinkRequest = z.strictObject({ token_hash: z.string().max(200) })

/** The effect of the link when it is used in this browser. */
export const addressLink = z.object({
  mailbox: z.enum(mailboxes),
  new_email: z.string(),
  /** The other mailbox has confirmed. */
  is_last: z.boolean(),
  /** The new address is confirmed in another browser than the one that asked: with the change, all that signs in ends. */
  is_elsewhere: z.boolean(),
})
export type AddressLink = z.infer<typeof addressLink>

export const addressForm = z.object({ email })
export const profileForm = z.object({ display_name: line(200).nullable() })
