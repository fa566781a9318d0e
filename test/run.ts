// `npm test`: the check, then the unit and API tests, then the journeys in a browser, of what every commit passes. Ends
// with one line that counts. --rest runs only what that leaves out, `npm run test:all` (--all) both. --changed runs what
// uncommitted changes touch, --changed=<commit> also what was changed since that commit.
// Tests that failed at first are tried again where CI is set; those that pass then are flaky, and counted apart.
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAssets } from '#tools/assets.ts'
import { root, run } from '../tools/run.ts'
import { chooseJourneys, readChangedFiles, recordJourneys, type Chosen } from './changed-journeys.ts'
import { startTestCluster } from './cluster.ts'
import { clearEnvironment } from './environment.ts'
import { readJourneyReport, readUnitReport, type Outcome } from './reports.ts'

clearEnvironment()

const options = process.argv.slice(2)
const isRest = options.includes('--rest')
const changedOption = options.find((option) => /^--changed(=|$)/.test(option))
/** Of Vitest's and Playwright's configuration. */
const projects = [...(isRest ? [] : ['commit']), ...(isRest || options.includes('--all') ? ['rest'] : [])]

// Named files are run alone, without the check: `npm test -- src/domains/orders e2e/users.test.ts`.
const files = options.filter((option) => !option.startsWith('--'))
if (files.length > 0) process.exit(await runFiles(files))

const slowestCount = 20
/** Characters of an error that are printed again at the end, for who reads the end of a log alone. */
const errorLength = 2_000
const reports = mkdtempSync(join(tmpdir(), 'lectern-test-'))
const unitReport = join(reports, 'unit.json')
const journeyReport = join(reports, 'journeys.json')

const chosen = changedOption && chooseJourneys(readChangedFiles(changedOption.split('=')[1] ?? 'HEAD'))

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
  ...(changedOption ? [changedOption, '--passWithNoTests'] : []),
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${unitReport}`,
])
const journeys = await runJourneys()
await stopCluster()
const ofJourneys = readJourneyReport(journeyReport)
if (!chosen && journeys === 0) recordJourneys(ofJourneys)
const ofUnits = readUnitReport(unitReport)

const outcomes: Outcome[] = [
  ...(isRest
    ? []
    : [{ name: 'npm run check', status: check === 0 ? 'passed' : 'failed', seconds: 0, error: '' } as const]),
  ...ofUnits,
  ...ofJourneys,
]
rmSync(reports, { recursive: true })

const withStatus = (status: Outcome['status']) => outcomes.filter((each) => each.status === status)
const [passed, flaky, failed] = [withStatus('passed'), withStatus('flaky'), withStatus('failed')]

print('Slowest', outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestCount))
print('Flaky: passed when tried again', flaky)
print('Failed', failed)
for (const { name, error } of [...flaky, ...failed])
  if (error) console.log(`\n${name}\n${error.slice(0, errorLength)}`)
if (chosen) printLeftOut(chosen)

const isBroken = [check, unit, journeys].some((code) => code !== 0)
// A runner that broke before it could count is a failure too.
const failures = isBroken ? Math.max(failed.length, 1) : failed.length
const ofFlaky = flaky.length > 0 ? `, ${flaky.length} flaky` : ''
console.log(`\n${passed.length} passed, ${failures} failed${ofFlaky}`)
process.exit(isBroken ? 1 : 0)

async function runJourneys(): Promise<number> {
  const env = { JOURNEYS_REPORT: journeyReport }
  if (!chosen) return run('playwright', ['test', ...inProjects], { env })
  if (chosen.chosen.length === 0) return 0
  const files = new Set(chosen.chosen.map(({ file }) => `/${asPattern(file)}$`))
  const titles = chosen.chosen.map(({ title }) => asPattern(title))
  return run('playwright', ['test', ...files, '--grep', titles.join('|'), '--pass-with-no-tests'], { env })
}

/** What is no letter of English or digit stands for any character. */
function asPattern(text: string): string {
  return text.replaceAll(/[^\w ]/g, '.')
}

function printLeftOut({ left, untouched }: Chosen): void {
  const all = globSync('{src,packages,test,content,tools}/**/*.test.ts', { cwd: root })
  const ran = new Set(ofUnits.map(({ name }) => name.split(': ')[0]))
  console.log(`\nNot run
  ${all.length - ran.size} files of unit and API tests, which import nothing that has changed, or are of --rest
  ${untouched.length} journeys, which opened no screen that has changed when they were run last
  ${left.length} journeys, which open one that has, and more others than those that were run${left.length > 0 ? ':' : ''}`)
  for (const { file, title } of left) console.log(`    ${file}: ${title}`)
}

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
