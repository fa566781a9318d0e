// The routes of the stored EPUBs and their chapters, from which an author picks the preview.
import { createApi, ok, route } from '#platform/http/route.ts'
import type { CommerceShop } from './shop.ts'
import { listStoredChapters, listStoredEbooks } from './stored-ebooks.ts'
import { storedChapters, storedEbookId, storedEbooks } from '#contract/book/book.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'

export type BookEbooksApi = ReturnType<typeof bookEbooksApi>

export function bookEbooksApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('get', '/book/files', { returns: ok(storedEbooks, 'The EPUBs that are stored, newest first') }),
      async (c) => c.json({ ebooks: await listStoredEbooks(services.db) }, 200),
    )
    .openapi(
      route('get', '/book/files/{id}', {
        params: storedEbookId, // Each copies a whole file to this machine.
        middleware: limitPerAccount(services, 'stored chapters', { limit: 30, windowSeconds: 600 }),
        returns: ok(storedChapters, 'Its chapters, in order'),
      }),
      async (c) => c.json({ chapters: await listStoredChapters(services, c.req.valid('param').id) }, 200),
    )
}
