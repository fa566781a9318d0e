import { siteTexts } from '#words/site.ts'
import { homeTexts } from '#words/home.ts'
import { fill } from '#words/fill.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { readText } from '../../form.ts'
import { isOffline } from '../../copy.ts'
import { ProblemError, send } from '../../send.ts'
import { toast } from '../../toasts.tsx'
import { lazySchema, loadAndCheck } from '../../check-fields.ts'
import { parseObject, textIn, type JsonObject } from '../../json.ts'

export type MessageResponse = { isSent: boolean; fields?: FieldProblems | undefined }

export const loadMessageSchema = lazySchema(
  async () => (await import('#contract/readers/messages.ts')).contactMessage,
)

export async function sendMessage(form: FormData): Promise<MessageResponse> {
  const text = (name: string) => readText(form, name)
  const message = {
    name: text('name'),
    email: text('email'),
    subject: text('subject'),
    message: text('message'),
    website: text('website') || undefined,
  }
  const wrong = await loadAndCheck(loadMessageSchema, message)
  if (wrong) return { isSent: false, fields: wrong }
  try {
    // Not by the typed client, which is loaded for it alone, and perhaps not at all over a poor connection.
    const headers = { 'content-type': 'application/json' }
    await send('/api/contact', { method: 'POST', headers, body: JSON.stringify(message) })
  } catch (error) {
    const offline = isOffline(error) && {
      description: fill(homeTexts.staysHere, { offline: siteTexts.offline }),
    }
    toast({ ...homeTexts.messageFailed, ...offline, destructive: true })
    return { isSent: false, fields: error instanceof ProblemError ? error.fields : undefined }
  }
  const { title, description, promise } = homeTexts.messageSent
  const time = text('reply_time')
  toast({ title, description: time ? fill(promise, { time }) : description })
  return { isSent: true }
}

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
