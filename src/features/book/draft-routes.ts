// The draft of the book, for admins, under /api/admin/book. Its bodies are larger than those of other calls.
import { createRoute } from '@hono/zod-openapi'
import { limitBody } from '#platform/http/limit-body.ts'
import { onlyJson, setHeaders } from '#platform/http/middleware.ts'
import { apiHeaders } from '#platform/http/response.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import type { WithCatalogue } from '../products/catalogue.ts'
import { refuseLong, type WithBookReader } from './book-reader.ts'
import { writeDraftLink } from './draft-link.ts'
import {
  draftPreview,
  draftRevision,
  draftState,
  draftWarnings,
  restoredVersion,
  savedDraft,
} from './contract/drafts.ts'
import { findWarnings } from './draft-warnings.ts'
import { discardDraft, publishDraft, readDraft, restoreVersion, saveDraft } from './drafts.ts'
import type { WithBook } from './published-book.ts'

/** In bytes. */
const maxDocument = 4 * 1024 * 1024

export type BookDraftsApi = ReturnType<typeof bookDraftsApi>

const changed = { 200: json(draftState, 'The draft as it is now'), ...refusal }

export function bookDraftsApi(services: Services & WithAuth & WithBook & WithBookReader & WithCatalogue) {
  const { auth, db } = services
  const api = createApi()
  api.use('/book/*', auth.requireUser, auth.requireAdmin)
  api.use('/book/*', setHeaders(apiHeaders), onlyJson, limitBody(maxDocument), auth.requireAdminStill)
  const read = createRoute({ method: 'get', path: '/book/draft', security: bearer, responses: changed })
  const save = createRoute({
    method: 'put',
    path: '/book/draft',
    security: bearer,
    request: body(savedDraft),
    responses: changed,
  })
  const [publish, restore, discard] = [
    createRoute({
      method: 'post',
      path: '/book/publish',
      security: bearer,
      middleware: auth.requireRecentSignIn,
      request: body(draftRevision),
      responses: changed,
    }),
    createRoute({
      method: 'post',
      path: '/book/restore',
      security: bearer,
      request: body(restoredVersion),
      responses: changed,
    }),
    createRoute({
      method: 'post',
      path: '/book/discard',
      security: bearer,
      request: body(draftRevision),
      responses: changed,
    }),
  ]
  const warn = createRoute({
    method: 'get',
    path: '/book/warnings',
    security: bearer,
    responses: { 200: json(draftWarnings, 'What may be wrong with the draft'), ...refusal },
  })
  const preview = createRoute({
    method: 'post',
    path: '/book/preview',
    security: bearer,
    responses: { 200: json(draftPreview, 'Where the page can be seen as the draft has it'), ...refusal },
  })
  return api
    .openapi(read, async (c) => c.json(await readDraft(db), 200))
    .openapi(save, async (c) =>
      c.json(await saveDraft(services, c.req.valid('json'), actorOf(c, services)), 200),
    )
    .openapi(publish, async (c) =>
      c.json(await publishDraft(services, c.req.valid('json').revision, actorOf(c, services)), 200),
    )
    .openapi(restore, async (c) =>
      c.json(await restoreVersion(services, c.req.valid('json'), actorOf(c, services)), 200),
    )
    .openapi(discard, async (c) =>
      c.json(await discardDraft(services, c.req.valid('json').revision, actorOf(c, services)), 200),
    )
    .openapi(warn, async (c) => {
      const { document } = await readDraft(db)
      return c.json({ warnings: await findWarnings(services, document).catch(refuseLong) }, 200)
    })
    .openapi(preview, async (c) => c.json({ url: await writeDraftLink(services, c.var.user) }, 200))
}
