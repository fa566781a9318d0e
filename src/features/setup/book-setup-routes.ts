// Setting up the shop with a book of one's own, for admins.
import { body, createApi, ok, route } from '#platform/http/route.ts'
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

const setup = ok(bookSetup, 'The setup as it is now')

export function bookSetupApi(services: Needs) {
  return createApi()
    .openapi(route('get', '/setup', { returns: setup }), async (c) => c.json(await readSetup(services), 200))
    .openapi(route('post', '/setup/file', { ...body(finishedUpload), returns: setup }), async (c) => {
      await takeBookFile(services, c.req.valid('json').upload_id, actorOf(c, services))
      return c.json(await readSetup(services), 200)
    })
    .openapi(route('put', '/setup/step', { ...body(chosenStep), returns: setup }), async (c) => {
      await chooseStep(services, c.req.valid('json').step)
      return c.json(await readSetup(services), 200)
    })
    .openapi(
      route('put', '/setup/preview', {
        ...body(chosenPreview),
        returns: ok(draftState, 'The draft as it is now'),
      }),
      async (c) => c.json(await choosePreview(services, c.req.valid('json'), actorOf(c, services)), 200),
    )
    .openapi(route('put', '/setup/offers', { ...body(chosenOffers), returns: setup }), async (c) => {
      const wanted = c.req.valid('json')
      if (wanted.offers.some(({ price }) => price === 0)) await services.auth.requireRecentProof(c)
      await chooseOffers(services, actorOf(c, services), wanted)
      return c.json(await readSetup(services), 200)
    })
    .openapi(
      route('post', '/setup/open', {
        ...body(openRequest),
        middleware: services.auth.requireRecentSignIn,
        returns: setup,
      }),
      async (c) => {
        await openWithOwnBook(services, c.req.valid('json').revision, actorOf(c, services))
        return c.json(await readSetup(services), 200)
      },
    )
}
