// Stripe's errors, sorted by what they mean for the shop (docs.stripe.com/error-low-level).
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { PlatformRefusal } from '../refusal.ts'
import type { PaymentWatch } from './payments.ts'

const { errors } = Stripe

export type Ask = ReturnType<typeof createAsk>

/**
 * `ask` throws a Refusal where Stripe is away or does not accept the key; what Stripe refuses is thrown as it came.
 * `askUnderKey` is for what has an idempotency key: it throws only what may be asked again under the same key. The library
 * must not retry such a request: it would report only the last response, not that an earlier one never came.
 */
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
      if (error instanceof PlatformRefusal && isSaved(error.cause)) return { spent: error }
      throw error
    }
  }

  return { ask, askUnderKey }
}

/** `key`: it was revoked, or is none. `permission`: a restricted key may not make this call. */
function denialOf(error: unknown): 'key' | 'permission' | undefined {
  if (error instanceof errors.StripeAuthenticationError) return 'key'
  return error instanceof errors.StripePermissionError ? 'permission' : undefined
}

/** `param`: the parameter that it complains about. Undefined for what may succeed the next time. */
export function refusalOf(error: unknown): { refused: string; param: string | undefined } | undefined {
  const isRefused =
    error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError
  return isRefused ? { refused: error.message, param: error.param } : undefined
}

export function isUnknown(error: unknown): boolean {
  return error instanceof errors.StripeInvalidRequestError && error.statusCode === 404
}

function toThrow(error: unknown): unknown {
  if (denialOf(error)) return new PlatformRefusal('payments.not_available', { cause: error })
  return isAway(error) ? new PlatformRefusal('payments.unavailable', { retryAfter: 5, cause: error }) : error
}

function isAway(error: unknown): boolean {
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeIdempotencyError
  )
}

/**
 * Whether Stripe repeats this response under the same key: a 500 of its own (it has a request id), a response marked as
 * replayed, and the error that the key was used with other parameters. Any other failure may come from a proxy, or before
 * the key is looked at, while the request under the key is still being executed.
 */
function isSaved(error: unknown): boolean {
  if (!(error instanceof errors.StripeError)) return false
  if (error instanceof errors.StripeIdempotencyError) return !isInProgress(error)
  const isOwn500 = error.statusCode === 500 && error.requestId !== undefined
  return isOwn500 || error.headers?.['idempotent-replayed'] === 'true'
}

/** Another request under the key is executed at this moment. */
const isInProgress = (error: unknown) => error instanceof errors.StripeError && error.statusCode === 409

const pausesMs = [300, 700]

/** Of two concurrent clicks, the second gets the response of the first. */
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
