// Collects the metrics of the process and of the shop for Prometheus.
import { Gauge, Registry, Counter, Histogram, collectDefaultMetrics } from 'prom-client'
import type { FaultNeeds } from '#domains/payments/faults.ts'
import type { Services } from '#platform/services.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { readBackupStates } from '#domains/backup/backup-states.ts'
import { countAttentionItemsByKind } from '#domains/overview/attention.ts'
import { queryAll } from '#platform/db/query.ts'
import { daySum } from '#domains/orders/day-sums.ts'
import { readQueueFigures, PermanentFailure } from '#platform/queue.ts'
import { openDatabase } from '#platform/db/client.ts'
import type { EndedRequest } from '#platform/http/server.ts'
import { SlowAnswer, type Mail } from '#platform/mail.ts'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** More frequent scrapes get the last figures. */
const cachedMs = 10_000

function createShopGauges(dependencies: FaultNeeds, registry: Registry) {
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
    const isUp = await isReached(dependencies)
    up.set(Number(isUp))
    const samples: Sample[] = []
    for (const [part, read] of Object.entries(parts)) {
      const result = isUp ? await read(dependencies).catch(() => undefined) : undefined
      failed.set({ part }, Number(result === undefined))
      samples.push(...(result ?? []))
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

type GaugeShop = FaultNeeds

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
    help: 'Entries under Dependencies attention by kind, counted up to 100.',
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

const parts: Record<string, (dependencies: GaugeShop) => Promise<Sample[]>> = {
  queues: async ({ db }) => (await readQueueFigures(db)).flatMap(queueSamples),
  purchases: readPurchases,
  needs_attention: async (dependencies) =>
    Object.entries(await countAttentionItemsByKind(dependencies)).map(([kind, value]) => ({
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
async function readPurchases({ db }: GaugeShop): Promise<Sample[]> {
  const counts = await queryAll(
    db,
    z.object({ status: z.string(), count: z.number() }),
    sql`
      with unusual as (select status, count(*) from purchases where status <> 'completed' group by status)
      select status, count from unusual
      union all select 'completed', (select ${daySum('completed')} from sales_day s)
        - coalesce((select count from unusual where status = 'partially_refunded'), 0)`,
  )
  return counts.map(({ status, count }) => ({ name: 'lectern_purchases', labels: { status }, value: count }))
}

export type Metrics = AsyncDisposable & {
  token: string
  contentType: string
  observeRequest: (request: EndedRequest) => void
  countMails: (mail: Mail) => Mail
  write: () => Promise<string>
}

const bounds = { max: 1, connectMs: 1_500, statementMs: 1_500 }

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

type Dependencies = Pick<Services, 'database'> &
  Pick<FaultNeeds, 'settings'> & {
    token: string
    folders: Record<string, string>
  }

export function openMetrics({ settings, database, token, folders }: Dependencies): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  observePool(database, registry)
  observeDisks(folders, registry)
  const scrapes = openDatabase(database.url, bounds)
  const shopGauges = createShopGauges({ settings, db: scrapes.db }, registry)
  return {
    token,
    contentType: registry.contentType,
    observeRequest: createRequestObserver(registry),
    countMails: createMailCounter(registry),
    async write() {
      await shopGauges.refresh()
      return registry.metrics()
    },
    [Symbol.asyncDispose]: () => scrapes.close(),
  }
}

function createRequestObserver(registry: Registry): Metrics['observeRequest'] {
  const requests = new Histogram({
    name: 'lectern_http_request_duration_seconds',
    help: 'Requests by method, route and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  })
  return ({ method, route, status, seconds }) => {
    const known = knownMethods.has(method) ? method : 'other'
    requests.observe({ method: known, route, status: `${Math.floor(status / 100)}xx` }, seconds)
  }
}

function createMailCounter(registry: Registry): Metrics['countMails'] {
  const mails = new Counter({
    name: 'lectern_mails_total',
    help: 'Attempts of this process to send an email, by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  for (const result of ['sent', 'failed', 'refused']) mails.inc({ result }, 0)
  return (mail) => ({
    ...mail,
    async send(email, id) {
      try {
        const answer = await mail.send(email, id)
        mails.inc({ result: 'sent' })
        return answer
      } catch (error) {
        if (error instanceof SlowAnswer) {
          const count = (result: string) => () => mails.inc({ result })
          error.outcome.then(count('sent'), count('failed'))
          throw error
        }
        mails.inc({ result: error instanceof PermanentFailure ? 'refused' : 'failed' })
        throw error
      }
    },
  })
}

function observePool({ pool }: Services['database'], registry: Registry): void {
  const gauge = new Gauge({
    name: 'lectern_database_connections',
    help: "Connections of the shop's pool: open, open and idle; and requests that wait for one.",
    labelNames: ['state'],
    registers: [registry],
    collect() {
      gauge.set({ state: 'open' }, pool.totalCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
      gauge.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}

/** A network disk that does not respond delays no scrape; its figure is missing. */
const timeoutMs = 1_500

async function readFree(folder: string): Promise<number | undefined> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function observeDisks(folders: Record<string, string>, registry: Registry): void {
  const gauge = new Gauge({
    name: 'lectern_disk_free_bytes',
    help: 'Bytes that are free on the disk of a folder.',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      gauge.reset()
      for (const [folder, path] of Object.entries(folders)) {
        const late = sleep(timeoutMs, undefined, { ref: false })
        const free = await Promise.race([readFree(path).catch(() => undefined), late])
        if (free !== undefined) gauge.set({ folder }, free)
      }
    },
  })
}
