// A form that is being sent is disabled, and what is disabled loses the focus: it comes back here.
import { useEffect, useRef, type RefObject } from 'react'

/** To the first field that is wrong, or else to the button; never away from a place outside the form. */
export function useFocusBack(form: RefObject<HTMLFormElement | null>, isBusy: boolean): void {
  const wasBusy = useRef(false)
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy
    wasBusy.current = isBusy
    const here = document.activeElement
    if (!isOver || (here !== document.body && !form.current?.contains(here))) return
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    const place = find('[aria-invalid]') ?? find('[type=submit]')
    place?.focus()
  }, [form, isBusy])
}
