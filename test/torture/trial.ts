// A trial: who comes to the shop while it is killed, and what is found afterwards.
import type { RunningShop } from '../running-shop.ts'

/** What there is to know, and what must all be 0. */
export type Findings = { figures: Record<string, number>; violations: Record<string, number> }

export type Trial = AsyncDisposable & {
  /** Settings of the shop. */
  env: Record<string, string>
  /** Resolves once everybody is there. */
  begin(shop: RunningShop): Promise<void>
  /** Everybody gets what they wait for; the shop is still running. */
  end(shop: RunningShop): Promise<void>
  /** The server must have stopped: its database is opened here. */
  audit(): Promise<Findings>
}

export type TrialOptions = { dataDir: string; buyers: number; rounds: number; seed: number }

/** Of how often each status came, 0 for a connection that broke; those that are not `good` are violations. */
export function auditStatuses(
  statuses: Iterable<[status: number, count: number]>,
  good: readonly number[],
  wrongName = 'responses that neither sell nor ask to retry',
): Findings {
  const figures: Record<string, number> = {}
  let wrong = 0
  for (const [status, count] of [...statuses].toSorted(([a], [b]) => a - b)) {
    const name = status === 0 ? 'connections that broke' : `responses with status ${status}`
    figures[name] = (figures[name] ?? 0) + count
    if (!good.includes(status)) wrong += count
  }
  return { figures, violations: { [wrongName]: wrong } }
}
