// Errors as responses: problem documents, and the headers of the API.
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes } from 'hono/route'
import { isQueueFull } from '../bounded-worker.ts'
import { isOutage, isUnavailable } from '../db/client.ts'
import { isDiskFull } from '../errors.ts'
import type { Log } from '../log.ts'
import { requestId } from './server.ts'
import { Problem, platformProblem } from '../problem.ts'
import { StorageUnavailableError } from '../storage.ts'
import { isRoutePattern, type ApiEnv, type RenderRefusal } from './route.ts'
import type { z } from 'zod'
import { readFieldProblems } from '#contract/field-rules.ts'
import { problemCodeHeader, type ProblemDocument } from '#contract/problems.ts'

export function createErrorHandler({ log }: { log: Log }): ErrorHandler<ApiEnv> {
  return (error, c) => {
    const request_id = requestId(c.env?.incoming)
    const refusal = toRefusal(error)
    if (refusal.status >= 500) logFailure(log, error, { code: refusal.code, request_id, route: routeOf(c) })
    if (refusal.retryAfter) c.header('Retry-After', String(refusal.retryAfter))
    c.header('Cache-Control', 'no-store')
    return (c.var.renderRefusal ?? renderProblem)(refusal, c, request_id)
  }
}

export function renderRefusals(render: RenderRefusal): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set('renderRefusal', render)
    await next()
  }
}

export const renderProblem: RenderRefusal = (refusal, c, request_id) => {
  for (const [name, value] of Object.entries(apiHeaders)) c.header(name, value)
  if (refusal.status === 401) c.header('WWW-Authenticate', 'Bearer')
  return c.body(JSON.stringify(describeProblem(refusal, request_id)), refusal.status, {
    'Content-Type': 'application/problem+json',
  })
}

function toRefusal(error: Error): Problem {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException && error.status < 500) return platformProblem('request.malformed')
  if (isDiskFull(error)) return platformProblem('server.full', { retryAfter: 60 })
  if (isUnavailable(error) || error instanceof StorageUnavailableError || isQueueFull(error))
    return platformProblem('server.unavailable', { retryAfter: 2 })
  return platformProblem('server.bug')
}

function logFailure(
  log: Log,
  error: Error,
  { code, ...request }: { code: string; request_id: string; route: string },
): void {
  if (code === 'server.bug') return log.error({ err: error, ...request }, 'a request failed')
  if (isOutage(error)) return log.warn({ err: error }, 'a request could not be served')
  const cause = error.cause instanceof Error ? error.cause : error
  const reason = cause.message || ('code' in cause ? cause.code : undefined)
  log.warn({ code, reason, ...request }, 'a request could not be served')
}

/** The pattern: a path may hold a token or an address. */
function routeOf(c: Context): string {
  return matchedRoutes(c).find(({ path }) => isRoutePattern(path))?.path ?? 'unknown'
}

/** A server's failure stays a problem document, which names the request's id. */
export const functionRefusals = renderRefusals((refusal, c, request_id) => {
  if (refusal.status >= 500) return renderProblem(refusal, c, request_id)
  const [complaint] = Object.values(refusal.fields ?? {})
  c.header(problemCodeHeader, refusal.code)
  return c.json({ success: false, error: complaint ?? refusal.message }, refusal.status)
})

export async function readFunctionRequest<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const input: unknown = await c.req.json().catch(() => {
    throw platformProblem('request.malformed')
  })
  const parsed = schema.safeParse(input)
  if (!parsed.success) {
    throw platformProblem('request.invalid', { fields: readFieldProblems(parsed.error) })
  }
  return parsed.data
}

/** Characters. A search in a foreign script is three times as long once encoded. */
const maxAddress = 4_096

export function requireShortAddress(url: string): void {
  if (url.length > maxAddress) throw platformProblem('request.address_too_long')
}

export const shortAddress: MiddlewareHandler = async (c, next) => {
  requireShortAddress(c.req.url)
  await next()
}

/** Changing a finished response costs half the throughput. */
export function setHeaders(headers: Record<string, string>): MiddlewareHandler {
  const entries = Object.entries(headers)
  return async (c, next) => {
    for (const [name, value] of entries) c.header(name, value)
    await next()
  }
}

/** A form on another site can send any other type. */
export const onlyJson: MiddlewareHandler = async (c, next) => {
  const hasLength = Number(c.req.header('content-length')) > 0
  const hasBody = hasLength || c.req.header('transfer-encoding') !== undefined
  const isJson = /^application\/json\b/i.test(c.req.header('content-type') ?? '')
  if (hasBody && !isJson) throw platformProblem('request.unsupported_type')
  await next()
}

export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

function describeProblem(problem: Problem, request_id: string): ProblemDocument {
  return {
    type: `urn:lectern:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    ...(problem.fields && { fields: problem.fields }),
    request_id,
  }
}
