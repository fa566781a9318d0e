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
  isPaced,
} = JSON.parse(process.argv[2]!) as Load

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method,
  ...(isPaced && { overallRate: 50 }),
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
  ...(hasKeys && {
    requests: [
      {
        setupRequest: (request) => ({ ...request, headers: { ...headers, 'idempotency-key': randomUUID() } }),
      },
    ],
  }),
})
const answer: LoadResult = {
  perSecond: result.requests.total / result.duration,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors,
}

console.log(JSON.stringify(answer))
