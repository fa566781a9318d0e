// The routes of the draft of the book, for admins, under /api/admin/book. Its bodies are larger than those of other calls.
import { apiHeaders, onlyJson, setHeaders } from '#platform/http/errors.ts'
import { createApi, ok, route, body, actorOf } from '#platform/http/route.ts'
import { refuseLong } from './book-reader.ts'
import type { CommerceShop } from './shop.ts'
import { limitBody } from '#platform/http/bodies.ts'
import { writeDraftLink } from './draft-links.ts'
import { findWarnings } from './draft-warnings.ts'
import {
  discardDraft,
  publishDraft,
  readDraft,
  refuseBeforeOpening,
  restoreVersion,
  saveDraft,
  type OnOwnBook,
} from './drafts.ts'
import {
  draftPreview,
  draftRevision,
  draftState,
  draftWarnings,
  restoredVersion,
} from '#contract/book/book.ts'
import { savedDraft } from '#contract/book/checked-book.ts'

const maxDocument = 4 * 1024 * 1024

export type BookDraftsApi = ReturnType<typeof bookDraftsApi>

const changed = ok(draftState, 'The draft as it is now')

export function bookDraftsApi(services: CommerceShop, onOwnBook: OnOwnBook) {
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
      async (c) => {
        await refuseBeforeOpening(db)
        const { revision } = c.req.valid('json')
        return c.json(await publishDraft(services, revision, actorOf(c, services), onOwnBook), 200)
      },
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
