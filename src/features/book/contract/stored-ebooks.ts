// The EPUBs that are for sale, and their chapters, for admins.
import { z } from 'zod'
import { id, timestamp } from '#platform/contract/fields.ts'

const storedEbook = z.object({ id, title: z.string(), created_at: timestamp })
export type StoredEbook = z.output<typeof storedEbook>

export const storedEbooks = z.object({ ebooks: z.array(storedEbook) })

const storedChapter = z.object({
  /** Its place in the file. */
  at: z.number().int(),
  /** May be empty. */
  title: z.string(),
  kind: z.enum(['front', 'body', 'back']),
  /** In characters. */
  length: z.number().int(),
})
export type StoredChapter = z.output<typeof storedChapter>

export const storedChapters = z.object({ chapters: z.array(storedChapter) })

export const storedEbookId = z.object({ id })
export const storedChapterPlace = z.object({ id, at: z.coerce.number().int().min(0).max(100_000) })

/** `text` is Markdown. */
export const storedChapterText = z.object({ title: z.string(), text: z.string() })
