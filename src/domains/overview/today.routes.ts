// The routes of the first screen of the admin area, and of the counts in its navigation.
import { createApi, ok, route } from '#platform/http/route.ts'
import { counts, today } from '#contract/overview/today.ts'
import { readCounts, readToday } from './today.ts'
import type { BackupShop } from '#domains/backup/shop.ts'

export type TodayApi = ReturnType<typeof todayApi>

export function todayApi(services: BackupShop) {
  return createApi()
    .openapi(
      route('get', '/counts', { returns: ok(counts, 'How much waits behind the navigation') }),
      async (c) => c.json(await readCounts(services), 200),
    )
    .openapi(
      route('get', '/today', { returns: ok(today, 'Today’s sales, and what is unusual') }),
      async (c) => c.json(await readToday(services), 200),
    )
}
