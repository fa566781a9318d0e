// What forms check without zod: the home page and the sign-up page carry this.
import { fieldsTexts } from '#words/fields.ts'
import { fill } from '#words/fill.ts'
import type { z } from 'zod'

export const minPasswordLength = 6

export const passwordRule = () => fill(fieldsTexts.passwordRule, { min: minPasswordLength })

export const passwordTooShort = () => fill(fieldsTexts.passwordTooShort, { min: minPasswordLength })

export type FieldProblems = Record<string, string>

export function readFieldProblems({ issues }: z.core.$ZodError): FieldProblems {
  const problems: FieldProblems = {}
  for (const { path, message } of issues) problems[path.join('.') || 'body'] ??= message
  return problems
}
