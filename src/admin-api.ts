// Everything under /api/admin: one guard before all of it, so that no route can forget it.
import { clearProductFault } from '#features/payments/faults.ts'
import type { Shop } from './shop.ts'
import { auditApi } from '#features/audit/routes.ts'
import { exportsApi } from '#features/reports/export-routes.ts'
import { firstStepsApi } from '#features/setup/routes.ts'
import { messagesApi } from '#features/messages/routes.ts'
import { attentionApi } from '#features/payments/attention-routes.ts'
import { createApi } from '#platform/http/route.ts'
import { salesApi } from '#features/reports/routes.ts'
import { securityEventsApi } from '#features/accounts/security-event-routes.ts'
import { adminProductsApi } from '#features/products/admin-routes.ts'
import { shipmentsApi } from '#features/shipping/admin-routes.ts'
import { ordersApi } from '#features/orders/routes.ts'
import { usersApi } from '#features/users/routes.ts'

export function adminApi(shop: Shop) {
  const { requireUser, requireAdmin } = shop.auth
  const api = createApi()
  api.use('*', requireUser, requireAdmin)
  api.route('/', salesApi(shop))
  api.route('/', exportsApi(shop))
  api.route('/', firstStepsApi(shop))
  api.route('/', usersApi(shop))
  api.route('/', adminProductsApi(shop, clearProductFault))
  api.route('/', ordersApi(shop))
  api.route('/', shipmentsApi(shop))
  api.route('/', messagesApi(shop))
  api.route('/', attentionApi(shop))
  api.route('/', auditApi(shop))
  api.route('/', securityEventsApi(shop))
  return api
}
