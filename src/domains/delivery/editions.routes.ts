// Editions, days of release and waitlists.
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { body, createApi, idParam, ok, route, type ApiEnv, actorOf } from '#platform/http/route.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { countPerAddress, limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { platformProblem } from '#platform/problem.ts'
import { sendFile } from '#platform/http/content.ts'
import {
  announce,
  getAnnouncement,
  setPaused,
  openEdition,
  requestEdition,
  findLinkedChoices,
  getOwnChoices,
  saveLinkedChoices,
  saveOwnChoices,
  listOwnEditions,
} from './editions.ts'
import {
  announcement,
  announcementRequest,
  editionLink,
  mailChoices,
  mailChoicesRequest,
  type MailChoices,
  ownEditions,
  pauseRequest,
  releaseRequest,
  waitlistEntry,
  waitlistRequest,
  waitlistToken,
} from '#contract/delivery/editions.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { getAdminProduct } from './products.ts'
import { adminProduct } from '#contract/catalog/products.ts'
import { joinWaitlist, confirmWaitlistEntry, leaveWaitlist, setRelease } from './releases.ts'

// Editions: telling their owners, reading earlier ones, and turning these emails off.

export type AnnouncementsApi = ReturnType<typeof announcementsApi>

export function announcementsApi(services: BookShop) {
  const middleware = services.auth.requireRecentSignIn
  const one = { params: idParam, returns: ok(announcement, 'What became of telling the owners') }
  return createApi()
    .openapi(
      route('post', '/editions/{id}/link', {
        params: idParam,
        middleware,
        returns: ok(editionLink, 'Where the file is, for some minutes'),
      }),
      async (c) => {
        const { id: user_id, session_id } = c.var.user
        return c.json(await requestEdition(services, { user_id, session_id }, c.req.valid('param').id), 200)
      },
    )
    .openapi(route('get', '/editions/{id}/announcement', one), async (c) =>
      c.json(await getAnnouncement(services, c.req.valid('param').id), 200),
    )
    .openapi(
      route('put', '/editions/{id}/announcement', { ...one, ...body(announcementRequest) }),
      async (c) => {
        const { id } = c.req.valid('param')
        await services.auth.requireRecentProof(c)
        await announce(services, actorOf(c, services), id, c.req.valid('json').changes)
        return c.json(await getAnnouncement(services, id), 200)
      },
    )
    .openapi(
      route('put', '/editions/{id}/announcement/paused', { ...one, ...body(pauseRequest) }),
      async (c) => {
        const { id } = c.req.valid('param')
        await setPaused(services, actorOf(c, services), id, c.req.valid('json').is_paused)
        return c.json(await getAnnouncement(services, id), 200)
      },
    )
}

/** The link itself is the permission, as long as the session and the role of its admin last. */
export function editionFilesApi(services: BookShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/edition-files/:token', async (c) =>
    sendFile(services, c, await openEdition(services, c.req.param('token'))),
  )
}

const token = z.string().regex(/^[\w-]{22}$/)
const tokenParam = z.object({ token })

export function editionsApi(services: BookShop) {
  const { db, auth } = services
  const own = { middleware: auth.requireUser, returns: ok(mailChoices, 'The emails that the reader gets') }
  const linked = {
    isPublic: true,
    params: tokenParam,
    returns: ok(mailChoices, 'The emails that the reader of the link gets'),
  }
  return createApi()
    .openapi(
      route('get', '/purchases/{id}/editions', {
        params: idParam,
        middleware: auth.requireUser,
        returns: ok(ownEditions, 'All editions that the purchase gives, newest first'),
      }),
      async (c) => {
        const purchase = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        return c.json({ items: await listOwnEditions(db, purchase) }, 200)
      },
    )
    .openapi(route('get', '/account/mail-choices', own), async (c) =>
      c.json(await getOwnChoices(db, c.var.user.id), 200),
    )
    .openapi(route('put', '/account/mail-choices', { ...own, ...body(mailChoicesRequest) }), async (c) => {
      await saveOwnChoices(db, c.var.user.id, c.req.valid('json'))
      return c.json(c.req.valid('json'), 200)
    })
    .openapi(route('get', '/mail-choices/{token}', linked), async (c) =>
      c.json(await requireChoices(services, c, c.req.valid('param').token), 200),
    )
    .openapi(route('put', '/mail-choices/{token}', { ...linked, ...body(mailChoicesRequest) }), async (c) => {
      const choices = c.req.valid('json')
      await saveByLink(services, c, c.req.valid('param').token, choices)
      return c.json(choices, 200)
    })
}

/** By one press in a mail program (RFC 8058): its request has no JSON and no session. Opened, the same address is a page. */
export function unsubscribeApi(services: BookShop) {
  return new Hono<ApiEnv>().post('/emails/:token', async (c) => {
    await saveByLink(services, c, c.req.param('token'), { has_editions: false })
    return c.body(null, 204, { 'cache-control': 'no-store' })
  })
}

const linkLimit = ['mail-choices', perNetwork] as const

async function saveByLink(services: BookShop, c: Context<ApiEnv>, linkToken: string, choices: MailChoices) {
  const saved = await requireChoices(services, c, linkToken)
  if (choices.has_editions) await countPerAddress(services, c, ...linkLimit)
  if (saved.has_editions !== choices.has_editions) await saveLinkedChoices(services.db, linkToken, choices)
}

/** Counts only unknown links: a provider unsubscribes all its users from few networks, and no one may be refused that. */
async function requireChoices(
  services: BookShop,
  c: Context<ApiEnv>,
  linkToken: string,
): Promise<MailChoices> {
  const { success, data } = token.safeParse(linkToken)
  const choices = success ? await findLinkedChoices(services.db, data) : undefined
  if (choices) return choices
  await countPerAddress(services, c, ...linkLimit)
  throw platformProblem('request.not_found')
}

export type ReleasesApi = ReturnType<typeof releasesApi>

/** A new day writes to all who have ordered, so it requires a recent proof. */
export function releasesApi(services: BookShop) {
  return createApi().openapi(
    route('put', '/products/{id}/release', {
      params: idParam,
      ...body(releaseRequest),
      returns: ok(adminProduct, 'The product as it is now'),
    }),
    async (c) => {
      await services.auth.requireRecentProof(c)
      const { id } = c.req.valid('param')
      await setRelease(services, actorOf(c, services), id, c.req.valid('json').release_on)
      return c.json(await getAdminProduct(services.db, id), 200)
    },
  )
}

const waitlistsPerNetwork = { limit: 100, windowSeconds: 600 }

/** The response does not say whether the address is on the waitlist already. */
export function waitlistApi(services: BookShop) {
  const limit = limitPerAddress(services, 'release-waitlist', waitlistsPerNetwork)
  const link = { isPublic: true, ...body(waitlistToken), middleware: limit }
  return createApi()
    .openapi(
      route('post', '/products/{id}/waitlist', {
        isPublic: true,
        params: idParam,
        ...body(waitlistRequest),
        middleware: limit,
        returns: ok(z.object({ is_sent: z.literal(true) }), 'An email asks whether the address is right'),
      }),
      async (c) => {
        const { email } = c.req.valid('json')
        await services.auth.limitMail(c, { email, purpose: 'tell_me' })
        const network = clientNetwork(c, services.config.trustedProxies)
        await joinWaitlist(services, { product_id: c.req.valid('param').id, email, network })
        return c.json({ is_sent: true as const }, 200)
      },
    )
    .openapi(
      route('post', '/release-waitlist/confirm', {
        ...link,
        returns: ok(waitlistEntry, 'The product whose release is emailed'),
      }),
      async (c) => c.json(await confirmWaitlistEntry(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/release-waitlist/end', {
        ...link,
        returns: ok(waitlistEntry, 'The product whose release is not emailed any more'),
      }),
      async (c) => c.json(await leaveWaitlist(services, c.req.valid('json').token), 200),
    )
}
