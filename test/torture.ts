// `npm run torture`: faults, again and again, while people buy. Nothing that was acknowledged may be lost or doubled, every
// purchase gets its receipt, and the admin area's sums are right to the cent. Each file in torture/scenarios is one fault.
// `--help` lists the options and the scenarios.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failureReason } from '#platform/errors.ts'
import { ensureBuilt } from '#tools/build.ts'
import { clearEnvironment } from './environment.ts'
import { endChildrenOnSignals } from './start-process.ts'
import { printFindings, printTable, type Result } from './torture/print.ts'
import { isGood, type Scenario } from './torture/scenario.ts'
import { listScenarios, scenarioNames } from './torture/list-scenarios.ts'
import { describeOptions, readOptions, type Options } from './torture/read-options.ts'

clearEnvironment()
endChildrenOnSignals()
const options = optionsOrExit()
const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
const scenarios = await listScenarios(options.only)
ensureBuilt()
const results: Result[] = []
for (const [name, scenario] of scenarios) results.push(await runScenario(name, scenario))
printTable(results)
process.exit(results.every(({ findings }) => findings && isGood(findings)) ? 0 : 1)

function optionsOrExit(): Options {
  try {
    const read = readOptions(process.argv.slice(2), scenarioNames())
    if (read.help) {
      console.log(describeOptions(scenarioNames()))
      process.exit(0)
    }
    return read
  } catch (error) {
    console.error(failureReason(error))
    return process.exit(1)
  }
}

async function runScenario(name: string, scenario: Scenario): Promise<Result> {
  const { rounds = scenario.rounds, buyers = scenario.buyers } = options
  if (scenario.needs) {
    console.log(`\n${name} is left out. It needs ${scenario.needs}`)
    return { name, scenario, rounds: 0 }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-torture-'))
  console.log(`\n--only ${name} --rounds ${rounds} --buyers ${buyers} --seed ${seed} in ${dataDir}`)
  try {
    const findings = await scenario.run({ dataDir, buyers, rounds, seed })
    printFindings(findings)
    if (isGood(findings)) await rm(dataDir, { recursive: true })
    else console.log(`\nLeft for a look: ${dataDir}`)
    return { name, scenario, rounds, findings }
  } catch (error) {
    console.error(error, `\nLeft for a look: ${dataDir}`)
    return { name, scenario, rounds }
  }
}
