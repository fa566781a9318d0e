// What happened to accounts, for admins.
import { createRoute } from '@hono/zod-openapi'
import { securityEventsPage, securityEventsRequest } from './contract/security-events.ts'
import type { Services } from '../../services.ts'
import { listSecurityEvents } from './security-events.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'

export type SecurityEventsApi = ReturnType<typeof securityEventsApi>

export function securityEventsApi({ db }: Pick<Services, 'db'>) {
  const list = createRoute({
    method: 'get',
    path: '/security-events',
    security: bearer,
    request: { query: securityEventsRequest },
    responses: { 200: json(securityEventsPage, 'A page of security events'), ...refusal },
  })
  return createApi().openapi(list, async (c) =>
    c.json(await listSecurityEvents(db, c.req.valid('query')), 200),
  )
}
