// The settings that can change while the shop runs, for the admin area:
//   GET /api/admin/settings/{group}  the values, what is known of the secrets, and what the environment sets
//   PUT /api/admin/settings/{group}  changes some fields; asks for a recent proof
import { createRoute, z } from '@hono/zod-openapi'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { settingGroupName, settingsChange, settingsGroup } from './contract/settings.ts'
import { describeSettings } from './describe-settings.ts'
import { saveSettings } from './save-settings.ts'

export type SettingsApi = ReturnType<typeof settingsApi>

const one = z.object({ group: settingGroupName })

export function settingsApi(services: Services & WithAuth) {
  const read = createRoute({
    method: 'get',
    path: '/settings/{group}',
    security: bearer,
    request: { params: one },
    responses: { 200: json(settingsGroup, 'The group as it is now'), ...refusal },
  })
  const change = createRoute({
    method: 'put',
    path: '/settings/{group}',
    security: bearer,
    request: { params: one, ...body(settingsChange) },
    responses: { 200: json(settingsGroup, 'The group as it is now'), ...refusal },
  })
  return createApi()
    .openapi(read, async (c) => c.json(await describeSettings(services, c.req.valid('param').group), 200))
    .openapi(change, async (c) => {
      const { group } = c.req.valid('param')
      const { current_password, ...wanted } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      await saveSettings(services, actorOf(c, services), group, wanted)
      return c.json(await describeSettings(services, group), 200)
    })
}
