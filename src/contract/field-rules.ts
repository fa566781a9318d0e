// The checks of forms that work without zod: pages of the site and the sign-in carry this. fields.ts has the schemas.
import { fieldsTexts } from '#words/fields.ts'
import { fill } from '#words/texts.ts'
import type { z } from 'zod'
import { comparable } from './comparable-text.ts'

export type FieldProblems = Record<string, string>

export function readFieldProblems({ issues }: z.core.$ZodError): FieldProblems {
  const problems: FieldProblems = {}
  for (const { path, message } of issues) problems[path.join('.') || 'body'] ??= message
  return problems
}

/** Undefined where each of the fields is good. */
export function problemsOf(byField: Record<string, string | undefined>): FieldProblems | undefined {
  const problems = Object.entries(byField).filter((each): each is [string, string] => each[1] !== undefined)
  return problems.length > 0 ? Object.fromEntries(problems) : undefined
}

/** The mailbox in the letters and signs of RFC 5322, without quotation marks. */
const mailbox = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/
const domainName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/

/**
 * An address in the one form that is stored, compared and mailed: lower-case, the domain in punycode, as browsers send
 * it. What is no address is returned in the same form, for `addressProblem` to refuse.
 */
export function toStoredAddress(value: string): string {
  const typed = comparable(value).replaceAll('。', '.').trim().toLowerCase()
  const at = typed.lastIndexOf('@') + 1
  const domain = typed.slice(at)
  return typed.slice(0, at) + (toAscii(domain) ?? domain)
}

/** Characters as typed; longer texts are not worth normalizing. */
export const maxTypedAddress = 1000
/** RFC 5321. */
export const maxAddress = 254

/** Takes an address in the stored form. */
export function addressProblem(value: string): string | undefined {
  if (hasForeignLetters(value)) return fieldsTexts.foreignAddress
  if (!isAddress(value)) return fieldsTexts.email
  return value.length > maxAddress ? fieldsTexts.addressTooLong : undefined
}

export function typedAddressProblem(value: string): string | undefined {
  return value.length > maxTypedAddress ? fieldsTexts.addressTooLong : addressProblem(toStoredAddress(value))
}

/** A URL would read these as a path, a port, a login or an escape, or would leave them out. */
const noHost = /[\s\p{Cc}%/\\?#@:<>^|[\]]/u

function toAscii(domain: string): string | undefined {
  if (noHost.test(domain) || !URL.canParse(`http://${domain}`)) return undefined
  return new URL(`http://${domain}`).hostname.replace(/\.$/, '')
}

function isAddress(value: string): boolean {
  const [before = '', domain = '', ...more] = value.split('@')
  return more.length === 0 && mailbox.test(before) && domainName.test(domain) && toAscii(domain) === domain
}

/** Such a mailbox takes a mail server with SMTPUTF8 (RFC 6531), and few have it. */
function hasForeignLetters(value: string): boolean {
  return /[^\0-\x7f][^@]*@/.test(value)
}

export const minPasswordLength = 6
/** The bound limits the work of hashing and is no rule for passwords; bcrypt's trap does not apply to argon2id. */
export const maxPasswordLength = 200

export const passwordRule = () => fill(fieldsTexts.passwordRule, { min: minPasswordLength })

export const passwordTooShort = () => fill(fieldsTexts.passwordTooShort, { min: minPasswordLength })

export const passwordTooLong = () => fill(fieldsTexts.passwordTooLong, { max: maxPasswordLength })

/** Checks a new password. */
export function passwordProblem(typed: string): string | undefined {
  if (typed.length > maxPasswordLength) return passwordTooLong()
  const password = comparable(typed)
  if (password.length < minPasswordLength) return passwordTooShort()
  return password.isWellFormed() ? undefined : fieldsTexts.unprintable
}
