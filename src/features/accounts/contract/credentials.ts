import { z } from 'zod'
import { email, password } from '#platform/contract/fields.ts'

export const signUpCredentials = z.object({ email, password })

/** Not a rule for passwords, only a bound: one that does not fit the rule is simply not right. */
export const givenPassword = z.string().max(200, 'Please keep the password under 200 characters.')

export const signInCredentials = z.object({ email, password: givenPassword })

export const signInForm = signInCredentials.refine(({ password: given }) => given !== '', {
  path: ['password'],
  message: 'Please fill in this field.',
})

export const recoverRequest = z.object({ email })

export const newPassword = z.object({ password })
