import { z } from 'zod'
import { bookDraft, type BookDocument } from '#contract/book/book.ts'
import { storedSession } from '../../../session.ts'

const key = 'lectern.book-draft'

const copySchema = z.object({ user_id: z.string(), revision: z.number().int(), document: bookDraft })

type Copy = { revision: number; document: BookDocument }

/** Undefined without one of this user, and where the browser forbids storage. */
export function readCopy(): Copy | undefined {
  try {
    const { data } = copySchema.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
    return data?.user_id === storedSession()?.user.id ? data : undefined
  } catch {
    return undefined
  }
}

/** In a full storage the copy before stays: setItem replaces it or fails. */
export function saveCopy(copy: Copy): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...copy, user_id: storedSession()?.user.id }))
  } catch {
    // The tab still has what was typed.
  }
}

export function deleteCopy(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // There is none then.
  }
}
