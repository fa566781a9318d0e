// A refusal: the one kind of error the server throws on purpose. Anything else that is thrown is a bug.
import { problemDetail, problemStatus, type ProblemCode } from '../problems.ts'

type Details = {
  /** Replaces the code's own words. */
  detail?: string
  /** What is wrong with each field, by its name. */
  fields?: Record<string, string>
  /** Seconds until another try may succeed; sent as Retry-After. */
  retryAfter?: number
  /** What has gone wrong elsewhere, for the log. */
  cause?: unknown
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, { detail, fields, retryAfter, cause }: Details = {}) {
    super(detail ?? problemDetail(code), { cause })
    this.name = 'Problem'
    this.code = code
    this.status = problemStatus(code)
    this.fields = fields
    this.retryAfter = retryAfter
  }
}
