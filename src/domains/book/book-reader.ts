// Reads all the Markdown of a book. A long text takes seconds, so only a short one is read in the thread that handles
// requests.
import type { BookDocument } from '#contract/book/book.ts'
import type { BookLink } from './show-book.ts'
import { WorkerLimitError } from '#platform/bounded-worker.ts'
import type { LegalFacts } from './legal-pages.ts'
import { bookProblem } from './problem.ts'

/** Throws book.preview_not_ready for a text that takes too long. */
export type BookReader = {
  /** Returns the JSON that the API responds with. */
  readChapters: (document: BookDocument) => Promise<Uint8Array<ArrayBuffer>>
  readLegalPages: (request: { document: BookDocument } & LegalFacts) => Promise<Uint8Array<ArrayBuffer>>
  findLinks: (document: BookDocument) => Promise<BookLink[]>
}

export function refuseLong(error: unknown): never {
  if (!(error instanceof WorkerLimitError)) throw error
  throw bookProblem('book.preview_not_ready', { retryAfter: 5, cause: error })
}
