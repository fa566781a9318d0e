// Emails that were kept instead of sent, for admins; and the page of one for a frame of the admin area.
import { z } from '@hono/zod-openapi'
import type { SQL } from 'drizzle-orm'
import { Hono } from 'hono'
import { limitAdminMails } from '#platform/http/rate-limits.ts'
import { createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import type { WithSessions } from '#platform/signed-links.ts'
import {
  keptMail,
  keptMails,
  keptMailsRequest,
  sentKeptMails,
  loggedMailDetail,
  mailLog,
  mailLogRequest,
} from '#contract/mail/mails.ts'
import { getKeptMail, listKeptMails, openMailPage, sendKeptMails } from './unsent-mails.ts'
import { getLoggedMail, listMails, sendAgain } from './mail-log.ts'
import type { MailShop } from './shop.ts'

export type KeptMailsApi = ReturnType<typeof keptMailsApi>

const logged = ok(loggedMailDetail, 'The mail with its text')

/** `isStillOwed`: whether what the mail `m` says of a purchase holds still. */
export function keptMailsApi(services: MailShop, isStillOwed: SQL) {
  return createApi()
    .openapi(
      route('post', '/mails/send', {
        returns: ok(sentKeptMails, 'Those that can be sent after all are on their way'),
      }),
      async (c) => c.json(await sendKeptMails(services, actorOf(c, services), isStillOwed), 200),
    )
    .openapi(
      route('get', '/mail-log', { query: mailLogRequest, returns: ok(mailLog, 'A page of all mails') }),
      async (c) => c.json(await listMails(services.db, c.req.valid('query')), 200),
    )
    .openapi(route('get', '/mail-log/{id}', { params: idParam, returns: logged }), async (c) =>
      c.json(await getLoggedMail(services.db, c.req.valid('param').id, isStillOwed), 200),
    )
    .openapi(
      route('post', '/mail-log/{id}/again', {
        params: idParam,
        middleware: limitAdminMails(services),
        returns: logged,
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        await sendAgain(services, actorOf(c, services), id, isStillOwed)
        return c.json(await getLoggedMail(services.db, id, isStillOwed), 200)
      },
    )
    .openapi(
      route('get', '/mails', {
        query: keptMailsRequest,
        returns: ok(keptMails, 'A page of mails that were not sent'),
      }),
      async (c) => c.json(await listKeptMails(services, c.req.valid('query'), isStillOwed), 200),
    )
    .openapi(
      route('get', '/mails/{name}', {
        params: z.object({ name: z.string() }),
        returns: ok(keptMail, 'The mail as the admin may see it'),
      }),
      async (c) => c.json(await getKeptMail(services, c.var.user, c.req.valid('param').name), 200),
    )
}

/** The link itself is the permission, as long as the session and the role of the admin who asked for it last. */
export function mailPagesApi(services: MailShop & WithSessions) {
  return new Hono().get('/mails/:token', async (c) => {
    const { html, isOwn } = await openMailPage(services, c.req.param('token'))
    return c.html(html, 200, pageHeaders(isOwn))
  })
}

/** The page runs nothing, loads nothing but the shop's pictures and, unless it is the admin's own mail, leads nowhere. */
function pageHeaders(isOwn: boolean) {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    isOwn ? 'sandbox allow-popups allow-popups-to-escape-sandbox' : 'sandbox',
  ]
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
