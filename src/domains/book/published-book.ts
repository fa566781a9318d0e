// The published book in memory: the same in every page and mail until another version is published.
import { desc, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Wording } from '#words/texts.ts'
import { loadWording } from '#words/wording.ts'
import { sampleBook } from '#content/sample-book.ts'
import { cached, type Cached } from '#platform/cached.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import type { Services } from '#platform/services.ts'
import { findExcerpt, type StoredExcerpt } from '#domains/catalog/excerpt-file.ts'
import { isOwnBook } from '#domains/catalog/sale-mode.ts'
import { sectionNames, type BookDocument } from '#contract/book/book.ts'
import { bookDraft } from '#contract/book/checked-book.ts'
import type { ExcerptFile } from '#contract/catalog/excerpt-file.ts'
import { knownTexts } from '#contract/book/changed-texts.ts'
import { book_versions } from '#tables/book.ts'
import { showFacts, type ShownFacts } from './show-book.ts'

export type PublishedBook = {
  document: BookDocument
  shown: ShownFacts
  wording: Wording
  is_own: boolean
  /** Null while the sample is shown. */
  published_at: Date | null
  /** Visitors see it where `offeredExcerpt` says so. */
  excerpt: ExcerptFile | null
}

export type Book = Cached<PublishedBook>

export function createBook({ db, log }: Pick<Services, 'db' | 'log'>): Cached<PublishedBook> {
  return cached(
    async (read) => {
      const [{ document, published_at }, { is_own }, excerpt] = await Promise.all([
        read(readNewest(db)),
        read(queryOne(db, z.object({ is_own: z.boolean() }), sql`select ${isOwnBook} as is_own`)),
        read(findExcerpt(db)),
      ])
      return { ...(await publishedBook(document, is_own, published_at)), excerpt: toExcerptFile(excerpt) }
    },
    (error) => log.warn({ err: error }, 'the book could not be read; the last known one is shown'),
  )
}

export async function publishedBook(
  document: BookDocument,
  is_own = false,
  published_at: Date | null = null,
): Promise<PublishedBook> {
  const wording = await loadWording(document)
  return { is_own, document, shown: showFacts(document), wording, published_at, excerpt: null }
}

function toExcerptFile(stored: StoredExcerpt | undefined): ExcerptFile | null {
  return stored ? { file_format: stored.file_format, file_size: stored.file_size } : null
}

/** Null where nothing of it is shown: it is given by email only, and of the author's own book. */
export function offeredExcerpt(
  { is_own, excerpt }: Pick<PublishedBook, 'is_own' | 'excerpt'>,
  sendsMail: boolean,
): ExcerptFile | null {
  return is_own && sendsMail ? excerpt : null
}

export async function findPublished(db: Db | Transaction): Promise<BookDocument> {
  return (await readNewest(db)).document
}

async function readNewest(db: Db | Transaction): Promise<Pick<PublishedBook, 'document' | 'published_at'>> {
  const { document, published_at, number } = book_versions
  const [newest] = await db
    .select({ document, published_at })
    .from(book_versions)
    .orderBy(desc(number))
    .limit(1)
  if (!newest) return { document: sampleBook, published_at: null }
  return { document: readDocument(newest.document), published_at: newest.published_at }
}

/**
 * A document of another version of the shop: what it lacks is empty or hidden, and so are sections that it does not know.
 * Changed texts that this version does not know are left out.
 */
export function readDocument(stored: unknown): BookDocument {
  const document = fill(blankBook, stored)
  const { sections, texts } = Object(stored)
  return bookDraft.parse({
    ...Object(document),
    sections: readSections(sections),
    texts: knownTexts(texts),
  })
}

/** Looks and language are no words: a page needs them. */
const { looks, language } = sampleBook
const blankBook = { ...Object(emptied(sampleBook)), looks, language, rating: null }

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]))
  if (typeof value === 'string') return ''
  if (typeof value === 'number') return 0
  return typeof value === 'boolean' ? false : null
}

function fill(defaults: unknown, stored: unknown): unknown {
  if (stored === undefined) return defaults
  if (!isRecord(defaults) || !isRecord(stored)) return stored
  const filled = Object.entries(defaults).map(([key, value]) => [key, fill(value, stored[key])])
  return { ...stored, ...Object.fromEntries(filled) }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const storedSections = z.array(z.object({ name: z.string(), is_shown: z.boolean() })).catch([])

function readSections(stored: unknown): BookDocument['sections'] {
  const items = storedSections.parse(stored).flatMap(({ name, is_shown }) => {
    const known = sectionNames.find((each) => each === name)
    return known ? [{ name: known, is_shown }] : []
  })
  if (items.length === 0) return sampleBook.sections
  const missing = sectionNames.filter((name) => items.every((section) => section.name !== name))
  return [...items, ...missing.map((name) => ({ name, is_shown: false }))]
}
