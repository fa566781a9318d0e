// Passwords that guessing begins with. Users may have one, admins may not.
import { minPasswordLength } from '#platform/contract/password-length.ts'
import { once } from '#platform/cached.ts'
import { Problem } from '../../problems.ts'

const count = 10_000

/** Loaded when first needed: it takes a moment, and most processes never do. */
const commonest = once(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const ranked = dictionary['passwords-common'].filter(
    (each) => typeof each === 'string' && each.length >= minPasswordLength,
  )
  return new Set<unknown>(ranked.slice(0, count))
})

/** Upper and lower case count as the same. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonest()).has(password.toLowerCase())
}

export async function requireUncommon(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw new Problem('auth.common_password')
}
