// An answer of the API that is made without the application.
import { type ProblemDocument } from '../contract/problems.ts'
import type { Refusal } from '../refusal.ts'
import type { Answer } from './content.ts'

/** What every answer of the API says to the browser. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

export function jsonResponse(json: string, status = 200): Answer {
  const length = String(Buffer.byteLength(json))
  const headers = { 'content-type': 'application/json', ...apiHeaders, 'content-length': length }
  return { status, headers, body: json }
}

/** As RFC 9457 has it; of a bug it tells nothing but the request's id. */
export function describeProblem(problem: Refusal, request_id: string): ProblemDocument {
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

export function problemResponse(problem: Refusal): Answer {
  const { status, headers, body } = jsonResponse(
    JSON.stringify(describeProblem(problem, crypto.randomUUID())),
    problem.status,
  )
  return { status, headers: { ...headers, 'content-type': 'application/problem+json' }, body }
}
