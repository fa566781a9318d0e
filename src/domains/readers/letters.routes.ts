// The routes of the author's letters: for visitors, for readers with an account or a link, and for the author.
import { Hono } from 'hono'
import { z } from 'zod'
import { actorOf, body, createApi, idParam, ok, route, type ApiEnv } from '#platform/http/route.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { platformProblem } from '#platform/problem.ts'
import {
  askedSubscriber,
  lettersRequest,
  ownLetters,
  ownLettersRequest,
  subscriberList,
  subscriberQuery,
  subscriberToken,
  subscription,
} from '#contract/mail/subscribers.ts'
import {
  deleteSubscriber,
  endSubscription,
  findSubscription,
  isToken,
  refuseSubscription,
} from '#domains/mail/subscribers.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import {
  askForLetters,
  confirmLetters,
  endAll,
  endSubscriber,
  eraseSubscriber,
  listSubscribers,
  readLettersLink,
  readOwnLetters,
  requireWords,
  saveOwnLetters,
} from './letters.ts'
import { readerProblem } from './problem.ts'

const requestsPerNetwork = { limit: 100, windowSeconds: 600 }
const done = z.object({ is_done: z.literal(true) })
const isDone = { is_done: true as const }

export function lettersApi(services: CommerceShop) {
  const { db, clock, auth } = services
  const limit = limitPerAddress(services, 'letters', requestsPerNetwork)
  const link = { isPublic: true, ...body(subscriberToken), middleware: limit }
  const own = { middleware: auth.requireUser, returns: ok(ownLetters, 'Whether the reader gets letters') }
  const linked = {
    isPublic: true,
    params: z.object({ token: z.string().max(100) }),
    middleware: limitPerAddress(services, 'subscriptions', perNetwork),
  }
  return createApi()
    .openapi(
      route('post', '/letters', {
        isPublic: true,
        ...body(lettersRequest),
        middleware: limit,
        returns: ok(done, 'An email asks whether the address is right, or says how to leave'),
      }),
      async (c) => {
        const { email, words, website } = c.req.valid('json')
        if (website) throw readerProblem('contact.not_accepted')
        // A request that sends nothing spends none of the mailbox's emails.
        const agreed = await requireWords(services, words)
        await auth.limitMail(c, { email, purpose: 'letters' })
        const network = clientNetwork(c, services.config.trustedProxies)
        await askForLetters(services, { email, agreed, network })
        return c.json(isDone, 200)
      },
    )
    .openapi(
      route('post', '/letters/show', {
        ...link,
        returns: ok(askedSubscriber, 'What the link asks; nothing changes'),
      }),
      async (c) => c.json(await readLettersLink(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/letters/confirm', {
        ...link,
        returns: ok(askedSubscriber, 'The address is on the list'),
      }),
      async (c) => c.json(await confirmLetters(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/letters/refuse', { ...link, returns: ok(done, 'The address gets no letters') }),
      async (c) => {
        if (!(await refuseSubscription(db, c.req.valid('json').token, clock())))
          throw readerProblem('letters.link_over')
        return c.json(isDone, 200)
      },
    )
    .openapi(
      route('get', '/subscriptions/{token}', { ...linked, returns: ok(subscription, 'What was agreed to') }),
      async (c) => {
        const row = await findSubscription(db, isToken(c.req.valid('param').token))
        if (!row) throw platformProblem('request.not_found')
        return c.json(row, 200)
      },
    )
    .openapi(
      route('post', '/subscriptions/{token}/end', {
        ...linked,
        returns: ok(done, 'The address gets no letters'),
      }),
      async (c) => {
        if ((await endSubscription(db, isToken(c.req.valid('param').token), clock())) === undefined)
          throw platformProblem('request.not_found')
        return c.json(isDone, 200)
      },
    )
    .openapi(
      route('delete', '/subscriptions/{token}', { ...linked, returns: ok(done, 'Nothing of it is stored') }),
      async (c) => {
        if (!(await deleteSubscriber(db, isToken(c.req.valid('param').token), clock())))
          throw platformProblem('request.not_found')
        return c.json(isDone, 200)
      },
    )
    .openapi(route('get', '/account/letters', own), async (c) =>
      c.json(await readOwnLetters(services, c.var.user), 200),
    )
    .openapi(route('put', '/account/letters', { ...own, ...body(ownLettersRequest) }), async (c) => {
      await saveOwnLetters(services, c.var.user, c.req.valid('json').words)
      return c.json(await readOwnLetters(services, c.var.user), 200)
    })
}

/** By one press in a mail program (RFC 8058), where the author's letters lead it to `end_url`. */
export function leaveLettersApi(services: CommerceShop) {
  return new Hono<ApiEnv>().post('/emails/:token', async (c, next) => {
    const email = await endSubscription(services.db, isToken(c.req.param('token')), services.clock())
    return email !== undefined ? c.body(null, 204, { 'cache-control': 'no-store' }) : next()
  })
}

export type SubscribersApi = ReturnType<typeof subscribersApi>

export function subscribersApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('get', '/subscribers', {
        query: subscriberQuery,
        returns: ok(subscriberList, 'A page of those who have confirmed'),
      }),
      async (c) => c.json(await listSubscribers(services.db, c.req.valid('query')), 200),
    )
    .openapi(
      route('post', '/subscribers/{id}/end', { params: idParam, returns: ok(done, 'It is ended') }),
      async (c) => {
        await endSubscriber(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(isDone, 200)
      },
    )
    .openapi(
      route('delete', '/subscribers/{id}', { params: idParam, returns: ok(done, 'Nothing of it is stored') }),
      async (c) => {
        await eraseSubscriber(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(isDone, 200)
      },
    )
    .openapi(
      route('post', '/subscribers/end', {
        returns: ok(z.object({ ended: z.number().int() }), 'All are ended'),
      }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        return c.json({ ended: await endAll(services, actorOf(c, services)) }, 200)
      },
    )
}
