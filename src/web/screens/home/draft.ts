import { parseObject, textIn, type JsonObject } from '../../json.ts'

const contactFields = ['name', 'email', 'subject', 'message'] as const

const draftName = 'contact-draft'

export function saveDraft(form: HTMLFormElement): void {
  const values = new FormData(form)
  const draft = Object.fromEntries(contactFields.map((field) => [field, values.get(field)]))
  try {
    sessionStorage.setItem(draftName, JSON.stringify(draft))
  } catch {
    // Where the browser forbids storage, only the form itself remembers.
  }
}

export function restoreDraft(form: HTMLFormElement): void {
  const draft = readDraft()
  for (const field of contactFields) {
    const input = form.elements.namedItem(field)
    const isField = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement
    if (isField && !input.value) input.value = textIn(draft, field) ?? ''
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(draftName)
  } catch {
    // Nothing was stored.
  }
}

function readDraft(): JsonObject {
  try {
    return parseObject(sessionStorage.getItem(draftName) ?? '')
  } catch {
    return {}
  }
}
