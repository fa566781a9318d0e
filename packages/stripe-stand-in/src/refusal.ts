// Stripe's responses with a 4xx, in its words.

type Details = {
  status?: number
  code?: string | undefined
  param?: string | undefined
  /** Found before the endpoint began to execute: not saved under the idempotency key. */
  isBeforeExecution?: boolean
}

export class Refusal extends Error {
  readonly details: Details

  constructor(message: string, details: Details = {}) {
    super(message)
    this.details = details
  }
}
