// How long requests took, by kind, and with which status they ended.

export type Timings = {
  /** Resolves with the response, its body read; undefined where the connection broke. */
  time(kind: string, url: string, init?: RequestInit): Promise<{ ok: boolean; body: string } | undefined>
  count(kind: string): number
  /** In milliseconds. */
  percentile(kind: string, share: number): number
  statuses: Map<number, number>
}

export function createTimings(): Timings {
  const byKind = new Map<string, number[]>()
  const statuses = new Map<number, number>()
  return {
    statuses,
    async time(kind, url, init) {
      const since = performance.now()
      const found = await ask(url, init).catch(() => undefined)
      const times = byKind.get(kind) ?? []
      byKind.set(kind, times)
      times.push(performance.now() - since)
      const status = found?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      return found
    },
    count: (kind) => byKind.get(kind)?.length ?? 0,
    percentile(kind, share) {
      const sorted = (byKind.get(kind) ?? []).toSorted((a, b) => a - b)
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    },
  }
}

async function ask(url: string, init?: RequestInit) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
  return { ok: response.ok, status: response.status, body: await response.text() }
}
