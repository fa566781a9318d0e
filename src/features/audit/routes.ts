// Who did what in the admin area.
import { createRoute } from '@hono/zod-openapi'
import { auditLog, auditRequest } from './contract/audit.ts'
import type { Services } from '../../services.ts'
import { listAuditEvents } from './audit-log.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'

export type AuditApi = ReturnType<typeof auditApi>

export function auditApi({ db }: Pick<Services, 'db'>) {
  const list = createRoute({
    method: 'get',
    path: '/audit',
    security: bearer,
    request: { query: auditRequest },
    responses: { 200: json(auditLog, 'A page of the log'), ...refusal },
  })
  return createApi().openapi(list, async (c) => c.json(await listAuditEvents(db, c.req.valid('query')), 200))
}
