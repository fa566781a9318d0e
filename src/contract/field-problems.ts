// Without zod: the home page carries this.
import type { z } from 'zod'

export type FieldProblems = Record<string, string>

export function readFieldProblems({ issues }: z.core.$ZodError): FieldProblems {
  const problems: FieldProblems = {}
  for (const { path, message } of issues) problems[path.join('.') || 'body'] ??= message
  return problems
}
