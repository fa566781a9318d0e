import { z } from 'zod'

const added = { id: z.uuid(), created_at: z.string() }

export const ownFactors = z.object({
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
