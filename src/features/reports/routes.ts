// The admin area's figures: totals and the latest purchases, and the course of sales.
import { chartRequest, sales, salesChart } from './contract/sales.ts'
import type { Services } from '../../services.ts'
import { readChart, readSales } from './sales.ts'
import { createApi, ok, route } from '#platform/http/route.ts'

export type SalesApi = ReturnType<typeof salesApi>

export function salesApi(services: Services) {
  return createApi()
    .openapi(route('get', '/sales', { returns: ok(sales, 'Totals, and the latest purchases') }), async (c) =>
      c.json(await readSales(services.db), 200),
    )
    .openapi(
      route('get', '/sales/chart', {
        query: chartRequest,
        returns: ok(salesChart, 'Sales by day, week or month'),
      }),
      async (c) => c.json(await readChart(services, c.req.valid('query')), 200),
    )
}
