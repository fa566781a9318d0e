// The chapters of the preview and the legal pages, for visitors who come to them from within the site.
import { createRoute } from '@hono/zod-openapi'
import { createApi, json, refusal } from '#platform/http/route.ts'
import { shownChapters, shownLegalPages } from './contract/shown-book.ts'
import type { WithBook } from './published-book.ts'

const chapters = createRoute({
  method: 'get',
  path: '/book/chapters',
  responses: { 200: json(shownChapters, 'The chapters of the preview, in order'), ...refusal },
})

const legal = createRoute({
  method: 'get',
  path: '/book/legal',
  responses: { 200: json(shownLegalPages, 'The legal pages that are switched on and complete'), ...refusal },
})

export function bookApi({ book }: WithBook) {
  return createApi()
    .openapi(chapters, async (c) => c.json((await book.getSoon()).chapters, 200))
    .openapi(legal, async (c) => c.json((await book.getSoon()).legal, 200))
}
