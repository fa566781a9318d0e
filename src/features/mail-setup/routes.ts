// What an admin needs to set mail up, besides the settings themselves:
//   POST /api/admin/mail/test    sends a test mail to the admin and says what the server answered
//   GET  /api/admin/mail/sender  what the DNS of the sender's domain says
import { createRoute, z } from '@hono/zod-openapi'
import { openDnsLookUp } from '#platform/dns-texts.ts'
import { limitPerAccount } from '#platform/http/limits.ts'
import { senderOf } from '#platform/mail.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../audit/actor.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { checkSender } from './check-sender.ts'
import { mailTest } from './contract/mail-test.ts'
import { senderDns } from './contract/sender-dns.ts'
import { sendTest } from './send-test.ts'

export type MailSetupApi = ReturnType<typeof mailSetupApi>

export function mailSetupApi(services: Services & WithLetterhead) {
  const test = createRoute({
    method: 'post',
    path: '/mail/test',
    security: bearer,
    middleware: [limitPerAccount(services, 'mail tests', { limit: 20, windowSeconds: 3600 })] as const,
    request: body(z.strictObject({})),
    responses: { 200: json(mailTest, 'What the mail server answered'), ...refusal },
  })
  const sender = createRoute({
    method: 'get',
    path: '/mail/sender',
    security: bearer,
    responses: { 200: json(senderDns, 'What the records of the sender’s domain say'), ...refusal },
  })
  return createApi()
    .openapi(test, async (c) => c.json(await sendTest(services, actorOf(c, services)), 200))
    .openapi(sender, async (c) => {
      const { address } = senderOf(services.settings)
      return c.json(await checkSender(openDnsLookUp(), address, services.settings.get().mail), 200)
    })
}
