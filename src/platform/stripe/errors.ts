// docs.stripe.com/error-low-level
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { Problem, platformProblem } from '../problem.ts'
import type { PaymentWatch } from './payments.ts'

const { errors } = Stripe

export type Ask = ReturnType<typeof createAsk>

// The library must not retry what has an idempotency key: it would report only the last response.
export function createAsk(watch: PaymentWatch) {
  async function ask<Result>(call: string, request: () => Promise<Result>): Promise<Result> {
    try {
      const response = await request()
      await watch.worked(call)
      return response
    } catch (error) {
      const kind = denialOf(error)
      if (kind) await watch.denied({ call, kind, words: wordsOf(error) })
      if (refusalOf(error)) await watch.worked(call)
      throw toThrow(error)
    }
  }

  async function askUnderKey<Result extends object>(call: string, request: () => Promise<Result>) {
    try {
      return await ask(call, () => retryWhileInProgress(request))
    } catch (error) {
      const refused = refusalOf(error)
      if (refused) return refused
      if (error instanceof Problem && isSaved(error.cause)) return { usedKey: error }
      throw error
    }
  }

  return { ask, askUnderKey }
}

function denialOf(error: unknown): 'key' | 'permission' | undefined {
  if (error instanceof errors.StripeAuthenticationError) return 'key'
  return error instanceof errors.StripePermissionError ? 'permission' : undefined
}

export function refusalOf(error: unknown): { refusal: string; param: string | undefined } | undefined {
  const isRefused =
    error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError
  return isRefused ? { refusal: error.message, param: error.param } : undefined
}

export function isUnknown(error: unknown): boolean {
  return error instanceof errors.StripeInvalidRequestError && error.statusCode === 404
}

function toThrow(error: unknown): unknown {
  if (denialOf(error)) return platformProblem('payments.not_available', { cause: error })
  return isAway(error) ? platformProblem('payments.unavailable', { retryAfter: 5, cause: error }) : error
}

function isAway(error: unknown): boolean {
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeIdempotencyError
  )
}

// Stripe repeats such a response under the same key. Others may come while the first request is still executed.
function isSaved(error: unknown): boolean {
  if (!(error instanceof errors.StripeError)) return false
  if (error instanceof errors.StripeIdempotencyError) return !isInProgress(error)
  const isOwn500 = error.statusCode === 500 && error.requestId !== undefined
  return isOwn500 || error.headers?.['idempotent-replayed'] === 'true'
}

const isInProgress = (error: unknown) => error instanceof errors.StripeError && error.statusCode === 409

/** Together, the time that the first request may take. */
const pausesMs = [300, 700, 1_000, 2_000, 3_000, 3_000]

async function retryWhileInProgress<Result>(request: () => Promise<Result>): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await request()
    } catch (error) {
      if (!isInProgress(error)) throw error
      await sleep(pause)
    }
  }
  return request()
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
