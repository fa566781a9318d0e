// The route of the metrics, in the text format of Prometheus.
import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { accountProblem } from '#domains/accounts/accounts.ts'
import { apiHeaders } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { Metrics } from './metrics.ts'

export function metricsApi({ token, contentType, write }: Metrics) {
  return new Hono<ApiEnv>().get('/', async (c) => {
    const header = c.req.header('authorization') ?? ''
    if (!isSame(header, `Bearer ${token}`)) throw accountProblem('auth.no_authorization')
    return c.body(await write(), 200, { ...apiHeaders, 'content-type': contentType })
  })
}

/** Takes the same time for any input. */
function isSame(received: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(received), digest(expected))
}
