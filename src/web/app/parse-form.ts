// Reads a form by the schema of its call: the schema's fields and no others, each as the type that the schema takes.
import { z } from 'zod'
import { readFieldProblems } from '#contract/field-rules.ts'
import type { Check, Checked } from '../forms/form.ts'
import { enteredType, takes } from './field-types.ts'

/** Returns a check for `useForm`. */
export function bySchema<Schema extends z.ZodObject>(schema: Schema): Check<z.output<Schema>> {
  return (form) => parseForm(schema, new FormData(form))
}

export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: FormData,
): Checked<z.output<Schema>> {
  const { data, error } = schema.safeParse(readForm(schema, form))
  return error ? { problems: readFieldProblems(error) } : { values: data }
}

/**
 * Not checked: for values that are compared or completed first. The fields of an object have names with dots. A field that
 * was left empty is undefined or null where the schema allows it; a disabled one is not in the form, and undefined.
 */
export function readForm(schema: z.ZodObject, form: FormData, path = ''): Record<string, unknown> {
  const fields = Object.entries(schema.shape)
  return Object.fromEntries(fields.map(([name, field]) => [name, readField(field, form, path + name)]))
}

function readField(field: z.core.$ZodType, form: FormData, name: string): unknown {
  const type = enteredType(field)
  if (type instanceof z.ZodObject) return readForm(type, form, `${name}.`)
  if (type instanceof z.ZodBoolean) return form.has(name)
  if (type instanceof z.ZodArray) return form.getAll(name).filter((value) => typeof value === 'string')
  const text = form.get(name)
  if (typeof text !== 'string') return undefined
  const isEmpty = text.trim() === ''
  if (isEmpty && takes(field, undefined)) return undefined
  if (isEmpty && takes(field, null)) return null
  if (type instanceof z.ZodNumber) return isEmpty ? Number.NaN : Number(text)
  return text
}
