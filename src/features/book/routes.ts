// The chapters of the preview and the legal pages, for visitors who come to them from within the site.
import { createRoute } from '@hono/zod-openapi'
import type { TypedResponse } from 'hono'
import { memoizeLast } from '#platform/cached.ts'
import { apiHeaders } from '#platform/http/response.ts'
import { createApi, json, refusal } from '#platform/http/route.ts'
import { refuseLong, type WithBookReader } from './book-reader.ts'
import {
  shownChapters,
  shownLegalPages,
  type ShownChapter,
  type ShownLegalPage,
} from './contract/shown-book.ts'
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

const headers = { ...apiHeaders, 'content-type': 'application/json' }

export function bookApi({ book, bookReader }: WithBook & WithBookReader) {
  const readChapters = memoizeLast(bookReader.readChapters)
  const readLegalPages = memoizeLast(bookReader.readLegalPages)
  return createApi()
    .openapi(chapters, async () => {
      const read = await readChapters((await book.getSoon()).document).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownChapter[], 200, 'json'>
    })
    .openapi(legal, async () => {
      const read = await readLegalPages((await book.getSoon()).document).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownLegalPage[], 200, 'json'>
    })
}
