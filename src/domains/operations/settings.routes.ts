import { z } from '@hono/zod-openapi'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import { settingGroupName, settingsChange, settingsGroup } from '#contract/operations/settings.ts'
import { describeSettings, saveSettings } from './settings.ts'
import type { OperationsShop } from './shop.ts'

export type SettingsApi = ReturnType<typeof settingsApi>

const one = z.object({ group: settingGroupName })

export function settingsApi(services: OperationsShop) {
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
}
