// The routes of the excerpt by email: for visitors, for who has the link, and for the author.
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { excerptLink, excerptState } from '#contract/catalog/excerpt-file.ts'
import { finishedUpload } from '#contract/catalog/products.ts'
import { excerptRequest, linkedExcerpt } from '#contract/mail/excerpt-requests.ts'
import { askedSubscriber, subscriberToken } from '#contract/mail/subscribers.ts'
import { download } from '#contract/orders/purchases.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { removeExcerpt, saveExcerpt } from '#domains/catalog/excerpt-file.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { actorOf, body, createApi, ok, route } from '#platform/http/route.ts'
import { sendFile } from '#platform/http/sent-file.ts'
import {
  askForExcerpt,
  confirmTick,
  describeExcerpt,
  openExcerptFile,
  readLinkedExcerpt,
  requestExcerptByAdmin,
  requestExcerptFile,
  requireOffered,
} from './excerpt.ts'
import { readerProblem } from './problem.ts'

const requestsPerNetwork = { limit: 100, windowSeconds: 600 }
const isDone = { is_done: true as const }

export function excerptApi(services: CommerceShop) {
  const { auth } = services
  const limit = limitPerAddress(services, 'excerpt', requestsPerNetwork)
  const link = { isPublic: true, ...body(subscriberToken), middleware: limit }
  return createApi()
    .openapi(
      route('post', '/excerpt', {
        isPublic: true,
        ...body(excerptRequest),
        middleware: limit,
        returns: ok(z.object({ is_done: z.literal(true) }), 'An email has a link to the excerpt'),
      }),
      async (c) => {
        const { email, letters: ticked, website } = c.req.valid('json')
        if (website) throw readerProblem('contact.not_accepted')
        // A request that sends nothing spends none of the mailbox's emails.
        await requireOffered(services)
        await auth.limitMail(c, { email, purpose: 'excerpt' })
        const network = clientNetwork(c, services.config.trustedProxies)
        await askForExcerpt(services, { email, ticked, network })
        return c.json(isDone, 200)
      },
    )
    .openapi(
      route('post', '/excerpt/show', {
        ...link,
        returns: ok(linkedExcerpt, 'What the link gives; nothing changes'),
      }),
      async (c) => c.json(await readLinkedExcerpt(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/excerpt/download', {
        ...link,
        returns: ok(download, 'A link that works for some minutes'),
      }),
      async (c) => c.json(await requestExcerptFile(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/excerpt/letters', {
        ...link,
        returns: ok(askedSubscriber, 'The address is on the list of letters'),
      }),
      async (c) => c.json(await confirmTick(services, c.req.valid('json').token), 200),
    )
}

export function excerptFilesApi(services: CommerceShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/excerpt-files/:token', async (c) =>
    sendFile(services, c, await openExcerptFile(services, c.req.param('token'))),
  )
}

export type AdminExcerptApi = ReturnType<typeof adminExcerptApi>

export function adminExcerptApi(services: CommerceShop) {
  const { book, auth } = services
  const middleware = auth.requireRecentSignIn
  const returns = ok(excerptState, 'The excerpt as it is now')
  return createApi()
    .openapi(route('get', '/excerpt', { returns }), async (c) => c.json(await describeExcerpt(services), 200))
    .openapi(
      route('post', '/excerpt/link', { returns: ok(excerptLink, 'Where the file is, for some minutes') }),
      async (c) => {
        const { id: user_id, session_id } = c.var.user
        return c.json(await requestExcerptByAdmin(services, { user_id, session_id }), 200)
      },
    )
    .openapi(route('put', '/excerpt', { ...body(finishedUpload), middleware, returns }), async (c) => {
      await saveExcerpt(services, actorOf(c, services), c.req.valid('json').upload_id)
      await book.refresh()
      return c.json(await describeExcerpt(services), 200)
    })
    .openapi(route('delete', '/excerpt', { middleware, returns }), async (c) => {
      await removeExcerpt(services, actorOf(c, services))
      await book.refresh()
      return c.json(await describeExcerpt(services), 200)
    })
}
