// Reads a postal address from a form, and finds what is wrong with it.
import type { FieldProblems } from '#contract/field-rules.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import { ProblemError } from '../notices/send.ts'
import { readText } from './form.ts'

const names = ['name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country', 'phone'] as const

export function readAddress(form: FormData): PostalAddress {
  return addressOf((name) => readText(form, name))
}

export function addressOf(read: (field: keyof PostalAddress) => string): PostalAddress {
  return {
    name: read('name'),
    line1: read('line1'),
    line2: read('line2'),
    city: read('city'),
    state: read('state'),
    postal_code: read('postal_code'),
    country: read('country'),
    phone: read('phone'),
  }
}

export function addressProblems(error: unknown): FieldProblems | undefined {
  if (!(error instanceof ProblemError) || !error.fields) return undefined
  const problems: Record<string, string> = {}
  for (const name of names) {
    const problem = error.fields[name] ?? error.fields[`address.${name}`]
    if (problem !== undefined) problems[name] = problem
  }
  return Object.keys(problems).length > 0 ? problems : undefined
}
