// An address on its way between a form, an action and the server's complaints about it.
import type { PostalAddress } from '#features/shipping/contract/postal.ts'
import { ProblemError } from './api.ts'

const names = ['name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country', 'phone'] as const
export type AddressProblems = Partial<Record<keyof PostalAddress, string>>

/** Undefined where the form has none. */
export function readAddress(form: FormData): PostalAddress | undefined {
  if (!form.has('line1')) return undefined
  const values = names.map((name) => [name, form.get(name) ?? ''])
  return Object.fromEntries(values) as PostalAddress
}

/** What is wrong with which field; undefined where the refusal is about something else. */
export function addressProblems(error: unknown): AddressProblems | undefined {
  if (!(error instanceof ProblemError) || !error.fields) return undefined
  const all = Object.entries(error.fields).map(([name, problem]) => [name.replace(/^address\./, ''), problem])
  const own = all.filter(([name]) => names.includes(name as keyof PostalAddress))
  return own.length > 0 ? (Object.fromEntries(own) as AddressProblems) : undefined
}
