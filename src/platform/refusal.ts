import { refusalText } from '#words/refusals.ts'
import { platformRefusals, type RefusalStatus } from '#contract/problems.ts'

export type RefusalDetails = {
  detail?: string
  fields?: Record<string, string>
  retryAfter?: number
  cause?: unknown
}

export class Refusal extends Error {
  readonly code: string
  readonly status: RefusalStatus
  readonly title: string
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    [status, english]: readonly [status: RefusalStatus, english: string],
    { detail, fields, retryAfter, cause }: RefusalDetails = {},
  ) {
    const title = refusalText(code) ?? english
    super(detail ?? title, { cause })
    this.code = code
    this.status = status
    this.title = title
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** The platform does not know the refusals of features. */
export class PlatformRefusal extends Refusal {
  constructor(code: keyof typeof platformRefusals, details?: RefusalDetails) {
    super(code, platformRefusals[code], details)
    this.name = 'PlatformRefusal'
  }
}
