// The routes of settings, and of the connection to Stripe.
import { z } from '@hono/zod-openapi'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import {
  settingGroupName,
  settingsChange,
  settingsGroup,
  connection,
  connectionRequest,
  copyConfirmation,
  disconnectRequest,
  noticeChange,
  noticeState,
} from '#contract/settings/settings.ts'
import { describeSettings, saveSettings } from './settings.ts'
import { readNotice, removeNotice, saveNotice } from './guarantee-notice.ts'
import type { SettingsShop } from './shop.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { connect, disconnect, confirmCopy, readConnection, moveWebhook } from './payment-setup.ts'

export type SettingsApi = ReturnType<typeof settingsApi>

const one = z.object({ group: settingGroupName })

export function settingsApi(services: SettingsShop) {
  return createApi()
    .openapi(
      route('get', '/settings/{group}', {
        params: one,
        returns: ok(settingsGroup, 'The group as it is now'),
      }),
      async (c) => c.json(await describeSettings(services, c.req.valid('param').group), 200),
    )
    .openapi(
      route('put', '/settings/{group}', {
        params: one,
        ...body(settingsChange),
        returns: ok(settingsGroup, 'The group as it is now'),
      }),
      async (c) => {
        const { group } = c.req.valid('param')
        const { current_password, ...wanted } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await saveSettings(services, actorOf(c, services), group, wanted)
        return c.json(await describeSettings(services, group), 200)
      },
    )
    .openapi(
      route('get', '/settings/shipping/notice', {
        returns: ok(noticeState, 'The notice on the legal guarantee, in the language of the page'),
      }),
      async (c) => c.json(await readNotice(services), 200),
    )
    .openapi(
      route('put', '/settings/shipping/notice', {
        ...body(noticeChange),
        returns: ok(noticeState, 'The notice as it is now'),
      }),
      async (c) => {
        await saveNotice(services, actorOf(c, services), c.req.valid('json'))
        return c.json(await readNotice(services), 200)
      },
    )
    .openapi(
      route('delete', '/settings/shipping/notice', {
        ...body(noticeChange.pick({ language: true })),
        returns: ok(noticeState, 'The notice as it is now'),
      }),
      async (c) => {
        await removeNotice(services, actorOf(c, services), c.req.valid('json').language)
        return c.json(await readNotice(services), 200)
      },
    )
}

// The connection to Stripe, for admins.

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
