import { z } from 'zod'
import { email, givenPassword, password, required } from '../fields.ts'

export const signUpCredentials = z.object({ email, password })

export const signInCredentials = z.object({ email, password: givenPassword })

export const signInForm = signInCredentials.refine(({ password: given }) => given !== '', {
  path: ['password'],
  ...required,
})

export const recoverRequest = z.object({ email })

export const newPassword = z.object({ password })
