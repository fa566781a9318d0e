// The scenarios that there are: the files in `scenarios/`.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from './scenario.ts'

const folder = join(import.meta.dirname, 'scenarios')

export const scenarioNames = (): string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted()

/** By their names; all of them unless some are named. */
export async function listScenarios(only?: readonly string[]): Promise<Map<string, Scenario>> {
  const scenarios = new Map<string, Scenario>()
  for (const name of only ?? scenarioNames()) {
    const { scenario } = (await import(join(folder, `${name}.ts`))) as { scenario: Scenario }
    scenarios.set(name, scenario)
  }
  return scenarios
}
