// The scenarios that there are: the files in `scenarios/`.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from './scenario.ts'

const folder = join(import.meta.dirname, 'scenarios')

/** By their names; all of them unless some are named. Ends the process where one does not exist. */
export async function listScenarios(only?: readonly string[]): Promise<Map<string, Scenario>> {
  const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''))
  const unknown = only?.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    console.error(`There is no scenario ${unknown}. There are: ${names.join(', ')}`)
    process.exit(1)
  }
  const scenarios = new Map<string, Scenario>()
  for (const name of only ?? names) {
    const { scenario } = (await import(join(folder, `${name}.ts`))) as { scenario: Scenario }
    scenarios.set(name, scenario)
  }
  return scenarios
}
