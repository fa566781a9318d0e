// A scenario of `npm run torture`: one fault, again and again while people buy, and what is found afterwards.

/** Exported as `scenario` by each file in `scenarios/`; the name of the file is the scenario's name. */
export type Scenario = {
  /** What happens to the shop, as the table says it. */
  fault: string
  /** Unless the command line says otherwise. */
  rounds: number
  buyers: number
  /** What has to be installed; empty where all is. The scenario is left out without it. */
  needs?: string
  run(options: ScenarioOptions): Promise<Findings>
}

export type ScenarioOptions = { dataDir: string; buyers: number; rounds: number; seed: number }

export type Findings = {
  /** Purchases that buyers were told of, how many of them are gone, and how many were made more than once. */
  acknowledged: number
  lost: number
  doubled: number
  /** Of each round, milliseconds until it sold again; empty where it never stopped. */
  recoveries: readonly number[]
  figures: Record<string, number>
  /** All must be 0. */
  violations: Record<string, number>
}

/** Of how often each status came, 0 for a connection that broke; those that are not `good` are violations. */
export function auditStatuses(
  statuses: Iterable<[status: number, count: number]>,
  good: readonly number[],
  wrongName = 'responses that neither sell nor ask to retry',
): Pick<Findings, 'figures' | 'violations'> {
  const figures: Record<string, number> = {}
  let wrong = 0
  for (const [status, count] of [...statuses].toSorted(([a], [b]) => a - b)) {
    const name = status === 0 ? 'connections that broke' : `responses with status ${status}`
    figures[name] = (figures[name] ?? 0) + count
    if (!good.includes(status)) wrong += count
  }
  return { figures, violations: { [wrongName]: wrong } }
}

export const isGood = ({ lost, doubled, violations }: Findings) =>
  [lost, doubled, ...Object.values(violations)].every((count) => count === 0)
