// What every response of the API shares: its headers, and the document of a refusal.
import { type ProblemDocument } from '../contract/problems.ts'
import type { Refusal } from '../refusal.ts'

/** What every response of the API says to the browser. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
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
