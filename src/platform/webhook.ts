// Sends a webhook as Standard Webhooks 1.0 has it (standardwebhooks.com): signed anew at each attempt, over https, without
// following a redirect.
import { createHmac, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:https'
import { hourSeconds } from '#contract/durations.ts'
import { webhookPorts } from '#contract/network.ts'
import { PublicAgent } from './public-connection.ts'

const timeoutMs = 15_000
const maxResponseBytes = 4096
const maxBodyBytes = 20_000

export type WebhookTarget = {
  url: string
  /** Each signs, the present one first. */
  secrets: readonly string[]
  isPublicOnly: boolean
}

export type WebhookMessage = { id: string; body: string }

/** `retryAfter`: the seconds for which the receiver asked, an hour at most. */
export type WebhookResponse = { status: number; retryAfter: number | undefined }

const prefix = 'whsec_'

/** The standard asks for 24 to 64 bytes. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** Rejects where no response came within 15 seconds, or none at all. The body of the response is thrown away. */
export async function postWebhook(
  { url, secrets, isPublicOnly }: WebhookTarget,
  { id, body }: WebhookMessage,
  now: Date,
): Promise<WebhookResponse> {
  const bytes = Buffer.from(body)
  if (bytes.length > maxBodyBytes) throw new Error('the body of a webhook is too large')
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const content = `${id}.${timestamp}.${body}`
  const agent = isPublicOnly ? new PublicAgent({ ports: webhookPorts, timeoutMs }) : new Agent()
  const signal = AbortSignal.timeout(timeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<WebhookResponse>()
  const outgoing = request(url, {
    method: 'POST',
    agent,
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'Lectern',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => signatureOf(secret, content)).join(' '),
    },
  })
  const giveUp = () => reject(new Error('The receiver did not answer within 15 seconds.'))
  // A request without an error, as one whose connection was taken over, would never end otherwise.
  signal.addEventListener('abort', giveUp)
  outgoing.on('error', (error) => (signal.aborted ? giveUp() : reject(error)))
  // Node.js gives the connection away after a status of 101, and there is no response.
  outgoing.on('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy()
    resolve({ status: statusCode, retryAfter: undefined })
  })
  outgoing.on('response', (incoming) => {
    signal.removeEventListener('abort', giveUp)
    const { statusCode = 0, headers } = incoming
    let received = 0
    const end = () => {
      resolve({ status: statusCode, retryAfter: readRetryAfter(headers['retry-after'], now) })
      incoming.destroy()
    }
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > maxResponseBytes) end()
    })
    incoming.on('end', end)
    // The status is known, whatever becomes of the rest.
    incoming.on('error', end)
  })
  outgoing.end(bytes)
  try {
    return await promise
  } finally {
    agent.destroy()
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return seconds > 0 ? Math.min(Math.ceil(seconds), hourSeconds) : undefined
}
