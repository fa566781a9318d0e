// Accounts as GoTrue’s contract has them: who is signed in, and the requests of sign-up, sign-in and recovery.
import { z } from 'zod'
import { email, id, line, password, typedCode, givenPassword } from '../fields.ts'

export const roles = ['admin', 'moderator', 'user'] as const
export type Role = (typeof roles)[number]

export const me = z.object({
  id,
  email: z.string(),
  display_name: z.string().nullable(),
  is_admin: z.boolean(),
  /** An account made by a purchase, a gift or a code has none until its owner chooses one. */
  has_password: z.boolean(),
  has_factor: z.boolean(),
  /** True for an admin while no mail server is set: mails are not sent, and are read in the admin area. */
  reads_mails: z.boolean(),
})

export const createUserRequest = z.strictObject({
  email,
  password,
  displayName: line(200).optional(),
  role: z.enum(['user', 'admin']).default('user'),
})

/** The password, or the code that `GET /auth/v1/reauthenticate` mails. */
export const ownProof = z.union([
  z.strictObject({ current_password: z.string().max(200) }),
  z.strictObject({ code: typedCode }),
])

export const signUpCredentials = z.object({ email, password })

export const signInCredentials = z.object({ email, password: givenPassword })

export const recoverRequest = z.object({ email })

export const newPassword = z.object({ password })
