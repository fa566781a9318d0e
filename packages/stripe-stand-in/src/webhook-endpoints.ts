// Webhook endpoints of an account: made, listed, changed and deleted as at Stripe.
import { randomBytes } from 'node:crypto'
import { now } from './examples.ts'
import { metadataOf } from './new-session.ts'
import type { Endpoint, Records } from './records.ts'
import { Refusal } from './refusal.ts'

/** The limit of an account in one mode (docs.stripe.com/webhooks). */
const maxEndpoints = 16

/** The only response with the secret. */
export function createEndpoint(records: Records, form: URLSearchParams): Endpoint {
  const { endpoints, profile } = records
  const mode = profile.isLive ? 'live' : 'test'
  if (endpoints.length >= maxEndpoints)
    throw new Refusal(`You have reached the maximum of ${maxEndpoints} ${mode} webhook endpoints.`)
  const endpoint: Endpoint = {
    id: `we_${randomBytes(12).toString('hex')}`,
    object: 'webhook_endpoint',
    api_version: form.get('api_version'),
    application: null,
    created: now(),
    description: form.get('description'),
    enabled_events: eventsOf(form),
    livemode: profile.isLive,
    metadata: metadataOf(form),
    secret: `whsec_${randomBytes(16).toString('hex')}`,
    status: 'enabled',
    url: requireReachable(records, form.get('url') ?? ''),
  }
  endpoints.push(endpoint)
  return endpoint
}

/** Undefined where there is no such endpoint. */
export function changeEndpoint(records: Records, id: string, form: URLSearchParams): object | undefined {
  const endpoint = records.endpoints.find((each) => each.id === id)
  if (!endpoint) return undefined
  const url = form.get('url')
  const events = eventsOf(form)
  const disabled = form.get('disabled')
  Object.assign(endpoint, {
    ...(url && { url: requireReachable(records, url) }),
    ...(events.length > 0 && { enabled_events: events }),
    ...(disabled && { status: disabled === 'true' ? 'disabled' : 'enabled' }),
    metadata: { ...endpoint.metadata, ...metadataOf(form) },
  })
  return withoutSecret(endpoint)
}

export function deleteEndpoint({ endpoints }: Records, id: string): object | undefined {
  const at = endpoints.findIndex((each) => each.id === id)
  if (at === -1) return undefined
  endpoints.splice(at, 1)
  return { id, object: 'webhook_endpoint', deleted: true }
}

export function withoutSecret({ secret: _secret, ...endpoint }: Endpoint): Omit<Endpoint, 'secret'> {
  return endpoint
}

function eventsOf(form: URLSearchParams): string[] {
  return [...form].flatMap(([name, value]) => (name.startsWith('enabled_events[') ? [value] : []))
}

const notReachable =
  'Invalid URL: URL must be publicly accessible. Consider using a tool like the Stripe CLI to test webhooks locally: https://github.com/stripe/stripe-cli'

function requireReachable({ profile, reach }: Records, url: string): string {
  const { hostname, protocol } = new URL(url)
  const isLocal = /^(localhost|.*\.localhost|127\..*|10\..*|192\.168\..*|\[::1\])$/.test(hostname)
  const refuse = (message: string) => new Refusal(message, { code: 'url_invalid', param: 'url' })
  if (isLocal && !reach.isLocal) throw refuse(notReachable)
  if (profile.isLive && protocol !== 'https:')
    throw refuse('Invalid URL: Live webhook endpoints must use https.')
  return url
}
