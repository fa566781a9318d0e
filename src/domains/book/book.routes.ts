// The routes of the published book, and of its drafts.
import { type TypedResponse, Hono } from 'hono'
import { memoizeLast } from '#platform/cached.ts'
import { apiHeaders, onlyJson, setHeaders } from '#platform/http/errors.ts'
import { createApi, ok, route, body, actorOf } from '#platform/http/route.ts'
import { refuseLong } from './published-book.ts'
import {
  shownChapters,
  shownLegalPages,
  type ShownChapter,
  type ShownLegalPage,
} from '#contract/book/shown-book.ts'
import { currentSaleMode, offersWithdrawal } from '#domains/catalog/catalogue.ts'
import type { BookShop } from './shop.ts'
import { limitBody } from '#platform/http/bodies.ts'
import {
  writeDraftLink,
  requireDraftLink,
  findWarnings,
  discardDraft,
  publishDraft,
  readDraft,
  restoreVersion,
  saveDraft,
  type OnOwnBook,
  listStoredChapters,
  listStoredEbooks,
} from './drafts.ts'
import {
  draftPreview,
  draftRevision,
  draftState,
  draftWarnings,
  restoredVersion,
  savedDraft,
  storedChapters,
  storedEbookId,
  storedEbooks,
  type BookDocument,
} from '#contract/book/book.ts'
import { z } from 'zod'
import { legalPageNames } from '#contract/book/legal.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'

const chapters = route('get', '/book/chapters', {
  returns: ok(shownChapters, 'The chapters of the preview, in order'),
  isPublic: true,
})

const legal = route('get', '/book/legal', {
  returns: ok(shownLegalPages, 'The legal pages that are switched on and complete'),
  isPublic: true,
})

const headers = { ...apiHeaders, 'content-type': 'application/json' }

export function bookApi(services: BookShop) {
  const { book, bookReader, catalogue } = services
  const readChapters = memoizeLast(bookReader.readChapters)
  const readLegalPages = memoizeLast(bookReader.readLegalPages)
  return createApi()
    .openapi(chapters, async () => {
      const read = await readChapters((await book.getOrStale()).document).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownChapter[], 200, 'json'>
    })
    .openapi(legal, async () => {
      const [{ document }, { products }] = await Promise.all([book.getOrStale(), catalogue.getOrStale()])
      const hasWithdrawal = offersWithdrawal(services, await currentSaleMode(services), products)
      const read = await readLegalPages({ document, hasWithdrawal }).catch(refuseLong)
      return new Response(read, { headers }) as Response & TypedResponse<ShownLegalPage[], 200, 'json'>
    })
}

export function coverApi({ coverPictures }: BookShop) {
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

// The draft of the book, for admins, under /api/admin/book. Its bodies are larger than those of other calls.

const maxDocument = 4 * 1024 * 1024

export type BookDraftsApi = ReturnType<typeof bookDraftsApi>

const changed = ok(draftState, 'The draft as it is now')

export function bookDraftsApi(services: BookShop, onOwnBook: OnOwnBook) {
  const { auth, db } = services
  const api = createApi()
  api.use('/book/*', auth.requireUser, auth.requireAdmin)
  api.use('/book/*', setHeaders(apiHeaders), onlyJson, limitBody(maxDocument), auth.requireAdminStill)
  return api
    .openapi(route('get', '/book/draft', { returns: changed }), async (c) => c.json(await readDraft(db), 200))
    .openapi(route('put', '/book/draft', { ...body(savedDraft), returns: changed }), async (c) =>
      c.json(await saveDraft(services, c.req.valid('json'), actorOf(c, services)), 200),
    )
    .openapi(
      route('post', '/book/publish', {
        ...body(draftRevision),
        middleware: auth.requireRecentSignIn,
        returns: changed,
      }),
      async (c) =>
        c.json(
          await publishDraft(services, c.req.valid('json').revision, actorOf(c, services), onOwnBook),
          200,
        ),
    )
    .openapi(route('post', '/book/restore', { ...body(restoredVersion), returns: changed }), async (c) =>
      c.json(await restoreVersion(services, c.req.valid('json'), actorOf(c, services)), 200),
    )
    .openapi(route('post', '/book/discard', { ...body(draftRevision), returns: changed }), async (c) =>
      c.json(await discardDraft(services, c.req.valid('json').revision, actorOf(c, services)), 200),
    )
    .openapi(
      route('get', '/book/warnings', { returns: ok(draftWarnings, 'What may be wrong with the draft') }),
      async (c) => {
        const { document } = await readDraft(db)
        return c.json({ warnings: await findWarnings(services, document).catch(refuseLong) }, 200)
      },
    )
    .openapi(
      route('post', '/book/preview', {
        returns: ok(draftPreview, 'Where the page can be seen as the draft has it'),
      }),
      async (c) => c.json({ url: await writeDraftLink(services, c.var.user) }, 200),
    )
}

// GET /api/drafts/:token: the home page, or another one of the book, as the draft has it, for the frame beside the form.

/** Renders a public page with another book than the published one. Throws as a bounded worker does. */
type RenderPage = (path: string, document: BookDocument) => Promise<string>

const otherPages = z.enum(['preview', ...legalPageNames])

/** Nothing in it runs, and nothing can be sent from it. Styles are the shop's own. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self'; frame-ancestors 'self'; sandbox allow-same-origin"

export function draftPagesApi(services: BookShop, renderPage: RenderPage) {
  return new Hono().get('/drafts/:token', async (c) => {
    await requireDraftLink(services, c.req.param('token'))
    const { document } = await readDraft(services.db)
    const page = otherPages.safeParse(c.req.query('page')).data ?? ''
    const html = await renderPage(`/${page}`, document).catch(refuseLong)
    return c.html(withoutScripts(html), 200, {
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
}

/** What is said to visitors without scripts is not said to the author. */
function withoutScripts(html: string): string {
  return html
    .replaceAll(/<(script|noscript)\b.*?<\/\1>/gs, '')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
}

export type BookEbooksApi = ReturnType<typeof bookEbooksApi>

export function bookEbooksApi(services: BookShop) {
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
