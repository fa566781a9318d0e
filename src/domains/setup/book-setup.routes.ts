// The routes of the setup with the author’s book, up to the open shop.
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import { draftState } from '#contract/book/book.ts'
import { finishedUpload } from '#contract/catalog/products.ts'
import {
  chooseOffers,
  choosePreview,
  chooseStep,
  readSetup,
  takeBookFile,
  chooseTimeZone,
} from './book-setup.ts'
import { checkOpening } from './opening-checks.ts'
import { openWithOwnBook } from './opening.ts'
import {
  openingCheck,
  bookSetup,
  chosenOffers,
  chosenPreview,
  chosenStep,
  chosenTimeZone,
  openRequest,
} from '#contract/setup/setup.ts'
import type { SetupShop } from './shop.ts'

export type BookSetupApi = ReturnType<typeof bookSetupApi>

const setup = ok(bookSetup, 'The setup as it is now')

export function bookSetupApi(services: SetupShop) {
  return createApi()
    .openapi(route('get', '/setup', { returns: setup }), async (c) => c.json(await readSetup(services), 200))
    .openapi(
      route('get', '/setup/check', {
        middleware: limitPerAccount(services, 'opening checks', { limit: 120, windowSeconds: 3600 }),
        returns: ok(openingCheck, 'What a visitor would meet if the shop opened now'),
      }),
      async (c) => c.json(await checkOpening(services), 200),
    )
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
      const request = c.req.valid('json')
      if (request.offers.some(({ price }) => price === 0)) await services.auth.requireRecentProof(c)
      await chooseOffers(services, actorOf(c, services), request)
      return c.json(await readSetup(services), 200)
    })
    .openapi(
      route('put', '/setup/time-zone', {
        ...body(chosenTimeZone),
        middleware: limitPerAccount(services, 'time zones', { limit: 60, windowSeconds: 3600 }),
        returns: setup,
      }),
      async (c) => {
        await chooseTimeZone(services, actorOf(c, services), c.req.valid('json').time_zone)
        return c.json(await readSetup(services), 200)
      },
    )
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
