// The admin area's figures: totals and the latest purchases, and the course of sales.
import { createRoute } from '@hono/zod-openapi'
import { chartRequest, sales, salesChart } from './contract/sales.ts'
import type { Services } from '../../services.ts'
import { readChart, readSales } from './sales.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'

export type SalesApi = ReturnType<typeof salesApi>

export function salesApi(services: Services) {
  const now = createRoute({
    method: 'get',
    path: '/sales',
    security: bearer,
    responses: { 200: json(sales, 'Totals, and the latest purchases'), ...refusal },
  })
  const chart = createRoute({
    method: 'get',
    path: '/sales/chart',
    security: bearer,
    request: { query: chartRequest },
    responses: { 200: json(salesChart, 'Sales by day, week or month'), ...refusal },
  })
  return createApi()
    .openapi(now, async (c) => c.json(await readSales(services.db), 200))
    .openapi(chart, async (c) => c.json(await readChart(services, c.req.valid('query')), 200))
}
