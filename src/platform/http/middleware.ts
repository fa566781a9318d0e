// Middleware of any prefix: headers of its responses, and which requests it reads.
import type { MiddlewareHandler } from 'hono'
import { PlatformRefusal } from '../refusal.ts'

/** In characters, with the origin. The longest of ours hold a search in a foreign script, three times as long once encoded. */
const maxAddress = 4_096

export function requireShortAddress(url: string): void {
  if (url.length > maxAddress) throw new PlatformRefusal('request.address_too_long')
}

export const shortAddress: MiddlewareHandler = async (c, next) => {
  requireShortAddress(c.req.url)
  await next()
}

/** Set before the response is made: changing a finished one costs half the throughput. */
export function setHeaders(headers: Record<string, string>): MiddlewareHandler {
  const entries = Object.entries(headers)
  return async (c, next) => {
    for (const [name, value] of entries) c.header(name, value)
    await next()
  }
}

/** A form on another site can send any type but this one. */
export const onlyJson: MiddlewareHandler = async (c, next) => {
  const hasLength = Number(c.req.header('content-length')) > 0
  const hasBody = hasLength || c.req.header('transfer-encoding') !== undefined
  const isJson = /^application\/json\b/i.test(c.req.header('content-type') ?? '')
  if (hasBody && !isJson) throw new PlatformRefusal('request.unsupported_type')
  await next()
}
