// An answer of the API that is made without the application.
import type { Answer } from '../site/content.ts'

/** What every answer of the API says to the browser. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

export function jsonAnswer(json: string, status = 200): Answer {
  const length = String(Buffer.byteLength(json))
  const headers = { 'content-type': 'application/json', ...apiHeaders, 'content-length': length }
  return { status, headers, body: json }
}
