import type { TypedResponse } from 'hono'
import { memoizeLast } from '#platform/cached.ts'
import { apiHeaders } from '#platform/http/middleware.ts'
import { createApi, ok, route } from '#platform/http/route.ts'
import { refuseLong, type WithBookReader } from './book-reader.ts'
import {
  shownChapters,
  shownLegalPages,
  type ShownChapter,
  type ShownLegalPage,
} from '#contract/book/shown-book.ts'
import type { WithBook } from './published-book.ts'
import type { WithCatalogue } from '#domains/catalog/catalogue.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import { offersWithdrawal } from '#domains/catalog/offers-withdrawal.ts'
import type { Services } from '#platform/services.ts'

const chapters = route('get', '/book/chapters', {
  returns: ok(shownChapters, 'The chapters of the preview, in order'),
  isPublic: true,
})

const legal = route('get', '/book/legal', {
  returns: ok(shownLegalPages, 'The legal pages that are switched on and complete'),
  isPublic: true,
})

const headers = { ...apiHeaders, 'content-type': 'application/json' }

type Needs = Pick<Services, 'settings'> & WithBook & WithBookReader & WithCatalogue

export function bookApi(services: Needs) {
  const { book, bookReader, catalogue } = services
  const readChapters = memoizeLast(bookReader.readChapters)
  const readLegalPages = memoizeLast(bookReader.readLegalPages)
  return createApi()
    .openapi(chapters, async () => {
      const read = await readChapters((await book.getSoon()).document).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownChapter[], 200, 'json'>
    })
    .openapi(legal, async () => {
      const [{ document }, { products }] = await Promise.all([book.getSoon(), catalogue.getSoon()])
      const hasWithdrawal = offersWithdrawal(services, await currentSaleMode(services), products)
      const read = await readLegalPages({ document, hasWithdrawal }).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownLegalPage[], 200, 'json'>
    })
}
