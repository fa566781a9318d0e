// The setup of a shop without an admin, by a person who has its link.
import { z } from 'zod'
import { email, password } from '#platform/contract/fields.ts'

export const setupLink = z.object({ token: z.string().max(200) })

export const setupRequest = setupLink.extend({ email, password })
export type SetupRequest = z.infer<typeof setupRequest>
