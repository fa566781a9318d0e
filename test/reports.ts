// What the two test runners report as JSON, read as one list of outcomes.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { z } from 'zod'
import { root } from '../tools/run.ts'

/** `flaky`: failed at first and passed when it was tried again. Tests that were skipped are left out. */
export type Outcome = {
  name: string
  status: 'passed' | 'flaky' | 'failed'
  seconds: number
  /** Of the last try that failed, as the runner printed it; empty where every try passed. */
  error: string
}

const unitReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      /** Why the file could not be imported. */
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.enum(['passed', 'failed', 'skipped', 'pending', 'todo', 'disabled']),
          /** Milliseconds; of a test that did not run, absent. */
          duration: z.number().nullish(),
          /** Of each try that failed, also of one that was followed by a better one. */
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

export function readUnitReport(path: string): Outcome[] {
  if (!existsSync(path)) return []
  const { testResults } = unitReport.parse(JSON.parse(readFileSync(path, 'utf8')))
  return testResults.flatMap(({ name: file, status: ofFile, message, assertionResults }) => {
    const path = relative(root, file)
    const outcomes = assertionResults.flatMap(({ fullName, status, duration, failureMessages }) => {
      if (status !== 'passed' && status !== 'failed') return []
      const isFlaky = status === 'passed' && (failureMessages ?? []).length > 0
      const outcome: Outcome = {
        name: `${path}: ${fullName}`,
        status: isFlaky ? 'flaky' : status,
        seconds: (duration ?? 0) / 1000,
        error: failureMessages?.at(-1) ?? '',
      }
      return outcome
    })
    // A file that cannot be imported has no results of its own.
    if (ofFile === 'failed' && outcomes.every(({ status }) => status !== 'failed'))
      outcomes.push({ name: path, status: 'failed', seconds: 0, error: message ?? '' })
    return outcomes
  })
}

const outcomeOf = { expected: 'passed', flaky: 'flaky', unexpected: 'failed' } as const

const spec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })),
      results: z.array(
        z.object({ duration: z.number(), error: z.object({ message: z.string().optional() }).optional() }),
      ),
    }),
  ),
})
const suite = z.object({
  title: z.string(),
  specs: z.array(spec),
  get suites() {
    return z.array(suite).optional()
  },
})
const journeyReport = z.object({ suites: z.array(suite.extend({ file: z.string() })) })

export type Journey = Outcome & {
  file: string
  title: string
  project: string
  /** Its pages opened these addresses of the shop. */
  paths: string[]
}

export function readJourneyReport(path: string): Journey[] {
  if (!existsSync(path)) return []
  const { suites } = journeyReport.parse(JSON.parse(readFileSync(path, 'utf8')))
  return suites.flatMap((each) => {
    const file = `e2e/${each.file}`
    return specsOf(each, []).flatMap(({ title, tests }) =>
      tests.flatMap(({ projectName: project, status, annotations, results }) => {
        if (status === 'skipped') return []
        const seconds = results.reduce((sum, { duration }) => sum + duration, 0) / 1000
        const paths = annotations.flatMap(({ type, description }) =>
          type === 'paths' && description ? description.split(' ') : [],
        )
        const error = results.findLast((each) => each.error)?.error?.message ?? ''
        const name = `${file}: ${title}`
        return { name, status: outcomeOf[status], seconds, error, file, title, project, paths }
      }),
    )
  })
}

/** Their titles begin with those around them, as Playwright's `--grep` reads them. */
function specsOf({ specs, suites = [] }: z.infer<typeof suite>, around: string[]): z.infer<typeof spec>[] {
  const own = specs.map((each) => ({ ...each, title: [...around, each.title].join(' ') }))
  return [...own, ...suites.flatMap((each) => specsOf(each, [...around, each.title]))]
}
