// A form that a route's action saves: the focus, what is wrong with its fields, and the unsaved changes.
import { useEffect, useRef } from 'react'
import { useNavigation } from 'react-router'
import type { FieldProblems } from '#contract/field-problems.ts'
import { useFocusBack, useFocusWrong } from './focus-back.ts'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

export type FormResult = { isSaved: true } | { isSaved: false; problems?: FieldProblems | undefined }

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
