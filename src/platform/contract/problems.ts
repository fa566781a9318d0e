import { z } from 'zod'

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 414 | 415 | 422 | 429 | 500 | 503

export type Refusals = Record<string, readonly [status: RefusalStatus, detail: string]>

export const platformRefusals = {
  'request.invalid': [422, 'Some fields need your attention.'],
  'request.malformed': [400, 'The request could not be read.'],
  'request.too_large': [413, 'The request is larger than this shop accepts.'],
  'request.address_too_long': [414, 'This address is longer than this shop accepts.'],
  'request.unsupported_type': [415, 'The request body must be JSON.'],
  'request.rate_limited': [429, 'Too many attempts. Please wait a little and try again.'],
  'request.not_found': [404, 'There is nothing at this address.'],
  'server.unavailable': [503, 'The shop is briefly unavailable. Please try again in a moment.'],
  'server.full': [503, 'The shop has no room left to store anything. Its owner has to make some first.'],
  'server.bug': [500, 'An unexpected error occurred.'],
  'payments.unavailable': [503, 'The payment service cannot be reached. Please try again in a moment.'],
  'payments.not_available': [503, 'Payments are not available at the moment. Please try again later.'],
  'payments.bad_signature': [400, 'This message is not signed by the payment provider.'],
  'payments.thin_event': [
    400,
    'This is a thin event of API v2, which this shop does not read. At Stripe, make a webhook endpoint for this address with the payload style “snapshot” and events of API v1.',
  ],
  'uploads.not_found': [404, 'This upload is not there, or not whole. Please upload the file again.'],
} as const satisfies Refusals

/** RFC 9457. `fields` maps a field's name to what is wrong with it. */
export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  request_id: z.string(),
})
export type ProblemDocument = z.infer<typeof problemDocument>

export const problemCodeHeader = 'x-problem-code'
