// The connection to Stripe, for admins:
//   GET    /api/admin/payments/connection  mode, account, and how far the test purchase is
//   PUT    /api/admin/payments/connection  checks a key with Stripe and stores it; asks for a recent proof
//   POST   /api/admin/payments/connection/webhook  has Stripe report to the present address of the shop
//   POST   /api/admin/payments/connection/confirmation  this copy of the shop is the shop now; asks for a recent proof
//   DELETE /api/admin/payments/connection  takes no more payments; asks for a recent proof
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAccount } from '#platform/http/limits.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import type { WithBook } from '../book/published-book.ts'
import { actorOf } from '../audit/actor.ts'
import { connect, disconnect } from './connect.ts'
import { confirmCopy } from './confirm-copy.ts'
import { connection, connectionRequest, copyConfirmation, disconnectRequest } from './contract/connection.ts'
import { moveWebhook } from './own-endpoint.ts'
import { readConnection } from './read-connection.ts'

export type PaymentSetupApi = ReturnType<typeof paymentSetupApi>

export function paymentSetupApi(services: Services & WithAuth & WithBook) {
  const path = '/payments/connection'
  const responses = { 200: json(connection, 'The connection as it is now'), ...refusal }
  const limit = limitPerAccount(services, 'payment keys', { limit: 20, windowSeconds: 3600 })
  const read = createRoute({ method: 'get', path, security: bearer, responses })
  const change = createRoute({
    method: 'put',
    path,
    security: bearer,
    middleware: [limit] as const,
    request: body(connectionRequest),
    responses,
  })
  const remove = createRoute({
    method: 'delete',
    path,
    security: bearer,
    middleware: [limit] as const,
    request: body(disconnectRequest),
    responses,
  })
  const move = createRoute({
    method: 'post',
    path: `${path}/webhook` as const,
    security: bearer,
    middleware: [limit] as const,
    responses,
  })
  const confirm = createRoute({
    method: 'post',
    path: `${path}/confirmation` as const,
    security: bearer,
    middleware: [limit] as const,
    request: body(copyConfirmation),
    responses,
  })
  const networkOf = (c: Context) => clientNetwork(c, services.config.trustedProxies)
  return createApi()
    .openapi(read, async (c) => c.json(await readConnection(services), 200))
    .openapi(change, async (c) => {
      const { secret_key, current_password } = c.req.valid('json')
      await services.auth.requireRecentProof(c.var.user, { current_password, network: networkOf(c) })
      await connect(services, actorOf(c, services), secret_key)
      return c.json(await readConnection(services), 200)
    })
    .openapi(move, async (c) => {
      await moveWebhook(services, actorOf(c, services))
      return c.json(await readConnection(services), 200)
    })
    .openapi(confirm, async (c) => {
      const { site_url, current_password } = c.req.valid('json')
      await services.auth.requireRecentProof(c.var.user, { current_password, network: networkOf(c) })
      await confirmCopy(services, actorOf(c, services), site_url)
      return c.json(await readConnection(services), 200)
    })
    .openapi(remove, async (c) => {
      const { current_password } = c.req.valid('json')
      await services.auth.requireRecentProof(c.var.user, { current_password, network: networkOf(c) })
      await disconnect(services, actorOf(c, services))
      return c.json(await readConnection(services), 200)
    })
}
