// What every request meets first. What needs no application goes out at once: how the server is, and what is the same
// bytes for everybody and lies ready in memory, which the application would take twice as long to send.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { jsonResponse, problemResponse } from '#platform/http/response.ts'
import { findHealth } from '#platform/http/health.ts'
import { Problem } from './problems.ts'
import type { Shop } from './shop.ts'
import type { Site } from '#pages/site.ts'
import type { Answer } from '#platform/http/content.ts'

/**
 * In characters. The longest of ours hold a search in a foreign script, three times as long once encoded; taking one of
 * 16,000, which Node would let through, apart costs 35 ms.
 */
const longestAddress = 4_096

/** Everything else, and whatever is not ready, waits for the application. */
export function createListener(
  services: Pick<Shop, 'catalogue' | 'config' | 'database'>,
  site: Pick<Site, 'peek'>,
  openApplication: () => Promise<RequestListener>,
): RequestListener {
  function peek(request: IncomingMessage): Answer | undefined {
    if (request.url !== '/api/products') return site.peek(request)
    const kept = services.catalogue.peek()
    return kept && jsonResponse(kept.json)
  }

  let application: RequestListener | undefined
  async function answerLater(...[request, response]: Parameters<RequestListener>): Promise<void> {
    const health = findHealth(request, services)
    if (health) return send(await health, response)
    try {
      application ??= await openApplication()
    } catch {
      // The server says why, and stops.
      response.destroy()
      return
    }
    application(request, response)
  }

  const isSecure = services.config.siteUrl.startsWith('https:')

  return (request, response) => {
    if (isSecure) response.setHeader('strict-transport-security', 'max-age=31536000')
    if ((request.url?.length ?? 0) > longestAddress) {
      return send(problemResponse(new Problem('request.address_too_long')), response)
    }
    const ready = request.method === 'GET' ? peek(request) : undefined
    if (ready) send(ready, response)
    else void answerLater(request, response)
  }
}

function send({ status, headers, body }: Answer, response: ServerResponse): void {
  response.writeHead(status, headers).end(body)
}
