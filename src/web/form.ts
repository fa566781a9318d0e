// A disabled form loses the focus: it returns to the first wrong field, or else to the button, unless it has moved out
// of the form.
import { useEffect, useRef, type RefObject, useState, type FormEvent } from 'react'
import type { z } from 'zod'
import { readFieldProblems, type FieldProblems } from '#contract/field-problems.ts'

export function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export function readChoice<Choice extends string>(
  form: FormData,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = form.get(name)
  return choices.find((choice) => choice === value)
}

export function useFocusBack(form: RefObject<HTMLFormElement | null>, isBusy: boolean): void {
  const wasBusy = useRef(false)
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy
    wasBusy.current = isBusy
    const here = document.activeElement
    // A browser moves it to the body, or to the dialog around the form.
    const isElsewhere = !here?.contains(form.current) && !form.current?.contains(here)
    if (!isOver || isElsewhere) return
    if (!focusWrong(form)) form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [form, isBusy])
}

/** For a form that is checked too fast to be seen busy: the first wrong field gets the focus each time. */
export function useFocusWrong(form: RefObject<HTMLElement | null>, problems: object | undefined): void {
  useEffect(() => {
    if (problems) focusWrong(form)
  }, [form, problems])
}

function focusWrong(form: RefObject<HTMLElement | null>): boolean {
  const field =
    form.current?.querySelector<HTMLElement>('[aria-invalid]') ??
    form.current?.querySelector<HTMLElement>('summary[data-problem]')
  field?.focus()
  return Boolean(field)
}

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

export type Submit = (event: FormEvent<HTMLFormElement>) => void

export function useBusy(send: (form: FormData) => Promise<void>): [isBusy: boolean, submit: Submit] {
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  useFocusBack(form, isBusy)
  async function run(written: FormData) {
    setIsBusy(true)
    try {
      await send(written)
    } finally {
      setIsBusy(false)
    }
  }
  return [
    isBusy,
    (event) => {
      event.preventDefault()
      form.current = event.currentTarget
      if (!isBusy) void run(new FormData(event.currentTarget))
    },
  ]
}
