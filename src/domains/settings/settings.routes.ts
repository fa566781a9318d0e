// The routes of settings, for the admin area.
import { z } from '@hono/zod-openapi'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import {
  settingGroupName,
  settingsChange,
  settingsGroup,
  noticeChange,
  noticeState,
} from '#contract/settings/settings.ts'
import { describeSettings, saveSettings } from './settings.ts'
import { trySeller } from './seller-trial.ts'
import { readNotice, removeNotice, saveNotice } from './guarantee-notice.ts'
import type { SettingsShop } from './shop.ts'

export type SettingsApi = ReturnType<typeof settingsApi>

const groupParam = z.object({ group: settingGroupName })

export function settingsApi(services: SettingsShop) {
  return createApi()
    .openapi(
      route('get', '/settings/{group}', {
        params: groupParam,
        returns: ok(settingsGroup, 'The group as it is now'),
      }),
      async (c) => c.json(await describeSettings(services, c.req.valid('param').group), 200),
    )
    .openapi(
      route('put', '/settings/{group}', {
        params: groupParam,
        ...body(settingsChange),
        returns: ok(settingsGroup, 'The group as it is now'),
      }),
      async (c) => {
        const { group } = c.req.valid('param')
        const { current_password, ...wanted } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await trySeller(services, group, wanted.values)
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
