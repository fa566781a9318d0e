// What was typed and is not saved yet, in this browser: it survives a tab that crashes while the shop is out of reach.
import { z } from 'zod'
import { bookDraft, type BookDocument } from '#features/book/contract/book.ts'

const key = 'lectern.book-draft'

const copySchema = z.object({ revision: z.number().int(), document: bookDraft })

type Copy = { revision: number; document: BookDocument }

/** Undefined without one, and where the browser forbids storage. */
export function readCopy(): Copy | undefined {
  try {
    return copySchema.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** A full or forbidden storage keeps nothing: the tab still has it. */
export function keepCopy(copy: Copy): void {
  try {
    localStorage.setItem(key, JSON.stringify(copy))
  } catch {
    forgetCopy()
  }
}

export function forgetCopy(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // There is none then.
  }
}
