// The routes of the connection to Stripe, for admins.
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import {
  connection,
  connectionRequest,
  copyConfirmation,
  disconnectRequest,
} from '#contract/settings/settings.ts'
import type { SettingsShop } from './shop.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { connect, disconnect, confirmCopy, readConnection, moveWebhook } from './payment-setup.ts'

export type PaymentSetupApi = ReturnType<typeof paymentSetupApi>

export function paymentSetupApi(services: SettingsShop) {
  const returns = ok(connection, 'The connection as it is now')
  const limit = limitPerAccount(services, 'payment keys', { limit: 20, windowSeconds: 3600 })
  return createApi()
    .openapi(route('get', '/payments/connection', { returns }), async (c) =>
      c.json(await readConnection(services), 200),
    )
    .openapi(
      route('put', '/payments/connection', { ...body(connectionRequest), middleware: limit, returns }),
      async (c) => {
        const { secret_key, current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await connect(services, actorOf(c, services), secret_key)
        return c.json(await readConnection(services), 200)
      },
    )
    .openapi(route('post', '/payments/connection/webhook', { middleware: limit, returns }), async (c) => {
      await moveWebhook(services, actorOf(c, services))
      return c.json(await readConnection(services), 200)
    })
    .openapi(
      route('post', '/payments/connection/confirmation', {
        ...body(copyConfirmation),
        middleware: limit,
        returns,
      }),
      async (c) => {
        const { site_url, current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await confirmCopy(services, actorOf(c, services), site_url)
        return c.json(await readConnection(services), 200)
      },
    )
    .openapi(
      route('delete', '/payments/connection', { ...body(disconnectRequest), middleware: limit, returns }),
      async (c) => {
        const { current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await disconnect(services, actorOf(c, services))
        return c.json(await readConnection(services), 200)
      },
    )
}
