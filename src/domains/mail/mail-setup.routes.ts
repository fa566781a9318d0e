import { z } from '@hono/zod-openapi'
import { openDnsLookUp } from '#platform/dns-texts.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { senderOf } from '#platform/mail.ts'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import { checkSender } from './sender-dns.ts'
import { mailTest, senderDns } from '#contract/mail/mail-settings.ts'
import { sendTest } from './mail-setup.ts'
import type { MailShop } from './shop.ts'

export type MailSetupApi = ReturnType<typeof mailSetupApi>

export function mailSetupApi(services: MailShop) {
  return createApi()
    .openapi(
      route('post', '/mail/test', {
        ...body(z.strictObject({})),
        middleware: limitPerAccount(services, 'mail tests', { limit: 20, windowSeconds: 3600 }),
        returns: ok(mailTest, 'What the mail server answered'),
      }),
      async (c) => c.json(await sendTest(services, actorOf(c, services)), 200),
    )
    .openapi(
      route('get', '/mail/sender', { returns: ok(senderDns, 'What the records of the sender’s domain say') }),
      async (c) => {
        const { address } = senderOf(services.settings)
        return c.json(await checkSender(openDnsLookUp(), address, services.settings.get().mail), 200)
      },
    )
}
