// A form that no route's action saves: its values are checked as its schema asks before they are used.
import { useRef, useState, type FormEvent } from 'react'
import type { z } from 'zod'
import type { FieldProblems } from '#contract/field-problems.ts'
import { useFocusBack, useFocusWrong } from './focus-back.ts'
import { parseForm } from './read-form.ts'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

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
