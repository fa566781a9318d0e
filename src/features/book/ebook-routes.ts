// The chapters of stored EPUBs, for admins, under /api/admin/book/files.
import { createRoute } from '@hono/zod-openapi'
import { limitPerAccount } from '#platform/http/limits.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import { storedChapters, storedEbookId, storedEbooks } from './contract/stored-ebooks.ts'
import { listStoredChapters, listStoredEbooks } from './stored-ebooks.ts'

export type BookEbooksApi = ReturnType<typeof bookEbooksApi>

export function bookEbooksApi(services: Services & WithUploadReader) {
  const list = createRoute({
    method: 'get',
    path: '/book/files',
    security: bearer,
    responses: { 200: json(storedEbooks, 'The EPUBs that are stored, newest first'), ...refusal },
  })
  const chapters = createRoute({
    method: 'get',
    path: '/book/files/{id}',
    security: bearer,
    // Each copies a whole file to this machine.
    middleware: [limitPerAccount(services, 'stored chapters', { limit: 30, windowSeconds: 600 })] as const,
    request: { params: storedEbookId },
    responses: { 200: json(storedChapters, 'Its chapters, in order'), ...refusal },
  })
  return createApi()
    .openapi(list, async (c) => c.json({ ebooks: await listStoredEbooks(services.db) }, 200))
    .openapi(chapters, async (c) =>
      c.json({ chapters: await listStoredChapters(services, c.req.valid('param').id) }, 200),
    )
}
