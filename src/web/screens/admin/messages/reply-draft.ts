// What is typed into a reply stays in the browser until it is sent. The id is that of the reply: a repeated call sends
// it once.
import { z } from 'zod'

const draft = z.object({ id: z.uuid(), body: z.string() })
export type ReplyDraft = z.infer<typeof draft>

const keyOf = (messageId: string) => `reply-draft:${messageId}`

export function readDraft(messageId: string): ReplyDraft {
  const text = localStorage.getItem(keyOf(messageId)) ?? ''
  try {
    return draft.parse(JSON.parse(text))
  } catch {
    return { id: crypto.randomUUID(), body: '' }
  }
}

export function saveDraft(messageId: string, written: ReplyDraft): ReplyDraft {
  try {
    if (written.body) localStorage.setItem(keyOf(messageId), JSON.stringify(written))
    else localStorage.removeItem(keyOf(messageId))
  } catch {
    // The storage is full. The form still has what was typed.
  }
  return written
}

export function deleteDraft(messageId: string): ReplyDraft {
  return saveDraft(messageId, { id: crypto.randomUUID(), body: '' })
}
