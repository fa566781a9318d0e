// The routes of the setup: the first admin, the first steps, and the opening with the author’s book.
import { z } from '@hono/zod-openapi'
import { clientIp, isProxyIgnored, comesAsExpected } from '#platform/http/client-ip.ts'
import type { Context } from 'hono'
import { limitPerAccount, limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, createApi, created, ok, route, actorOf } from '#platform/http/route.ts'
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
import { readAddress, watchFirstVisit } from './reach.ts'
import { proxyVerdict } from '#domains/overview/address-check.ts'
import { checkOpening } from './opening-checks.ts'
import { readFirstSteps } from './first-steps.ts'
import { requireSetupLink, setUp } from './first-admin.ts'
import { openWithOwnBook } from './opening.ts'
import {
  openingCheck,
  firstSteps,
  setupLink,
  setupRequest,
  siteAddress,
  bookSetup,
  chosenOffers,
  chosenPreview,
  chosenStep,
  chosenTimeZone,
  openRequest,
} from '#contract/setup/setup.ts'
import type { SetupShop } from './shop.ts'

export type FirstStepsApi = ReturnType<typeof firstStepsApi>

export function firstStepsApi(services: SetupShop) {
  return createApi()
    .openapi(
      route('get', '/first-steps', { returns: ok(firstSteps, 'Each step, and whether it is done') }),
      async (c) => c.json(await readFirstSteps(services), 200),
    )
    .openapi(
      route('get', '/address', {
        returns: ok(siteAddress, 'How visitors reach the shop, as far as it can tell'),
      }),
      async (c) => {
        const address = await readAddress(services)
        const isIgnored = address.proxy !== null || isProxyIgnored(c, services.config.trustedProxies)
        return c.json({ ...address, proxy: isIgnored ? proxyVerdict : null }, 200)
      },
    )
}

/** Called with each request for the home page; after the first visit from another network it only compares. */
export function noteFirstVisit(services: SetupShop): (c: Context) => void {
  const { trustedProxies } = services.config
  const visit = watchFirstVisit(services)
  return (c) => {
    const host = visit.host()
    if (!host || c.req.header('host') !== host || c.req.method !== 'GET') return
    if (comesAsExpected(c, trustedProxies)) visit.note(clientIp(c, trustedProxies))
  }
}

const success = z.object({ success: z.literal(true) })

export function setupApi(services: SetupShop) {
  const limited = limitPerAddress(services, 'setup', { limit: 30, windowSeconds: 3600 })
  return createApi()
    .openapi(
      route('post', '/setup/link', {
        ...body(setupLink),
        middleware: limited,
        returns: ok(success, 'The link is valid, and there is no admin'),
        isPublic: true,
      }),
      async (c) => {
        await requireSetupLink(services, c.req.valid('json').token)
        return c.json({ success: true as const }, 200)
      },
    )
    .openapi(
      route('post', '/setup', {
        ...body(setupRequest),
        middleware: limited,
        returns: created(success, 'The account is made, verified and admin'),
        isPublic: true,
      }),
      async (c) => {
        await setUp(services, c.req.valid('json'), clientIp(c, services.config.trustedProxies))
        return c.json({ success: true as const }, 201)
      },
    )
}

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
