import { Gauge, type Registry } from 'prom-client'
import type { FaultNeeds } from '#domains/payments/faults.ts'
import type { Services } from '#platform/services.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { readBackupStates } from './backup-runs.ts'
import { countNeedsByKind } from '#domains/payments/needs-attention.ts'
import { queryAll } from '#platform/db/query.ts'
import { readQueueFigures } from '#platform/queue-tables.ts'

/** More frequent scrapes get the last figures. */
const cachedMs = 10_000

export function createShopGauges(needs: FaultNeeds, registry: Registry) {
  const registers = [registry]
  const up = new Gauge({
    name: 'lectern_database_up',
    help: '1 where the database responds within 1.5 s.',
    registers,
  })
  const failed = new Gauge({
    name: 'lectern_scrape_failed',
    help: '1 for a part of these figures that could not be asked.',
    labelNames: ['part'],
    registers,
  })
  const filled = new Map(
    Object.entries(gauges).map(([name, { help, labelNames }]) => [
      name,
      new Gauge({ name, help, labelNames: [...labelNames], registers }),
    ]),
  )
  let refreshing: Promise<void> | undefined
  let refreshedAt = -Infinity

  async function refresh(): Promise<void> {
    const isUp = await isReached(needs)
    up.set(Number(isUp))
    const samples: Sample[] = []
    for (const [part, read] of Object.entries(parts)) {
      const found = isUp ? await read(needs).catch(() => undefined) : undefined
      failed.set({ part }, Number(found === undefined))
      samples.push(...(found ?? []))
    }
    for (const gauge of filled.values()) gauge.reset()
    for (const { name, labels, value } of samples) filled.get(name)?.set(labels, value)
    refreshedAt = performance.now()
  }

  return {
    refresh(): Promise<void> {
      if (performance.now() - refreshedAt < cachedMs) return Promise.resolve()
      return (refreshing ??= refresh().finally(() => (refreshing = undefined)))
    },
  }
}

async function isReached({ db }: Pick<Services, 'db'>): Promise<boolean> {
  return db.execute('select 1').then(
    () => true,
    () => false,
  )
}

type Needs = FaultNeeds

type Sample = { name: GaugeName; labels: Record<string, string>; value: number }

const gauges = {
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

const parts: Record<string, (needs: Needs) => Promise<Sample[]>> = {
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

/** The table is too large to count: the sums, and an index without completed purchases, are read. */
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
