// The routes of reports and exports, and of the audit log.
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { create as contentDisposition } from 'content-disposition'
import { Hono } from 'hono'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import { sendStream } from '#platform/http/sent-file.ts'
import { exportLink, exportRequest } from '#contract/reports/exports.ts'
import { reportRequest, sales, salesChart, salesReport } from '#contract/reports/sales.ts'
import { openExport, requestExport } from './exports.ts'
import { readSalesReport, readChart, readSales } from './sales.ts'
import type { BackupShop } from '#domains/backup/shop.ts'
import { auditLog, auditRequest } from '#contract/overview/audit.ts'
import { listAuditEvents } from '#domains/overview/audit-log.ts'

export type ReportsApi = ReturnType<typeof reportsApi>

export function reportsApi(services: BackupShop) {
  const { db, auth } = services
  const now = ok(sales, 'Totals, and the latest purchases')
  const chart = ok(salesChart, 'Sales of the last 30 days, and of those before')
  const report = ok(salesReport, 'Sales by day, week or month, by format, country and code')
  const middleware = auth.requireRecentSignIn
  const link = ok(exportLink, 'Where the file is')
  return createApi()
    .openapi(route('get', '/sales', { returns: now }), async (c) => c.json(await readSales(db), 200))
    .openapi(route('get', '/sales/chart', { returns: chart }), async (c) =>
      c.json(await readChart(services), 200),
    )
    .openapi(route('get', '/sales/report', { query: reportRequest, returns: report }), async (c) =>
      c.json(await readSalesReport(services, c.req.valid('query')), 200),
    )
    .openapi(route('post', '/exports', { ...body(exportRequest), middleware, returns: link }), async (c) => {
      const request = c.req.valid('json')
      if (request.list !== 'sales') await auth.requireRecentProof(c)
      const { id: user_id, session_id } = c.var.user
      const by = { actor: actorOf(c, services), holder: { user_id, session_id } }
      return c.json(await requestExport(services, by, request), 200)
    })
}

/** The link itself is the permission, as long as the session and the role of the admin who asked for it last. */
export function exportFilesApi(services: BackupShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/exports/:token', async (c) => {
    const { file_name, lines } = await openExport(services, c.req.param('token'))
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition(file_name),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const content = Readable.from(lines)
    return sendStream(c, services.log, { status: 200, headers, content, name: 'an export' })
  })
}

export type AuditApi = ReturnType<typeof auditApi>

export function auditApi({ db }: BackupShop) {
  return createApi().openapi(
    route('get', '/audit', { query: auditRequest, returns: ok(auditLog, 'A page of the log') }),
    async (c) => c.json(await listAuditEvents(db, c.req.valid('query')), 200),
  )
}
