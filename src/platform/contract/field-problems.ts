// What is wrong with the fields of a form or a call, in words for the user. Without zod: the home page carries this.
import type { z } from 'zod'

/** By the path of the field, with dots. */
export type FieldProblems = Record<string, string>

/** The first problem of each field. */
export function readFieldProblems({ issues }: z.core.$ZodError): FieldProblems {
  const problems: FieldProblems = {}
  for (const { path, message } of issues) problems[path.join('.') || 'body'] ??= message
  return problems
}
