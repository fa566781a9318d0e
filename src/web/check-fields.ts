// Forms are checked by the schemas of their calls before they are sent: the server would refuse them in the same words.
import type { z } from 'zod'
import { readFieldProblems, type FieldProblems } from '#platform/contract/field-problems.ts'

/** Undefined where nothing is wrong. */
export function checkFields(schema: z.ZodType, values: unknown): FieldProblems | undefined {
  const { error } = schema.safeParse(values)
  return error && readFieldProblems(error)
}

type LoadSchema = () => Promise<z.ZodType | undefined>

/** For pages that do not carry zod. Undefined where it cannot be loaded: the server checks alone then. */
export function lazySchema(load: () => Promise<z.ZodType>): LoadSchema {
  return () => load().catch(() => undefined)
}

export async function loadAndCheck(load: LoadSchema, values: unknown): Promise<FieldProblems | undefined> {
  const schema = await load()
  return schema && checkFields(schema, values)
}
