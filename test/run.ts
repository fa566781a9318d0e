// `npm test`: the check, then the unit and API tests, then the journeys in a browser. Ends with one line that counts.
// `npm run test:all` (--all) also runs what starts processes; --rest runs only that.
// Tests that failed at first are tried again where CI is set; those that pass then are flaky, and counted apart.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAssets } from '#tools/assets.ts'
import { run } from '../tools/run.ts'
import { startTestCluster } from './cluster.ts'
import { clearEnvironment } from './environment.ts'
import { readJourneyReport, readUnitReport, type Outcome } from './reports.ts'

clearEnvironment()

const options = process.argv.slice(2)
const isRest = options.includes('--rest')
/** Of Vitest's and Playwright's configuration. */
const projects = [...(isRest ? [] : ['commit']), ...(isRest || options.includes('--all') ? ['rest'] : [])]

// Named files are run alone, without the check: `npm test -- src/domains/orders e2e/users.test.ts`.
const files = options.filter((option) => !option.startsWith('--'))
if (files.length > 0) process.exit(await runFiles(files))

const slowestCount = 20
const reports = mkdtempSync(join(tmpdir(), 'lectern-test-'))
const unitReport = join(reports, 'unit.json')
const journeyReport = join(reports, 'journeys.json')

// Both need them; made once.
await makeAssets()
// The build comes before the tests: two of them that found it out of date would both make it, in one folder.
const [check, build, stopCluster] = await Promise.all([
  isRest ? 0 : run('node', ['tools/check.ts'], { isPrintedAtEnd: true }),
  run('node', ['tools/build.ts', '--if-due']),
  startTestCluster(),
])
if (build !== 0) {
  await stopCluster()
  process.exit(1)
}
const inProjects = projects.map((name) => `--project=${name}`)
const unit = await run('vitest', [
  'run',
  ...inProjects,
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${unitReport}`,
])
const journeys = await run('playwright', ['test', ...inProjects], { env: { JOURNEYS_REPORT: journeyReport } })
await stopCluster()

const outcomes: Outcome[] = [
  ...(isRest
    ? []
    : [{ name: 'npm run check', status: check === 0 ? 'passed' : 'failed', seconds: 0 } as const]),
  ...readUnitReport(unitReport),
  ...readJourneyReport(journeyReport),
]
rmSync(reports, { recursive: true })

const withStatus = (status: Outcome['status']) => outcomes.filter((each) => each.status === status)
const [passed, flaky, failed] = [withStatus('passed'), withStatus('flaky'), withStatus('failed')]

print('Slowest', outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestCount))
print('Flaky: passed when tried again', flaky)
print('Failed', failed)

const isBroken = [check, unit, journeys].some((code) => code !== 0)
// A runner that broke before it could count is a failure too.
const failures = isBroken ? Math.max(failed.length, 1) : failed.length
const ofFlaky = flaky.length > 0 ? `, ${flaky.length} flaky` : ''
console.log(`\n${passed.length} passed, ${failures} failed${ofFlaky}`)
process.exit(isBroken ? 1 : 0)

async function runFiles(named: string[]): Promise<number> {
  const isJourney = (file: string) => /(^|\/)e2e\//.test(file)
  const [journeyFiles, unitFiles] = [named.filter(isJourney), named.filter((file) => !isJourney(file))]
  await makeAssets()
  const codes = [
    unitFiles.length > 0 && (await run('vitest', ['run', ...unitFiles])),
    journeyFiles.length > 0 && (await run('playwright', ['test', ...journeyFiles])),
  ]
  return codes.some((code) => code !== false && code !== 0) ? 1 : 0
}

function print(title: string, found: readonly Outcome[]): void {
  if (found.length === 0) return
  console.log(`\n${title}`)
  for (const { name, seconds } of found) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
}
