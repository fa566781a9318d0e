// The fields of requests and responses, and the pages of lists.
import {
  addressProblem,
  maxAddress,
  maxPasswordLength,
  maxTypedAddress,
  minPasswordLength,
  passwordTooLong,
  passwordTooShort,
  toStoredAddress,
} from './field-rules.ts'
import { comparable, ungroupedCode, withoutInvisible } from './comparable-text.ts'
import { z } from 'zod'
import { fieldsTexts } from '#words/fields.ts'
import { fill } from '#words/texts.ts'
import { isWholeCents } from './money.ts'

// The policy of the pages forbids `eval`, which zod would try for speed.
if ('document' in globalThis) z.config({ jitless: true })

/** A line break or another control character in a line would forge mail headers. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/u
const unprintableInText = /[[\p{Cc}]--[\n\t]]/v
/** Overrides disguise what follows them; a text may hold other invisible letters. */
const overrides = /[\u202a-\u202e\u2066-\u2069]/g
const visible = /[^\s\u200c\u200d\p{Variation_Selector}]/u

// Functions: the language is that of whoever is asked, not of the start.
const printable = { error: () => fieldsTexts.unprintable }
const required = { error: () => fieldsTexts.required }
const tooLong = (max: number) => ({ error: () => fill(fieldsTexts.tooLong, { max }) })

export const storable = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), printable)

export const searchTerm = storable.max(200)

/** NFC takes quadratic time for a row of marks; no language has more than 30 (Unicode Annex 15, Stream-Safe Text Format). */
const tooManyMarks = /\p{M}{31}/u
const unnormalized = z.string().refine((value) => !tooManyMarks.test(value), printable)

export function line(max: number) {
  return possibleLine(max).pipe(z.string().regex(visible, required))
}

export function optionalLine(max: number) {
  return possibleLine(max).default('')
}

function possibleLine(max: number) {
  return z
    .string()
    .transform(withoutInvisible)
    .pipe(unnormalized)
    .transform((value) => value.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .max(max, tooLong(max))
        .refine((value) => !unprintable.test(value) && value.isWellFormed(), printable),
    )
}

export function text(max: number) {
  return z
    .string()
    .transform((value) => value.replaceAll(overrides, ''))
    .pipe(unnormalized)
    .transform((value) => value.normalize('NFC').replaceAll('\r\n', '\n').trim())
    .pipe(
      z
        .string()
        .min(1, required)
        .max(max, tooLong(max))
        .refine((value) => !unprintableInText.test(value) && value.isWellFormed(), printable),
    )
}

export function optionalText(max: number) {
  return text(max).or(z.literal('')).default('')
}

/** Returns the form that is stored, compared and mailed (`toStoredAddress`). */
export const email = z
  .string()
  .max(maxTypedAddress, { error: () => fieldsTexts.addressTooLong })
  .transform(toStoredAddress)
  .pipe(
    z
      .string()
      .refine((value) => addressProblem(value) === undefined, {
        error: ({ input }) => (typeof input === 'string' ? addressProblem(input) : undefined),
        abort: true,
      })
      .max(maxAddress),
  )
  .meta({ format: 'email' })

export const typedCode = z.string().max(200).transform(ungroupedCode)

export const givenPassword = z.string().max(maxPasswordLength, { error: passwordTooLong })

/** Returns the form in which passwords are hashed (accounts/passwords.ts). */
export const password = givenPassword
  .transform(comparable)
  .pipe(
    z
      .string()
      .min(minPasswordLength, { error: passwordTooShort })
      .refine((value) => value.isWellFormed(), printable),
  )
  .meta({ format: 'password' })

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

/** Text of a draft: as it was typed, without what PostgreSQL cannot hold. */

export function typed() {
  return z
    .string()
    .default('')
    .transform((text) => text.toWellFormed().replaceAll('\0', ''))
}

export const cursor = z.string().max(1000)

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: cursor.nullable() })
}

export type Page<Item> = { items: Item[]; next: string | null }

export const boundedCount = z.object({ count: z.number().int(), isMore: z.boolean() })
export type BoundedCount = z.infer<typeof boundedCount>

/** The ids of what stands beside it in its list. */
export const neighbors = z.object({ newer: z.uuid().nullable(), older: z.uuid().nullable() })
export type Neighbors = z.infer<typeof neighbors>
