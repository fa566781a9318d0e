import type { MiddlewareHandler } from 'hono'
import { platformProblem, type Problem } from '../problem.ts'
import type { ProblemDocument } from '#contract/problems.ts'

/** In characters. A search in a foreign script is three times as long once encoded. */
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

export function describeProblem(problem: Problem, request_id: string): ProblemDocument {
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
