// Setting up the shop with a book of one's own, for admins:
//   GET  /api/admin/setup          which step is reached, what was read of the book, what is to be for sale
//   POST /api/admin/setup/file     reads the book from a finished upload, into the draft
//   PUT  /api/admin/setup/step     goes to a step
//   PUT  /api/admin/setup/preview  puts chapters of the file into the draft's preview
//   PUT  /api/admin/setup/offers   what is to be for sale, and in which currency
//   POST /api/admin/setup/open     products, words and the author's file become what visitors see
import { createRoute } from '@hono/zod-openapi'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { draftState } from '../book/contract/drafts.ts'
import type { WithBook } from '../book/published-book.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import type { WithPictureReader } from '../pictures/picture-reader.ts'
import type { WithCatalogue } from '../products/catalogue.ts'
import { finishedUpload } from '../products/contract/admin-products.ts'
import { chooseOffers, choosePreview, chooseStep, readSetup, takeBookFile } from './book-setup.ts'
import { bookSetup, chosenOffers, chosenPreview, chosenStep, openRequest } from './contract/book-setup.ts'
import { openWithOwnBook } from './open-shop.ts'

export type BookSetupApi = ReturnType<typeof bookSetupApi>

type Needs = Services & WithAuth & WithBook & WithUploadReader & WithPictureReader & WithCatalogue

const setup = { 200: json(bookSetup, 'The setup as it is now'), ...refusal }

export function bookSetupApi(services: Needs) {
  const read = createRoute({ method: 'get', path: '/setup', security: bearer, responses: setup })
  const file = createRoute({
    method: 'post',
    path: '/setup/file',
    security: bearer,
    request: body(finishedUpload),
    responses: setup,
  })
  const step = createRoute({
    method: 'put',
    path: '/setup/step',
    security: bearer,
    request: body(chosenStep),
    responses: setup,
  })
  const preview = createRoute({
    method: 'put',
    path: '/setup/preview',
    security: bearer,
    request: body(chosenPreview),
    responses: { 200: json(draftState, 'The draft as it is now'), ...refusal },
  })
  const offers = createRoute({
    method: 'put',
    path: '/setup/offers',
    security: bearer,
    request: body(chosenOffers),
    responses: setup,
  })
  const open = createRoute({
    method: 'post',
    path: '/setup/open',
    security: bearer,
    middleware: services.auth.requireRecentSignIn,
    request: body(openRequest),
    responses: setup,
  })
  return createApi()
    .openapi(read, async (c) => c.json(await readSetup(services), 200))
    .openapi(file, async (c) => {
      await takeBookFile(services, c.req.valid('json').upload_id, actorOf(c, services))
      return c.json(await readSetup(services), 200)
    })
    .openapi(step, async (c) => {
      await chooseStep(services, c.req.valid('json').step)
      return c.json(await readSetup(services), 200)
    })
    .openapi(preview, async (c) =>
      c.json(await choosePreview(services, c.req.valid('json'), actorOf(c, services)), 200),
    )
    .openapi(offers, async (c) => {
      const wanted = c.req.valid('json')
      if (wanted.offers.some(({ price }) => price === 0)) {
        const network = clientNetwork(c, services.config.trustedProxies)
        await services.auth.requireRecentProof(c.var.user, { current_password: undefined, network })
      }
      await chooseOffers(services, actorOf(c, services), wanted)
      return c.json(await readSetup(services), 200)
    })
    .openapi(open, async (c) => {
      await openWithOwnBook(services, c.req.valid('json').revision, actorOf(c, services))
      return c.json(await readSetup(services), 200)
    })
}
