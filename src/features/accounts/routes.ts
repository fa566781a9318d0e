// The auth service's HTTP surface, as GoTrue's clients call it.
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../../problems.ts'
import { accountRoutes } from './account-routes.ts'
import { factorRoutes } from './factor-routes.ts'
import { refuse } from './gotrue.ts'
import type { Guard } from './guard.ts'
import type { AccountsContext } from './accounts-context.ts'
import { sessionRoutes } from './session-routes.ts'

const maxBody = 16 * 1024

export function createRoutes(context: AccountsContext, guard: Guard): Hono {
  const app = new Hono()
  app.onError((error, c) => refuse(error, c, context))
  app.use(privately, onlyJson, limitBody)
  app.route('/', sessionRoutes(context))
  app.route('/', accountRoutes(context, guard))
  app.route('/factors', factorRoutes(context, guard))
  app.get('/.well-known/jwks.json', async (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.json(await context.keys.publicKeys())
  })
  app.all('*', () => {
    throw new Problem('request.not_found')
  })
  return app
}

/** auth-js reads a refusal's `code` only under the version header. */
const privately: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store')
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('X-Supabase-Api-Version', '2024-01-01')
  await next()
}

/** A form of another site can post anything but this type, and so cannot make its visitors ask for mails. */
const onlyJson: MiddlewareHandler = async (c, next) => {
  const isJson = /^application\/json\b/i.test(c.req.header('content-type') ?? '')
  const hasLength = Number(c.req.header('content-length')) > 0
  const hasBody = hasLength || c.req.header('transfer-encoding') !== undefined
  if (hasBody && !isJson) throw new Problem('request.unsupported_type')
  await next()
}

const limitBody = bodyLimit({
  maxSize: maxBody,
  onError: () => {
    throw new Problem('request.too_large')
  },
})
