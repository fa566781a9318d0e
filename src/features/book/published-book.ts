// The published book in memory: the same in every page and mail until another version is published.
import { desc } from 'drizzle-orm'
import { sampleBook } from '#content/sample-book.ts'
import { cached, type Cached } from '#platform/cached.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { Services } from '../../services.ts'
import { bookDraft, type BookDocument } from './contract/book.ts'
import type { ShownBook, ShownChapter, ShownLegalPage } from './contract/shown-book.ts'
import { showLegalPages } from './legal-pages.ts'
import { book_versions } from './schema.ts'
import { showBook, showChapters } from './show-book.ts'

export type PublishedBook = {
  document: BookDocument
  shown: ShownBook
  chapters: ShownChapter[]
  legal: ShownLegalPage[]
}

export type WithBook = { book: Cached<PublishedBook> }

export function createBook({ db, log }: Pick<Services, 'db' | 'log'>): Cached<PublishedBook> {
  return cached(
    async () => render(await findPublished(db)),
    (error) => log.warn({ err: error }, 'the book could not be read; the last known one is shown'),
  )
}

export function render(document: BookDocument): PublishedBook {
  return {
    document,
    shown: showBook(document),
    chapters: showChapters(document),
    legal: showLegalPages(document),
  }
}

/** The sample while nothing was published. */
export async function findPublished(db: Db | Transaction): Promise<BookDocument> {
  const [newest] = await db
    .select({ document: book_versions.document })
    .from(book_versions)
    .orderBy(desc(book_versions.number))
    .limit(1)
  return newest ? readDocument(newest.document) : sampleBook
}

/** What a stored document lacks because it is older than this version of the shop is the sample's. */
export function readDocument(stored: unknown): BookDocument {
  return bookDraft.parse({ ...sampleBook, ...Object(stored) })
}
