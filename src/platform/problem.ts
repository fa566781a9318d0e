// An error that is thrown on purpose: a code and a status for the client, and a text in its language. Any other error
// that is thrown is a bug.
import { limitText, refusalText } from '#words/refusals.ts'
import { platformRefusals, type Refusals, type RefusalStatus } from '#contract/platform-refusals.ts'

type ProblemDetails = {
  detail?: string
  fields?: Record<string, string>
  retryAfter?: number
  cause?: unknown
}

export class Problem<Code extends string = string> extends Error {
  readonly code: Code
  readonly status: RefusalStatus
  readonly title: string
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: Code,
    [status, english]: readonly [status: RefusalStatus, english: string],
    { detail, fields, retryAfter, cause }: ProblemDetails = {},
  ) {
    const title = refusalText(code) ?? english
    const limited = retryAfter === undefined ? undefined : limitText(code, retryAfter)
    super(detail ?? limited ?? title, { cause })
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.title = title
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** Makes the problems of a domain: `throw orderProblem('purchases.not_found')`. */
export function problems<Codes extends string>(refusals: Record<Codes, Refusals[string]>) {
  return <Code extends Codes>(code: Code, details?: ProblemDetails): Problem<Code> =>
    new Problem(code, refusals[code], details)
}

export const platformProblem = problems(platformRefusals)
