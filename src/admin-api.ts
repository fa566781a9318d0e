// Everything under /api/admin: one guard before all of it, so that no route can forget it.
import type { Services } from './services.ts'
import { auditApi } from '#features/audit/routes.ts'
import { exportsApi } from '#features/reports/export-routes.ts'
import { firstStepsApi } from '#features/setup/routes.ts'
import { messagesApi } from '#features/messages/routes.ts'
import { needsYouApi } from '#features/payments/attention-routes.ts'
import { createApi } from '#platform/http/route.ts'
import { salesApi } from '#features/reports/routes.ts'
import { securityEventsApi } from '#features/accounts/security-event-routes.ts'
import { shelfApi } from '#features/products/admin-routes.ts'
import { shipmentsApi } from '#features/shipping/admin-routes.ts'
import { soldApi } from '#features/purchases/order-routes.ts'
import { usersApi } from '#features/users/routes.ts'

export function deskApi(services: Services) {
  const { requireUser, requireAdmin } = services.auth
  const api = createApi()
  api.use('*', requireUser, requireAdmin)
  api.route('/', salesApi(services))
  api.route('/', exportsApi(services))
  api.route('/', firstStepsApi(services))
  api.route('/', usersApi(services))
  api.route('/', shelfApi(services))
  api.route('/', soldApi(services))
  api.route('/', shipmentsApi(services))
  api.route('/', messagesApi(services))
  api.route('/', needsYouApi(services))
  api.route('/', auditApi(services))
  api.route('/', securityEventsApi(services))
  return api
}
