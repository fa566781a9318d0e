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

/** Of every status of a response; those that neither sell nor ask to retry are violations. */
export function auditStatuses(statuses: Map<number, number>, patient: readonly number[]): Findings {
  const inOrder = [...statuses].toSorted(([a], [b]) => a - b)
  const name = (status: number) =>
    status === 0 ? 'connections that broke' : `responses with status ${status}`
  const wrong = inOrder.filter(([status]) => !patient.includes(status))
  return {
    figures: Object.fromEntries(inOrder.map(([status, count]) => [name(status), count])),
    violations: {
      'responses that neither sell nor ask to retry': wrong.reduce((sum, [, count]) => sum + count, 0),
    },
  }
}
