// A form that no route's action saves: its values are checked as its schema asks before they are used.
import { z } from 'zod'
import { readFieldProblems, type FieldProblems } from '#contract/field-problems.ts'
import { useRef, useState, type FormEvent, useEffect } from 'react'
import { useFocusBack, useFocusWrong, type Check, type Checked, type FormResult } from './form.ts'
import { useUnsavedChanges } from './use-unsaved-changes.ts'
import { useNavigation } from 'react-router'

// Reads a form by the schema of its call: the schema's fields and no others, each as the type that the schema takes.

/** For `useForm`. */
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
  if (isEmpty && z.safeParse(field, undefined).success) return undefined
  if (isEmpty && z.safeParse(field, null).success) return null
  if (type instanceof z.ZodNumber) return isEmpty ? Number.NaN : Number(text)
  return text
}

/** The type that is entered, before defaults and transformations. */
function enteredType(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return enteredType(field.unwrap())
  return field instanceof z.ZodPipe ? enteredType(field.in) : field
}

export function useCheckedForm<Schema extends z.ZodObject>(schema: Schema, isBusy = false) {
  type Values = z.output<Schema>
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<FieldProblems>()
  const { markChanged, markSaved } = useUnsavedChanges()
  useFocusBack(form, isBusy)
  useFocusWrong(form, problems)
  const check = (use: (values: Values) => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const parsed = parseForm(schema, new FormData(event.currentTarget))
    setProblems(parsed.problems)
    if (parsed.values) use(parsed.values)
  }
  const field = (name: keyof Values & string) => ({ name, problem: problems?.[name] })
  return { form, field, problems, markChanged, markSaved, check }
}

// A form that a route's action saves: the focus, what is wrong with its fields, and the unsaved changes.

export type { FormResult }

/** `isBusy` is for the form of a fetcher. */
type ActionFormOptions = { isEmptied?: boolean; isBusy?: boolean }

/**
 * What was entered stays after a refusal; with `isEmptied`, the saved form is emptied for the next entry. `Values` are
 * those of the form's schema: `field` takes no other name.
 */
export function useActionForm<Values>(result: FormResult | undefined, options: ActionFormOptions = {}) {
  const form = useRef<HTMLFormElement>(null)
  const isSubmitted = useNavigation().formMethod !== undefined
  const { isEmptied = false, isBusy = isSubmitted } = options
  const problems = result?.isSaved === false ? result.problems : undefined
  useFocusBack(form, isBusy)
  useFocusWrong(form, problems)
  const { markChanged, markSaved } = useUnsavedChanges()
  useEffect(() => {
    if (!result?.isSaved) return
    if (isEmptied) form.current?.reset()
    markSaved()
  }, [result, isEmptied, markSaved])
  const field = (name: keyof Values & string) => ({ name, problem: problems?.[name] })
  return { form, isBusy, field, problems, markChanged }
}
