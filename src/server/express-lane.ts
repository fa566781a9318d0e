// What is the same bytes for everybody and lies ready in memory goes out before the application, which would take twice
// as long to say the same.
import type { IncomingMessage, RequestListener } from 'node:http'
import { peekProducts } from './api/products.ts'
import type { Services } from './services.ts'
import type { Site } from './site.ts'

/** Everything else, and whatever is not ready, is left to `listener`. */
export function withExpressLane(
  services: Pick<Services, 'catalogue'>,
  site: Pick<Site, 'peek'>,
  listener: RequestListener,
): RequestListener {
  const find = (request: IncomingMessage) =>
    request.url === '/api/products' ? peekProducts(services) : site.peek(request)
  return (request, response) => {
    const ready = request.method === 'GET' ? find(request) : undefined
    if (!ready) return listener(request, response)
    const { status, headers, body } = ready
    response.writeHead(status, headers).end(body)
  }
}
