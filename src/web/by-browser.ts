// Apart from form.ts: the dialogs that are checked so are loaded when they open.
import type { FieldProblems } from '#contract/field-problems.ts'
import { asEntered, type Check } from './form.ts'

/** The first required field that is empty; `words` says it, by the field's name. */
export function byBrowser(words: () => FieldProblems): Check<FormData> {
  return (form) => {
    const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')]
    const empty = fields.find(({ validity }) => validity.valueMissing)
    const problem = empty && words()[empty.name]
    return problem ? { problems: { [empty.name]: problem } } : asEntered(form)
  }
}
