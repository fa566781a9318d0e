// The job queue's tables without a queue, for jobs that come from another database.
import type { Client } from 'pg'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from './db/client.ts'
import { queryAll } from './db/query.ts'

/** For a database that does not have them. */
export async function createQueueTables(client: Client): Promise<void> {
  const { getConstructionPlans } = await import('pg-boss')
  await client.query(getConstructionPlans())
}

const queueFigures = z.object({
  queue: z.string(),
  /** Could be taken now. */
  waiting: z.number(),
  /** Have failed and wait for their next try. */
  later: z.number(),
  /** Of pg-boss's own counting, at most about a minute old. */
  active: z.number(),
  failed: z.number(),
  /** Seconds since the oldest of those that wait, for now or later, was enqueued; 0 where none is. */
  oldest: z.number(),
  /** Seconds that the one due longest has waited; 0 where none is due. */
  overdue: z.number(),
})

/** Reads jobs that wait, by their index, and no others. */
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
