// Gauges that queries fill when the metrics are fetched.
import { Gauge, type Registry } from 'prom-client'
import type { FaultNeeds } from '../payments/faults.ts'
import type { Services } from '../../services.ts'
import { gauges, parts, type Sample } from './shop-figures.ts'

/** A scraper that comes more often gets the figures of the last time. */
const cachedMs = 10_000

/** What could not be asked is left out, and said so by `lectern_scrape_failed`. */
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
    /** Concurrent callers share one. */
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
