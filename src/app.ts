// Every prefix the server answers, top to bottom, and the only place that makes a response of an error.
import { checkOut } from '#features/payments/checkout.ts'
import { paymentsApi } from '#features/payments/routes.ts'
import { Refusal } from '#platform/refusal.ts'
import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { accountsApi } from '#features/accounts/me-routes.ts'
import { apiHeaders, describeProblem } from '#platform/http/response.ts'
import { contactApi } from '#features/messages/contact-routes.ts'
import { coversApi } from '#features/products/cover-routes.ts'
import { adminApi } from './admin-api.ts'
import { exportFilesApi } from '#features/reports/export-routes.ts'
import { filesApi } from '#features/downloads/routes.ts'
import { functionsApi } from '#features/users/function-routes.ts'
import { healthApi } from '#platform/http/health.ts'
import { openapiApi } from '#platform/http/openapi.ts'
import { productsApi } from '#features/products/routes.ts'
import { purchasesApi } from '#features/purchases/routes.ts'
import { createApi, type ApiEnv } from '#platform/http/route.ts'
import { shippingApi } from '#features/shipping/routes.ts'
import { stripeApi } from '#features/payments/webhook-routes.ts'
import { uploadsApi } from '#features/ebooks/upload-routes.ts'
import { isUnavailable } from '#platform/db/client.ts'
import { devMailbox } from '#platform/dev-mailbox.ts'
import { isDiskFull } from '#platform/disk-full.ts'
import { Problem } from './problems.ts'
import type { Shop } from './shop.ts'
import type { Site } from '#pages/site.ts'

const maxBody = 64 * 1024

/** In characters, with the origin. The longest of ours hold a search in a foreign script, three times as long once encoded. */
const longestAddress = 4_096

/** Undefined where a test calls the application without a server. */
type AppEnv = { Bindings: HttpBindings | undefined }

/** What the typed client in the browser knows. */
export type Api = ReturnType<typeof publicApi>

function publicApi(shop: Shop) {
  return createApi()
    .route('/', productsApi(shop))
    .route('/', purchasesApi(shop, checkOut))
    .route('/', paymentsApi(shop))
    .route('/', shippingApi(shop))
    .route('/', accountsApi(shop))
    .route('/', contactApi(shop))
}

export function createApp(shop: Shop, site: Pick<Site, 'app'>) {
  const app = new OpenAPIHono<ApiEnv>()
  app.onError((error, c) => refuse(error, c, shop))
  app.notFound((c) => refuse(new Problem('request.not_found'), c, shop))
  const api = createApi().route('/', publicApi(shop)).route('/admin', adminApi(shop))
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  if (shop.config.siteUrl.startsWith('https:')) app.use(insistOnHttps)
  app.use(limitAddress)

  app.route('/api', healthApi(shop))
  app.route('/api', openapiApi(api, shop.config))
  // Its signature is over the bytes as they came, and it may be larger than what people send.
  app.route('/api', stripeApi(shop))
  app.route('/api', uploadsApi(shop))
  app.route('/api', coversApi(shop))
  app.use('/api/*', privately, onlyJson, limitBody)
  app.use('/functions/*', privately, onlyJson, limitBody)

  app.route('/api', filesApi(shop))
  app.route('/api', exportFilesApi(shop))
  app.route('/api', api)
  app.route('/auth/v1', shop.auth.app)
  app.route('/functions/v1', functionsApi(shop))
  for (const prefix of ['/api/*', '/auth/v1/*', '/functions/*']) {
    app.all(prefix, () => {
      throw new Problem('request.not_found')
    })
  }
  if (shop.config.isDevelopment) app.route('/dev/mailbox', devMailbox(shop.config))
  app.route('/', site.app)
  return app
}

/** On Node's own response: responses that are made outside Hono (uploads) carry it, too. */
const insistOnHttps: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.env?.outgoing.setHeader('strict-transport-security', 'max-age=31536000')
  await next()
}

const limitAddress: MiddlewareHandler = async (c, next) => {
  if (c.req.url.length > longestAddress) throw new Problem('request.address_too_long')
  await next()
}

/** Set before the response is made: touching a finished one costs half the throughput. */
const privately: MiddlewareHandler<ApiEnv> = async (c, next) => {
  for (const [name, value] of Object.entries(apiHeaders)) c.header(name, value)
  await next()
}

const onlyJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = c.req.header()
  const hasBody = length !== '0' || coding !== undefined
  if (hasBody && !/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new Problem('request.unsupported_type')
  }
  await next()
}

const limitBody = bodyLimit({
  maxSize: maxBody,
  onError: () => {
    throw new Problem('request.too_large')
  },
})

function refuse(error: Error, c: Context, { log }: Pick<Shop, 'log'>): Response {
  const request_id = randomUUID()
  const problem = toProblem(error)
  if (problem.status >= 500) logFailure(log, error, { code: problem.code, request_id, path: loggedPath(c) })
  if (problem.status === 401) c.header('WWW-Authenticate', 'Bearer')
  if (problem.retryAfter) c.header('Retry-After', String(problem.retryAfter))
  for (const [name, value] of Object.entries(apiHeaders)) c.header(name, value)
  return c.body(JSON.stringify(describeProblem(problem, request_id)), problem.status as 400, {
    'Content-Type': 'application/problem+json',
  })
}

/** A bug with its stack; what is away or busy comes with every request, and is nobody's mistake here. */
function logFailure(
  log: Shop['log'],
  error: Error,
  { code, ...request }: { code: string; request_id: string; path: string },
): void {
  if (code === 'server.bug') return log.error({ err: error, ...request }, 'a request failed')
  const cause = (error.cause ?? error) as NodeJS.ErrnoException
  log.warn({ code, reason: cause.message || cause.code, ...request }, 'a request could not be served')
}

/** A download's link is a secret as long as it works. */
function loggedPath({ req }: Context): string {
  return req.path.replace(/^(\/api\/(?:files|exports)\/).+/, '$1…')
}

function toProblem(error: Error): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException && error.status < 500) return new Problem('request.malformed')
  if (isDiskFull(error)) return new Problem('server.full', { retryAfter: 60, cause: error })
  if (isUnavailable(error)) return new Problem('server.unavailable', { retryAfter: 2 })
  return new Problem('server.bug')
}
