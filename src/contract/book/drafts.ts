import { z } from 'zod'
import { timestamp, id } from '../fields.ts'
import { bookDraft } from './book.ts'

const revision = z.number().int().min(0)
const number = z.number().int().min(1)

const version = z.object({ number, published_at: timestamp, published_by: z.string() })

/** `saved` is null where nothing was changed since the newest version was published. */
export const draftState = z.object({
  document: bookDraft,
  revision,
  saved: z.object({ at: timestamp, by: z.string() }).nullable(),
  published: bookDraft,
  /** Newest first. Empty while the sample is shown. */
  versions: z.array(version),
})
export type DraftState = z.output<typeof draftState>

/** `revision` is that of the draft which was changed: another one's change in between is refused. */
export const savedDraft = z.object({ revision, document: bookDraft })

export const draftRevision = z.object({ revision })

export const restoredVersion = z.object({ revision, number })

export const draftPreview = z.object({ url: z.string() })

/** Warnings before publishing, none of which forbids it. */
export const draftWarnings = z.object({
  warnings: z.array(z.object({ field: z.string(), says: z.string() })),
})
export type DraftWarning = z.output<typeof draftWarnings>['warnings'][number]

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
