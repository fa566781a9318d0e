// Stripe's idempotency layer (docs.stripe.com/api/idempotent_requests): a response is saved under its key once the endpoint
// has begun to execute, 500s included; what is refused before that (validation, rate limits, conflicts) is not.
import { refusal, type ApiResponse } from './api.ts'

type Saved = { request: string; response: ApiResponse }
export type SavedResponses = [string, Saved][]

export function openIdempotency(saved: SavedResponses = []) {
  const responses = new Map(saved)
  const inFlight = new Set<string>()

  return {
    /** Undefined when the endpoint is to execute. */
    find(key: string, request: string): ApiResponse | undefined {
      const found = responses.get(key)
      if (!found) return undefined
      if (found.request !== request) return refusal(400, otherParameters, 'idempotency_error')
      const { response } = found
      return { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } }
    },
    /** False while another request under this key is being executed. */
    begin(key: string): boolean {
      const isFree = !inFlight.has(key)
      inFlight.add(key)
      return isFree
    },
    end: (key: string) => void inFlight.delete(key),
    save: (key: string, request: string, response: ApiResponse) =>
      void responses.set(key, { request, response }),
    forget: () => responses.clear(),
    all: (): SavedResponses => [...responses],
  }
}

export const keyInUse = refusal(
  409,
  'There is currently another in-progress request using this Idempotent Key.',
  'idempotency_error',
  'idempotency_key_in_use',
)

const otherParameters =
  'Keys for idempotent requests can only be used with the same parameters they were first used with.'
