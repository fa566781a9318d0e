// What the shops' own GET /metrics says.
import { get } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export const metricsToken = 'a token of the torture, which is long enough'

export type Metrics = {
  /** The sum over all series of this name whose labels contain those given. */
  sum(name: string, labels?: Record<string, string>): number
}

export async function readMetrics(url: string): Promise<Metrics> {
  const text = await askOnce(`${url}/metrics`)
  const series = [...text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)]
  return {
    sum(name, labels = {}) {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
      const found = series.filter(
        ([, own, with_ = '']) => own === name && wanted.every((label) => with_.includes(label)),
      )
      return found.reduce((sum, [, , , value]) => sum + Number(value), 0)
    },
  }
}

/** On a connection of its own: one that is used again may be closed by the shop at that moment. */
function askOnce(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    get(url, { agent: false, headers }, (response) => {
      if (response.statusCode === 200) resolve(readText(response))
      else reject(new Error(`GET /metrics responds with ${response.statusCode}.`))
    }).on('error', reject)
  })
}

export type PoolUse = { maxBusy: number; maxQueued: number; worstLagMs: number }

/** Looks at each shop once a second until it is finished. */
export function watchPools(urls: readonly string[]): { finish(): Promise<PoolUse> } {
  const use: PoolUse = { maxBusy: 0, maxQueued: 0, worstLagMs: 0 }
  async function look(): Promise<void> {
    for (const metrics of await Promise.all(urls.map(readMetrics))) {
      const connections = (state: string) => metrics.sum('lectern_database_connections', { state })
      use.maxBusy = Math.max(use.maxBusy, connections('open') - connections('idle'))
      use.maxQueued = Math.max(use.maxQueued, connections('waiting'))
      use.worstLagMs = Math.max(use.worstLagMs, metrics.sum('nodejs_eventloop_lag_p99_seconds') * 1000)
    }
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => void (looking = looking.then(look)), 1_000)
  return {
    async finish() {
      clearInterval(timer)
      await looking
      return use
    },
  }
}
