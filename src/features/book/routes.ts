// The chapters of the preview, for visitors who come to its page from within the site.
import { createRoute } from '@hono/zod-openapi'
import { createApi, json, refusal } from '#platform/http/route.ts'
import { shownChapters } from './contract/shown-book.ts'
import type { WithBook } from './published-book.ts'

const chapters = createRoute({
  method: 'get',
  path: '/book/chapters',
  responses: { 200: json(shownChapters, 'The chapters of the preview, in order'), ...refusal },
})

export function bookApi({ book }: WithBook) {
  return createApi().openapi(chapters, async (c) => c.json((await book.get()).chapters, 200))
}
