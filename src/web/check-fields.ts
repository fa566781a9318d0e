import type { z } from 'zod'
import { readFieldProblems, type FieldProblems } from '#contract/field-problems.ts'

export function checkFields(schema: z.ZodType, values: unknown): FieldProblems | undefined {
  const { error } = schema.safeParse(values)
  return error && readFieldProblems(error)
}

type LoadSchema = () => Promise<z.ZodType | undefined>

/** For pages without zod. Undefined when it cannot be loaded: then only the server checks. */
export function lazySchema(load: () => Promise<z.ZodType>): LoadSchema {
  return () => load().catch(() => undefined)
}

export async function loadAndCheck(load: LoadSchema, values: unknown): Promise<FieldProblems | undefined> {
  const schema = await load()
  return schema && checkFields(schema, values)
}
