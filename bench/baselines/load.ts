// Sends requests for some seconds, and prints how many were answered.
import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import type { Load, LoadResult } from '../processes.ts'

const {
  url,
  connections,
  seconds,
  method = 'GET',
  headers,
  body,
  hasKeys,
  tokens = [],
  isPaced,
} = JSON.parse(process.argv[2]!) as Load

let turn = 0
/** Its own for each request: a fresh key, the next person. */
function ownHeaders(): Record<string, string> {
  const token = tokens[(turn += 1) % tokens.length]
  return {
    ...headers,
    ...(hasKeys && { 'idempotency-key': randomUUID() }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
}

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method,
  ...(isPaced && { overallRate: 50 }),
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
  ...((hasKeys || tokens.length > 0) && {
    requests: [{ setupRequest: (request) => ({ ...request, headers: ownHeaders() }) }],
  }),
})
const response: LoadResult = {
  perSecond: result.requests.total / result.duration,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors,
}

console.log(JSON.stringify(response))
