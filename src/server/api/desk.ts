// Everything under /api/admin: one guard before all of it, so that no route can forget it.
import type { Services } from '../services.ts'
import { auditApi } from './audit.ts'
import { exportsApi } from './exports.ts'
import { firstStepsApi } from './first-steps.ts'
import { messagesApi } from './messages.ts'
import { needsYouApi } from './needs-you.ts'
import { createApi } from './route.ts'
import { salesApi } from './sales.ts'
import { securityEventsApi } from './security-events.ts'
import { shelfApi } from './shelf.ts'
import { shipmentsApi } from './shipments.ts'
import { soldApi } from './sold.ts'
import { usersApi } from './users.ts'

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
