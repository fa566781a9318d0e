// Sends requests over kept connections for some seconds, and prints how many were answered.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { signEvent, example } from '@lectern/stripe-stand-in'
import { percentile } from '../figure.ts'
import type { Load, LoadResult } from '../processes.ts'

const wanted = JSON.parse(process.argv[2]!) as Load
const agent = new Agent({ keepAlive: true, maxSockets: wanted.connections })
const since = performance.now()
const end = since + wanted.seconds * 1000
const times: number[] = []
let failures = 0
let turn = 0

await Promise.all(Array.from({ length: wanted.connections }, work))
agent.destroy()
const perSecond = times.length / ((performance.now() - since) / 1000)
const result: LoadResult = { perSecond, p99: percentile(times, 99), failures }
console.log(JSON.stringify(result))

async function work(): Promise<void> {
  while (performance.now() < end) {
    const begun = performance.now()
    const { headers, body = '' } = next()
    if (!(await isAnswered(headers, body))) failures += 1
    times.push(performance.now() - begun)
    if (wanted.isPaced) await sleep(Math.max(0, 20 - (performance.now() - begun)))
  }
}

function isAnswered(headers: Record<string, string>, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const length = { 'content-length': Buffer.byteLength(body) }
    const sending = request(wanted.url, {
      agent,
      method: wanted.method ?? 'GET',
      headers: { ...headers, ...length },
    })
    sending.on('response', (response) => {
      const isGood = response.statusCode! < 300
      buffer(response).then(
        () => resolve(isGood),
        () => resolve(false),
      )
    })
    sending.on('error', () => resolve(false))
    sending.end(body)
  })
}

/** A fresh key, the next user's token, or a webhook event of some kilobytes, as the load asks for. */
function next(): { headers: Record<string, string>; body?: string | undefined } {
  const { headers, body, hasKeys, tokens = [], isWebhook } = wanted
  if (isWebhook) {
    const charge = example('charge', { payment_intent: `pi_${randomUUID()}` })
    return signEvent(example('event', { type: 'charge.refunded', data: { object: charge } }))
  }
  const token = tokens[(turn += 1) % tokens.length]
  return {
    headers: {
      ...headers,
      ...(hasKeys && { 'idempotency-key': randomUUID() }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body,
  }
}
