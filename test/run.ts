// `npm test`: the check, then the unit and API tests, then the journeys in a browser. Ends with one line that counts.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '#tools/build.ts'
import { run } from '../tools/run.ts'
import { forgetEnvironment } from './environment.ts'

forgetEnvironment()

const reports = mkdtempSync(join(tmpdir(), 'lectern-test-'))
const unitReport = join(reports, 'unit.json')
const journeyReport = join(reports, 'journeys.json')

type UnitReport = { numPassedTests: number; numFailedTests: number }
type JourneyReport = { stats: { expected: number; unexpected: number; flaky: number } }

const check = await run('node', ['tools/check.ts'])
// Before the tests: two of them that found it out of date would both make it, in one folder.
ensureBuilt()
const unit = await run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${unitReport}`,
])
const journeys = await run('playwright', ['test'], { JOURNEYS_REPORT: journeyReport })

let passed = check === 0 ? 1 : 0
let failed = check === 0 ? 0 : 1
if (existsSync(unitReport)) {
  const report = JSON.parse(readFileSync(unitReport, 'utf8')) as UnitReport
  passed += report.numPassedTests
  failed += report.numFailedTests
}
if (existsSync(journeyReport)) {
  const { stats } = JSON.parse(readFileSync(journeyReport, 'utf8')) as JourneyReport
  passed += stats.expected + stats.flaky
  failed += stats.unexpected
}
rmSync(reports, { recursive: true })

// A runner that broke before it could count is a failure too.
const isBroken = [check, unit, journeys].some((code) => code !== 0)
if (isBroken && failed === 0) failed = 1
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(isBroken ? 1 : 0)
