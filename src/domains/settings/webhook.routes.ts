// The routes of the webhook, for the admin area.
import { z } from '@hono/zod-openapi'
import {
  changedWebhook,
  delivery,
  deliveryList,
  deliveryQuery,
  webhook,
  webhookChange,
  webhookProof,
} from '#contract/mail/webhook.ts'
import { listDeliveries, sendTestDelivery } from '#domains/mail/webhook-deliveries.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { actorOf, body, createApi, ok, route } from '#platform/http/route.ts'
import type { SettingsShop } from './shop.ts'
import { describeWebhook, removeWebhook, renewWebhookSecret, setWebhook } from './webhook-setup.ts'

export type WebhookApi = ReturnType<typeof webhookApi>

export function webhookApi(services: SettingsShop) {
  const { db, auth } = services
  return createApi()
    .openapi(
      route('get', '/webhook', {
        query: deliveryQuery,
        returns: ok(deliveryList, 'A page of what was sent, and whether anything is'),
      }),
      async (c) => {
        const page = await listDeliveries(db, c.req.valid('query'))
        return c.json({ ...page, webhook: await describeWebhook(services) }, 200)
      },
    )
    .openapi(
      route('put', '/webhook', {
        ...body(webhookChange),
        returns: ok(changedWebhook, 'It is on; a new address has a new secret'),
      }),
      async (c) => {
        const { url, current_password } = c.req.valid('json')
        await auth.requireRecentProof(c, current_password)
        return c.json(await setWebhook(services, actorOf(c, services), url), 200)
      },
    )
    .openapi(
      route('delete', '/webhook', {
        ...body(webhookProof),
        returns: ok(webhook, 'Nothing is sent any more'),
      }),
      async (c) => {
        await auth.requireRecentProof(c, c.req.valid('json').current_password)
        return c.json(await removeWebhook(services, actorOf(c, services)), 200)
      },
    )
    .openapi(
      route('post', '/webhook/secret', {
        ...body(webhookProof),
        returns: ok(changedWebhook, 'It has a new secret; the one before signs, too, for a day'),
      }),
      async (c) => {
        await auth.requireRecentProof(c, c.req.valid('json').current_password)
        return c.json(await renewWebhookSecret(services, actorOf(c, services)), 200)
      },
    )
    .openapi(
      route('post', '/webhook/test', {
        ...body(z.strictObject({})),
        middleware: limitPerAccount(services, 'webhook tests', { limit: 20, windowSeconds: 3600 }),
        returns: ok(delivery, 'What came of the test'),
      }),
      async (c) => c.json(await sendTestDelivery(services, actorOf(c, services)), 200),
    )
}
