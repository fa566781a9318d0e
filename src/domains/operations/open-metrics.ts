import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { openDatabase } from '#platform/db/client.ts'
import type { EndedRequest } from '#platform/http/observe-requests.ts'
import { PermanentFailure } from '#platform/job.ts'
import { SlowAnswer } from '#platform/mail.ts'
import type { Mail } from '#platform/mail.ts'
import type { FaultNeeds } from '#domains/payments/faults.ts'
import type { Services } from '#platform/services.ts'
import { createShopGauges } from './shop-gauges.ts'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

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

type Needs = Pick<Services, 'database'> &
  Pick<FaultNeeds, 'settings'> & {
    token: string
    folders: Record<string, string>
  }

export function openMetrics({ settings, database, token, folders }: Needs): Metrics {
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
