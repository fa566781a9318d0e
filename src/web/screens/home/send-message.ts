import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { readText } from '../../form.ts'
import { isOffline, notices, offline } from '../../copy.ts'
import { ProblemError, send } from '../../send.ts'
import { toast } from '../../toasts.tsx'
import { lazySchema, loadAndCheck } from '../../check-fields.ts'

export type MessageResponse = { isSent: boolean; fields?: FieldProblems | undefined }

export const loadMessageSchema = lazySchema(
  async () => (await import('#features/messages/contract/contact.ts')).contactMessage,
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
    const description = `${offline} What you wrote stays here.`
    toast(isOffline(error) ? { ...notices.messageFailed, description } : notices.messageFailed)
    return { isSent: false, fields: error instanceof ProblemError ? error.fields : undefined }
  }
  toast(notices.messageSent)
  return { isSent: true }
}
