// What /metrics asks the database.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { readBackupStates } from '../backup/backup-states.ts'
import { countNeedsByKind } from '../payments/needs-attention.ts'
import { queryAll } from '#platform/db/query.ts'
import { readQueueFigures } from '#platform/queue-figures.ts'
import type { FaultNeeds } from '../payments/faults.ts'

type Needs = FaultNeeds

export type Sample = { name: GaugeName; labels: Record<string, string>; value: number }

/** Help and labels of each gauge that a query fills. */
export const gauges = {
  lectern_queue_jobs: { help: 'Jobs by queue and state.', labelNames: ['queue', 'state'] },
  lectern_queue_oldest_seconds: {
    help: 'Seconds since the oldest waiting job of the queue was enqueued.',
    labelNames: ['queue'],
  },
  lectern_queue_overdue_seconds: {
    help: 'Seconds that the longest due job of the queue has waited for a worker.',
    labelNames: ['queue'],
  },
  lectern_purchases: { help: 'Purchases by the state of their payment.', labelNames: ['status'] },
  lectern_needs_attention: {
    help: 'Entries under Needs attention by kind, counted up to 100.',
    labelNames: ['kind'],
  },
  lectern_backup_age_seconds: {
    help: 'Seconds since the newest good backup in the place, or since the shop knows the place.',
    labelNames: ['place'],
  },
  lectern_rehearsal_age_seconds: {
    help: 'Seconds since the last good rehearsal of the place, or since the shop knows the place.',
    labelNames: ['place'],
  },
} as const

type GaugeName = keyof typeof gauges

/** Each by itself: one that fails or takes too long leaves the others. */
export const parts: Record<string, (needs: Needs) => Promise<Sample[]>> = {
  queues: async ({ db }) => (await readQueueFigures(db)).flatMap(queueSamples),
  purchases: readPurchases,
  needs_attention: async (needs) =>
    Object.entries(await countNeedsByKind(needs)).map(([kind, value]) => ({
      name: 'lectern_needs_attention',
      labels: { kind },
      value,
    })),
  backups: async ({ db }) =>
    (await readBackupStates(db)).map(({ kind, place, age_seconds }) => ({
      name: `lectern_${kind}_age_seconds` as const,
      labels: { place },
      value: age_seconds,
    })),
}

function queueSamples(figures: Awaited<ReturnType<typeof readQueueFigures>>[number]): Sample[] {
  const { queue, oldest, overdue, waiting, later, active, failed } = figures
  return [
    ...Object.entries({ waiting, later, active, failed }).map(([state, value]): Sample => ({
      name: 'lectern_queue_jobs',
      labels: { queue, state },
      value,
    })),
    { name: 'lectern_queue_oldest_seconds', labels: { queue }, value: oldest },
    { name: 'lectern_queue_overdue_seconds', labels: { queue }, value: overdue },
  ]
}

/** By the sums, and an index that holds no completed purchase: the table itself is too large to count. */
async function readPurchases({ db }: Needs): Promise<Sample[]> {
  const counts = await queryAll(
    db,
    z.object({ status: z.string(), count: z.number() }),
    sql`
      with unusual as (select status, count(*) from purchases where status <> 'completed' group by status)
      select status, count from unusual
      union all select 'completed', coalesce((select sum(completed) from sales_day), 0)
        - coalesce((select count from unusual where status = 'partially_refunded'), 0)`,
  )
  return counts.map(({ status, count }) => ({ name: 'lectern_purchases', labels: { status }, value: count }))
}
