// The emails of the shop, for admins; and the page of an unsent one for a frame of the admin area.
import { Hono } from 'hono'
import { limitAdminMails, limitPerAccount } from '#platform/http/rate-limits.ts'
import { createApi, idParam, ok, route, actorOf, body } from '#platform/http/route.ts'
import type { WithSessions } from '#platform/signed-links.ts'
import { mailDetail, mailList, mailListRequest, sentMails } from '#contract/mail/mails.ts'
import { openMailPage, sendUnsentMails } from './unsent-mails.ts'
import { openPreviewPage, sendPreview } from './mail-previews.ts'
import { mailPreviewRequest } from '#contract/mail/mail-preview.ts'
import { limitBody } from '#platform/http/bodies.ts'
import { getMail, listMails, sendAgain } from './mails.ts'
import type { MailShop, MailsOfOrders } from './shop.ts'
import { z } from '@hono/zod-openapi'
import { openDnsLookUp } from '#platform/dns-texts.ts'
import { senderOf } from '#platform/mail.ts'
import { checkSender } from './sender-check.ts'
import { sendTest } from './mail-trial.ts'
import { mailTest, senderDns } from '#contract/mail/mail-settings.ts'

export type MailsApi = ReturnType<typeof mailsApi>

const detail = ok(mailDetail, 'The mail as the admin may see it')

export function mailsApi(services: MailShop, orders: MailsOfOrders) {
  return createApi()
    .openapi(
      route('get', '/mails', { query: mailListRequest, returns: ok(mailList, 'A page of all mails') }),
      async (c) => c.json(await listMails(services, c.req.valid('query'), orders), 200),
    )
    .openapi(
      route('post', '/mails/send', {
        returns: ok(sentMails, 'The unsent ones that can be sent after all are on their way'),
      }),
      async (c) => c.json(await sendUnsentMails(services, actorOf(c, services), orders), 200),
    )
    .openapi(route('get', '/mails/{id}', { params: idParam, returns: detail }), async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await getMail(services, { id, reader: c.var.user }, orders), 200)
    })
    .openapi(
      route('post', '/mails/{id}/again', {
        params: idParam,
        middleware: limitAdminMails(services),
        returns: detail,
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        await sendAgain(services, actorOf(c, services), id, orders)
        return c.json(await getMail(services, { id, reader: c.var.user }, orders), 200)
      },
    )
}

/** The link itself is the permission, as long as the session and the role of the admin who asked for it last. */
export function mailPagesApi(services: MailShop & WithSessions) {
  return new Hono().get('/mails/:token', async (c) => {
    const { html, isOwn } = await openMailPage(services, c.req.param('token'))
    return c.html(html, 200, pageHeaders(isOwn))
  })
}

/** A frame of the admin area posts here; the token is the permission, as for the page of an unsent email. */
export function mailPreviewsApi(services: MailShop & WithSessions) {
  return new Hono().post('/mail-previews', limitBody(64 * 1024, { maxTogether: 1024 * 1024 }), async (c) => {
    const { data } = mailPreviewRequest.safeParse(await c.req.parseBody())
    return c.html(await openPreviewPage(services, data?.token ?? ''), 200, pageHeaders(false))
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

export type MailSetupApi = ReturnType<typeof mailSetupApi>

export function mailSetupApi(services: MailShop & WithSessions) {
  const limited = limitPerAccount(services, 'mail tests', { limit: 20, windowSeconds: 3600 })
  return createApi()
    .openapi(
      route('post', '/mail/test', {
        ...body(z.strictObject({})),
        middleware: limited,
        returns: ok(mailTest, 'What the mail server answered'),
      }),
      async (c) => c.json(await sendTest(services, actorOf(c, services)), 200),
    )
    .openapi(
      route('post', '/mail/preview', {
        ...body(mailPreviewRequest),
        middleware: limited,
        returns: ok(mailTest, 'What the mail server answered to the email that was looked at'),
      }),
      async (c) => {
        const { token } = c.req.valid('json')
        return c.json(await sendPreview(services, actorOf(c, services), token), 200)
      },
    )
    .openapi(
      route('get', '/mail/sender', { returns: ok(senderDns, 'What the records of the sender’s domain say') }),
      async (c) => {
        const { address } = senderOf(services.settings)
        return c.json(await checkSender(openDnsLookUp(), address, services.settings.get().mail), 200)
      },
    )
}
