// A form: it is checked, sent once, and shows what is wrong. The check is handed in: by a schema (parse-form.ts), by
// the browser (browser-validation.ts), or none (`asEntered`).
import { startTransition, use, useEffect, useRef, useState, type FormEvent, createContext } from 'react'
import type { z } from 'zod'
import { readFieldProblems, type FieldProblems } from '#contract/field-rules.ts'
import { useIsAlive } from '../page/use-page.ts'
import type { FormAnswer } from '#pages/page-answer.ts'
import { failure, ProblemError } from '../notices/send.ts'
import { toast } from '../notices/toasts.tsx'
import { useUnsavedChanges } from './unsaved-changes.ts'

/** `isSaved: false` without problems: a toast has said what failed. */
export type FormResult = { isSaved: true } | { isSaved: false; problems?: FieldProblems | undefined }

export type Checked<Values> =
  | { values: Values; problems?: undefined }
  | { values?: undefined; problems: FieldProblems }

export type Check<Values> = (form: HTMLFormElement) => Checked<Values>

/** Takes the form as entered where only the server checks, or the browser before it lets the form be sent. */
export const asEntered: Check<FormData> = (form) => ({ values: new FormData(form) })

/** Returns nothing where the form leads to a next step, which calls `markSaved` once it has saved what was sent. */
type Send<Values> = (values: Values, markSaved: () => void) => Promise<FormResult | void> | void

type FormOptions = {
  /** The address that the form is posted to on the site without scripts (paths.ts). */
  action?: string
  /** The problems that a later step found; they are shown where the check finds none. */
  refused?: FieldProblems | undefined
  /** The form is emptied for the next entry, once it was saved. */
  isEmptied?: boolean
  asksBeforeLeaving?: boolean
  /** Saves what was entered when another page of the site is opened; where that fails, the page asks. */
  onLeave?: () => Promise<FormResult>
}

type Attempt = { isBusy: boolean; problems?: FieldProblems | undefined }
type FieldName<Values> = Values extends FormData ? string : keyof Values & string

const none: Attempt = { isBusy: false }

/**
 * What was entered stays after a refusal, and the first wrong field gets the focus, unless it has moved out of the form.
 * A form that is disabled while it is sent loses the focus: then its button gets it.
 */
export function useForm<Values>(check: Check<Values>, send: Send<Values>, options: FormOptions = {}) {
  const { action, isEmptied = false, asksBeforeLeaving = false, onLeave } = options
  const posted = use(FormAnswerContext)
  const answer = action !== undefined && posted?.action === action ? posted : undefined
  const refused = options.refused ?? answer?.problems
  const isAlive = useIsAlive()
  const ref = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const [last, setLast] = useState(none)
  const { isBusy, problems = refused } = last
  const { markChanged, markSaved } = useUnsavedChanges(onLeave && (() => run(onLeave)))
  useEffect(() => {
    if (last !== none || refused) focusAfter(last, ref.current)
  }, [last, refused])

  /** Runs what another button of the form sends. */
  async function run(work: () => Promise<FormResult | void> | void): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    setLast(({ problems: shown }) => ({ isBusy: true, problems: shown }))
    let result: FormResult | void = undefined
    try {
      result = await work()
      if (result?.isSaved) markSaved()
      if (result?.isSaved && isEmptied) ref.current?.reset()
    } finally {
      isSending.current = false
      const problems = result?.isSaved === false ? result.problems : undefined
      // The form is enabled with what the router has loaded since: one that is enabled earlier loses what is typed
      // until it is shown.
      startTransition(() => setLast({ isBusy: false, problems }))
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending.current) return
    const checked = check(event.currentTarget)
    if (checked.problems) setLast({ isBusy: false, problems: checked.problems })
    else void run(() => send(checked.values, markSaved))
  }

  const field = (name: FieldName<Values>) => ({
    name,
    problem: problems?.[name],
    ...(answer && { defaultValue: answer.values[name], autoFocus: name === firstWrong(answer.problems) }),
  })
  const form = {
    ref,
    method: 'post',
    ...(action && { action }),
    // The browser checks where no scripts run.
    noValidate: isAlive,
    onSubmit,
    ...(asksBeforeLeaving && { onInput: markChanged }),
  } as const
  return { form, isBusy, problems, field, run, clear: () => setLast(none), markChanged, markSaved }
}

const firstWrong = (problems: FieldProblems = {}) => Object.keys(problems)[0]

function focusAfter({ isBusy }: Attempt, form: HTMLFormElement | null): void {
  const here = document.activeElement
  if (isBusy || !form || !here) return
  // A browser moves it to the body, or to the dialog around the form.
  const isLost = here !== form && here.contains(form)
  if (!isLost && !form.contains(here)) return
  if (!focusWrong(form) && isLost) form.querySelector<HTMLElement>('[type=submit]')?.focus()
}

/** False where no field is wrong. */
export function focusWrong(form: HTMLElement): boolean {
  const field =
    form.querySelector<HTMLElement>('[aria-invalid]') ?? form.querySelector<HTMLElement>('[data-problem]')
  field?.focus()
  return field !== null
}

export function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export function checkFields(schema: z.ZodType, values: unknown): FieldProblems | undefined {
  const { error } = schema.safeParse(values)
  return error && readFieldProblems(error)
}

/** The problems that the server found in a form that was posted without scripts. */
export const FormAnswerContext = createContext<FormAnswer | undefined>(undefined)

/** Shows a visitor or reader that a call was refused: by the problems of the fields, or else by a toast. */
export function showRefusal(title: string, error: unknown): FormResult {
  const problems = error instanceof ProblemError ? error.fields : undefined
  if (!problems) toast(failure(title, error))
  return { isSaved: false, problems }
}
