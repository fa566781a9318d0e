// Without zod: the home page carries this.
import type { z } from 'zod'

export type FieldProblems = Record<string, string>

/** Undefined where each of the fields is good. */
export function findProblems(found: Record<string, string | undefined>): FieldProblems | undefined {
  const problems = Object.entries(found).filter((each): each is [string, string] => each[1] !== undefined)
  return problems.length > 0 ? Object.fromEntries(problems) : undefined
}

export function readFieldProblems({ issues }: z.core.$ZodError): FieldProblems {
  const problems: FieldProblems = {}
  for (const { path, message } of issues) problems[path.join('.') || 'body'] ??= message
  return problems
}
