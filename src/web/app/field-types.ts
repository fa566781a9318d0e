// Reads from a schema the type and format of a field of its form, and whether it is required.
import { z } from 'zod'

type Field = z.core.$ZodType

/** `path` as problems name fields: `author.name`, `questions.0.answer`. */
export function fieldAt(schema: Field, path: string): Field {
  return path.split('.').reduce((outer, name) => {
    const type = enteredType(outer)
    const inner =
      type instanceof z.ZodObject ? type.shape[name] : type instanceof z.ZodArray ? type.element : undefined
    if (!inner) throw new Error(`the schema has no ${path}`)
    return inner
  }, schema)
}

/** The type that is entered, before defaults and transformations. */
export function enteredType(field: Field): Field {
  const inner = innerOf(field)
  return inner ? enteredType(inner) : field
}

function innerOf(field: Field): Field | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return field.unwrap()
  return field instanceof z.ZodPipe ? field.in : undefined
}

/** The format has JSON Schema's name (`email`, `date`), or that of `meta` (`password`, `markdown`). */
export function formatOf(field: Field): string | undefined {
  const format = z.globalRegistry.get(field)?.['format']
  if (typeof format === 'string') return format
  const inner = innerOf(field)
  if (inner) return formatOf(inner)
  return field instanceof z.ZodString || field instanceof z.ZodStringFormat
    ? (field.format ?? undefined)
    : undefined
}

/** Tells whether a field may not be left empty. */
export function isRequired(field: Field): boolean {
  return ![undefined, null, ''].some((empty) => takes(field, empty))
}

export function takes(field: Field, value: unknown): boolean {
  return z.safeParse(field, value).success
}
