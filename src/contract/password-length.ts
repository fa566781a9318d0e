// Without zod: the sign-up page names it.
import { fieldsTexts } from '#words/fields.ts'
import { fill } from '#words/fill.ts'

export const minPasswordLength = 6

export const passwordRule = () => fill(fieldsTexts.passwordRule, { min: minPasswordLength })

export const passwordTooShort = () => fill(fieldsTexts.passwordTooShort, { min: minPasswordLength })
