// A refusal: an error that is thrown on purpose and told to the client.
import { platformRefusals, type RefusalStatus } from './contract/problems.ts'

export type RefusalDetails = {
  /** Replaces the code's own words. */
  detail?: string
  /** What is wrong with each field, by its name. */
  fields?: Record<string, string>
  /** Seconds until another try may succeed; sent as Retry-After. */
  retryAfter?: number
  /** What has failed elsewhere, for the log. */
  cause?: unknown
}

export class Refusal extends Error {
  readonly code: string
  readonly status: RefusalStatus
  /** The words of the code, whatever the detail says. */
  readonly title: string
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    [status, title]: readonly [status: RefusalStatus, title: string],
    { detail = title, fields, retryAfter, cause }: RefusalDetails = {},
  ) {
    super(detail, { cause })
    this.code = code
    this.status = status
    this.title = title
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** For the platform, which does not know the refusals of the features. */
export class PlatformRefusal extends Refusal {
  constructor(code: keyof typeof platformRefusals, details?: RefusalDetails) {
    super(code, platformRefusals[code], details)
    this.name = 'PlatformRefusal'
  }
}
