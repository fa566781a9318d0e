// The routes of the published book, its legal pages and its cover.
import { lettersTerms } from '#domains/mail/letters.ts'
import { type TypedResponse, Hono } from 'hono'
import { memoizeLast } from '#platform/cached.ts'
import { apiHeaders } from '#platform/http/errors.ts'
import { createApi, ok, route } from '#platform/http/route.ts'
import { offeredExcerpt } from './published-book.ts'
import { refuseLong } from './book-reader.ts'
import {
  shownChapters,
  shownLegalPages,
  type ShownChapter,
  type ShownLegalPage,
} from '#contract/book/shown-book.ts'
import { currentSaleMode, offersWithdrawal } from '#domains/catalog/sale-mode.ts'
import { digitalSeller } from '#contract/orders/seller.ts'
import type { CommerceShop } from './shop.ts'

const chapters = route('get', '/book/chapters', {
  returns: ok(shownChapters, 'The chapters of the preview, in order'),
  isPublic: true,
})

const legal = route('get', '/book/legal', {
  returns: ok(shownLegalPages, 'The legal pages that are switched on and complete'),
  isPublic: true,
})

const headers = { ...apiHeaders, 'content-type': 'application/json' }

export function bookApi(services: CommerceShop) {
  const { book, bookReader, catalogue } = services
  const readChapters = memoizeLast(bookReader.readChapters)
  const readLegalPages = memoizeLast(bookReader.readLegalPages)
  return createApi()
    .openapi(chapters, async () => {
      const read = await readChapters((await book.getOrStale()).document).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownChapter[], 200, 'json'>
    })
    .openapi(legal, async () => {
      const [published, { products }] = await Promise.all([book.getOrStale(), catalogue.getOrStale()])
      const mode = await currentSaleMode(services)
      const hasWithdrawal = offersWithdrawal(services, mode, products)
      const lettersProgram = lettersTerms(services)?.program ?? null
      const givesExcerpt = offeredExcerpt(published, services.mail.sendsMail()) !== null
      const { document } = published
      const facts = {
        hasWithdrawal,
        lettersProgram,
        givesExcerpt,
        digitalSeller: digitalSeller(services.settings.get().tax, mode),
      }
      const read = await readLegalPages({ document, ...facts }).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownLegalPage[], 200, 'json'>
    })
}

export function coverApi({ coverPictures }: CommerceShop) {
  return new Hono().get('/cover/:file', async (c) => {
    const file = c.req.param('file')
    const { bytes, key } = await coverPictures.get(file)
    // Another address than the page has would show the next cover too late.
    const isCurrent = c.req.query('v') === key
    return c.body(Buffer.from(bytes), 200, {
      'content-type': file.endsWith('.png') ? 'image/png' : 'image/jpeg',
      'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })
}
