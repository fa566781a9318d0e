// Checks by the browser, in the shop's words, for pages without a schema. Whether an address is good is the server's word.
import { fieldsTexts } from '#words/fields.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { asEntered, type Check } from './form.ts'

/** Required fields that are empty; `words` says it, by the field's name. */
export function byBrowser(words: () => FieldProblems = () => ({})): Check<FormData> {
  return (form) => {
    const fields = [
      ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
        'input, textarea, select',
      ),
    ]
    const empty = fields.filter((field) => field.required && isEmpty(field))
    if (empty.length === 0) return asEntered(form)
    const own = words()
    return {
      problems: Object.fromEntries(empty.map(({ name }) => [name, own[name] ?? fieldsTexts.required])),
    }
  }
}

function isEmpty(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): boolean {
  return field.validity.valueMissing || field.value.trim() === ''
}
