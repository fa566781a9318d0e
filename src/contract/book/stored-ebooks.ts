import { z } from 'zod'
import { id, timestamp } from '../fields.ts'

const storedEbook = z.object({ id, title: z.string(), created_at: timestamp })
export type StoredEbook = z.output<typeof storedEbook>

export const storedEbooks = z.object({ ebooks: z.array(storedEbook) })

/** As the preview takes it; `text` is Markdown. */
const storedChapter = z.object({
  number: z.number().nullable(),
  title: z.string(),
  text: z.string(),
  kind: z.enum(['front', 'part', 'body', 'back']),
})
export type StoredChapter = z.output<typeof storedChapter>

export const storedChapters = z.object({ chapters: z.array(storedChapter) })

export const storedEbookId = z.object({ id })
