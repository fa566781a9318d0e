// The refusals that every domain can give.
import { outages } from '#words/site.ts'
import { refusals } from '#words/refusals.ts'

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 414 | 415 | 422 | 429 | 500 | 503

export type Refusals = Record<string, readonly [status: RefusalStatus, detail: string]>

export const platformRefusals = {
  'request.invalid': [422, refusals['request.invalid']],
  'request.malformed': [400, refusals['request.malformed']],
  'request.too_large': [413, refusals['request.too_large']],
  'request.address_too_long': [414, refusals['request.address_too_long']],
  'request.unsupported_type': [415, 'The request body must be JSON.'],
  'request.rate_limited': [429, refusals['request.rate_limited']],
  'request.not_found': [404, refusals['request.not_found']],
  'server.unavailable': [503, outages['server.unavailable']],
  'server.full': [503, refusals['server.full']],
  'server.bug': [500, refusals['server.bug']],
  'payments.unavailable': [503, refusals['payments.unavailable']],
  'payments.not_available': [503, refusals['payments.not_available']],
  'payments.bad_signature': [400, 'This message is not signed by the payment provider.'],
  'payments.thin_event': [
    400,
    'This is a thin event of API v2, which this shop does not read. At Stripe, make a webhook endpoint for this address with the payload style “snapshot” and events of API v1.',
  ],
  'uploads.not_found': [404, 'This upload is not there, or not whole. Please upload the file again.'],
  'downloads.link_expired': [410, refusals['downloads.link_expired']],
  'downloads.session_ended': [403, refusals['downloads.session_ended']],
  'access.forbidden': [403, refusals['access.forbidden']],
} as const satisfies Refusals
