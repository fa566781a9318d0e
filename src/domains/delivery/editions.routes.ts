// The routes of editions: notifying their owners, reading earlier ones, and turning these emails off.
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { body, createApi, idParam, ok, route, type ApiEnv, actorOf } from '#platform/http/route.ts'
import { countPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { platformProblem } from '#platform/problem.ts'
import { sendFile } from '#platform/http/sent-file.ts'
import { announce, getAnnouncement, previewAnnouncement, setPaused } from './editions.ts'
import { mailPreview } from '#contract/mail/mail-preview.ts'
import { openEdition, requestEdition, listOwnEditions } from './earlier-editions.ts'
import {
  endLinkedLetters,
  findLinkedChoices,
  getOwnChoices,
  saveLinkedChoices,
  saveOwnChoices,
} from './edition-choices.ts'
import {
  announcement,
  announcementPreview,
  announcementRequest,
  editionLink,
  mailChoices,
  mailChoicesRequest,
  linkedMailChoices,
  type LinkedMailChoices,
  type MailChoices,
  ownEditions,
  pauseRequest,
} from '#contract/delivery/editions.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export type AnnouncementsApi = ReturnType<typeof announcementsApi>

export function announcementsApi(services: CommerceShop) {
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
      route('post', '/editions/{id}/announcement/preview', {
        params: idParam,
        ...body(announcementPreview),
        returns: ok(mailPreview, 'The email as its first reader would get it; nothing is sent'),
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(await previewAnnouncement(services, c.var.user, id, c.req.valid('json')), 200)
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
export function editionFilesApi(services: CommerceShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/edition-files/:token', async (c) =>
    sendFile(services, c, await openEdition(services, c.req.param('token'))),
  )
}

const token = z.string().regex(/^[\w-]{22}$/)
const tokenParam = z.object({ token })

export function editionsApi(services: CommerceShop) {
  const { db, auth } = services
  const own = { middleware: auth.requireUser, returns: ok(mailChoices, 'The emails that the reader gets') }
  const linked = {
    isPublic: true,
    params: tokenParam,
    returns: ok(linkedMailChoices, 'The emails that the reader of the link gets'),
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
      const { gets_letters } = await saveByLink(services, c, c.req.valid('param').token, choices)
      return c.json({ ...choices, gets_letters }, 200)
    })
    .openapi(route('post', '/mail-choices/{token}/letters/end', linked), async (c) => {
      const { has_editions } = await requireChoices(services, c, c.req.valid('param').token)
      await endLinkedLetters(services, c.req.valid('param').token)
      return c.json({ has_editions, gets_letters: false }, 200)
    })
}

/**
 * One press in a mail program unsubscribes (RFC 8058): its request has no JSON and no session. Opened, the address is a
 * page.
 */
export function unsubscribeApi(services: CommerceShop) {
  return new Hono<ApiEnv>().post('/emails/:token', async (c) => {
    await saveByLink(services, c, c.req.param('token'), { has_editions: false })
    return c.body(null, 204, { 'cache-control': 'no-store' })
  })
}

const linkLimit = ['mail-choices', perNetwork] as const

async function saveByLink(
  services: CommerceShop,
  c: Context<ApiEnv>,
  linkToken: string,
  choices: MailChoices,
) {
  const saved = await requireChoices(services, c, linkToken)
  if (choices.has_editions) await countPerAddress(services, c, ...linkLimit)
  if (saved.has_editions !== choices.has_editions) await saveLinkedChoices(services.db, linkToken, choices)
  return saved
}

/** Counts only unknown links: a provider unsubscribes all its users from few networks, and no one may be refused that. */
async function requireChoices(
  services: CommerceShop,
  c: Context<ApiEnv>,
  linkToken: string,
): Promise<LinkedMailChoices> {
  const { success, data } = token.safeParse(linkToken)
  const choices = success ? await findLinkedChoices(services.db, data) : undefined
  if (choices) return choices
  await countPerAddress(services, c, ...linkLimit)
  throw platformProblem('request.not_found')
}
