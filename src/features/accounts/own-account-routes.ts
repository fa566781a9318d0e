// One's own account. Name, password, address and second factors change by GoTrue's calls (routes.ts).
import { createApi, ok, route } from '#platform/http/route.ts'
import type { WithAuth } from './auth.ts'
import { ownAccount } from './contract/own-account.ts'

export function ownAccountApi({ auth: { own, requireUser: middleware } }: WithAuth) {
  return createApi().openapi(
    route('get', '/account', { middleware, returns: ok(ownAccount, 'One’s own account') }),
    async (c) => c.json(await own.get(c.var.user.id), 200),
  )
}
