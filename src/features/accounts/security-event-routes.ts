// What happened to accounts, for admins.
import { securityEventsPage, securityEventsRequest } from './contract/security-events.ts'
import type { Services } from '../../services.ts'
import { listSecurityEvents } from './security-events.ts'
import { createApi, ok, route } from '#platform/http/route.ts'

export type SecurityEventsApi = ReturnType<typeof securityEventsApi>

export function securityEventsApi({ db }: Pick<Services, 'db'>) {
  return createApi().openapi(
    route('get', '/security-events', {
      query: securityEventsRequest,
      returns: ok(securityEventsPage, 'A page of security events'),
    }),
    async (c) => c.json(await listSecurityEvents(db, c.req.valid('query')), 200),
  )
}
