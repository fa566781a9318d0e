// The auth service's HTTP surface, as GoTrue's clients call it.
import { Hono } from 'hono'
import { renderRefusals } from '#platform/http/errors.ts'
import { leadMs } from '#platform/key-rotation.ts'
import { limitBody } from '#platform/http/bodies.ts'
import { onlyJson, setHeaders } from '#platform/http/middleware.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { accountRoutes } from './account-routes.ts'
import type { AccountsContext } from './accounts-context.ts'
import { factorRoutes } from './factor-routes.ts'
import { renderGoTrueRefusal } from './gotrue.ts'
import type { Guard } from './guard.ts'
import { sessionRoutes } from './session-routes.ts'

const maxBody = 16 * 1024

/** A new key signs a minute after it is published here. */
const maxAge = leadMs / 2 / 1000

/** auth-js reads a refusal's `code` only under the version header. */
const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Supabase-Api-Version': '2024-01-01',
}

export function createRoutes(context: AccountsContext, guard: Guard) {
  return new Hono<ApiEnv>()
    .use(renderRefusals(renderGoTrueRefusal), setHeaders(headers), onlyJson, limitBody(maxBody))
    .route('/', sessionRoutes(context))
    .route('/', accountRoutes(context, guard))
    .route('/factors', factorRoutes(context, guard))
    .get('/.well-known/jwks.json', async (c) => {
      c.header('Cache-Control', `public, max-age=${maxAge}`)
      return c.json(await context.keys.publicKeys())
    })
}
