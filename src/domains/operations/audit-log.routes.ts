import { auditLog, auditRequest } from '#contract/operations/audit.ts'
import { listAuditEvents } from './audit-log.ts'
import { createApi, ok, route } from '#platform/http/route.ts'
import type { OperationsShop } from './shop.ts'

export type AuditApi = ReturnType<typeof auditApi>

export function auditApi({ db }: OperationsShop) {
  return createApi().openapi(
    route('get', '/audit', { query: auditRequest, returns: ok(auditLog, 'A page of the log') }),
    async (c) => c.json(await listAuditEvents(db, c.req.valid('query')), 200),
  )
}
