// A disabled form loses the focus: it returns to the first wrong field, or else to the button, unless it has moved out
// of the form.
import { useEffect, useRef, type RefObject } from 'react'

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
