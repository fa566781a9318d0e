import { z } from 'zod'
import { fieldsTexts } from '#words/fields.ts'
import { fill } from '#words/fill.ts'
import { isWholeCents } from './money.ts'
import { minPasswordLength, passwordTooShort } from './password-length.ts'

// The policy of the pages forbids `eval`, which zod would try for speed.
if ('document' in globalThis) z.config({ jitless: true })

/** Control, override and invisible formatting characters forge mail headers and disguise names; joiners build letters. */
const invisible = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d]]/v
/** A text has lines and tabs, and what is pasted into it may hold soft hyphens; bidirectional overrides it may not. */
const invisibleInText = /[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\n\t]]/v

// Functions: the language is that of whoever is asked, not of the start.
const printable = { error: () => fieldsTexts.unprintable }
export const required = { error: () => fieldsTexts.required }
const tooLong = (max: number) => ({ error: () => fill(fieldsTexts.tooLong, { max }) })

export const storable = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), printable)

export const searchTerm = storable.max(200)

/** NFC takes quadratic time for a row of marks; no language has more than 30 (Unicode Annex 15, Stream-Safe Text Format). */
const tooManyMarks = /\p{M}{31}/u
const unnormalized = z.string().refine((value) => !tooManyMarks.test(value), printable)

export function line(max: number) {
  return unnormalized
    .transform((value) => value.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, required)
        .max(max, tooLong(max))
        .refine((value) => !invisible.test(value) && value.isWellFormed(), printable),
    )
}

export function optionalLine(max: number) {
  return line(max).or(z.literal('')).default('')
}

export function text(max: number) {
  return unnormalized
    .transform((value) => value.normalize('NFC').replaceAll('\r\n', '\n').trim())
    .pipe(
      z
        .string()
        .min(1, required)
        .max(max, tooLong(max))
        .refine((value) => !invisibleInText.test(value) && value.isWellFormed(), printable),
    )
}

export function optionalText(max: number) {
  return text(max).or(z.literal('')).default('')
}

/** At most 254 characters (RFC 5321). */
export const email = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email({ error: () => fieldsTexts.email }).max(254, { error: () => fieldsTexts.addressTooLong }))

const maxPassword = 200

/** Not a rule for passwords, only a bound for the work of hashing; bcrypt's trap does not apply to argon2id. */
export const givenPassword = z
  .string()
  .max(maxPassword, { error: () => fill(fieldsTexts.passwordTooLong, { max: maxPassword }) })

export const password = givenPassword
  .min(minPasswordLength, { error: passwordTooShort })
  .refine((value) => value.isWellFormed(), printable)

export const id = z.uuid()

/** ISO 8601 with zone, as every time on the wire. */
export const timestamp = z.iso.datetime({ offset: true })

export const money = z
  .number('Please enter an amount.')
  .min(0, 'An amount cannot be less than 0.')
  .max(99_999_999.99, 'This amount is too large.')

export const wholeCents = money.refine(isWholeCents, 'Two decimals at most.')

export const day = z.iso
  .date()
  .refine((value) => value >= '2000-01-01' && value <= '2999-12-31', 'must be of this millennium')
