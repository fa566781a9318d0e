// The route of the list of security events, for admins.
import { createApi, ok, route } from '#platform/http/route.ts'
import { securityEventsPage, securityEventsRequest } from '#contract/accounts/users.ts'
import type { MailShop } from '#domains/mail/shop.ts'
import { listSecurityEvents } from './security-events.ts'

export type SecurityEventsApi = ReturnType<typeof securityEventsApi>

export function securityEventsApi({ db }: MailShop) {
  return createApi().openapi(
    route('get', '/security-events', {
      query: securityEventsRequest,
      returns: ok(securityEventsPage, 'A page of security events'),
    }),
    async (c) => c.json(await listSecurityEvents(db, c.req.valid('query')), 200),
  )
}
