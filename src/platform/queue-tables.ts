import type { Client } from 'pg'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from './db/client.ts'
import { queryAll } from './db/query.ts'

export async function createQueueTables(client: Client): Promise<void> {
  const { getConstructionPlans } = await import('pg-boss')
  await client.query(getConstructionPlans())
}

const queueFigures = z.object({
  queue: z.string(),
  waiting: z.number(),
  later: z.number(),
  /** By pg-boss's statistics, at most about a minute old. */
  active: z.number(),
  failed: z.number(),
  oldest: z.number(),
  overdue: z.number(),
})

export async function readQueueFigures(db: Db) {
  return queryAll(
    db,
    queueFigures,
    sql`
      select q.name as queue, q.active_count as active, q.failed_count as failed,
        coalesce(w.waiting, 0) as waiting, coalesce(w.later, 0) as later,
        coalesce(w.oldest, 0)::float8 as oldest, coalesce(w.overdue, 0)::float8 as overdue
      from pgboss.queue q left join (
        select name, count(*) filter (where start_after <= now()) as waiting,
          count(*) filter (where start_after > now()) as later,
          extract(epoch from now() - min(created_on)) as oldest,
          extract(epoch from now() - min(start_after) filter (where start_after <= now())) as overdue
        from pgboss.job where state < 'active' and not blocked group by name) w on w.name = q.name
      where left(q.name, 2) <> '__'
      order by q.name`,
  )
}
