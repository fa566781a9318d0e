// The routes of passkeys as auth-js calls them: `passkey`, `registerPasskey` and `signInWithPasskey`.
import { Hono, type Context } from 'hono'
import type { AccountsContext } from './accounts-context.ts'
import { listPasskeys, namePasskey } from './own-passkeys.ts'
import {
  sessionDocument,
  deviceOf,
  proofRequest,
  readBody,
  readOptionalBody,
  passkeyChange,
  passkeyRequest,
  registrationRequest,
} from './gotrue.ts'
import type { Guard } from './guard.ts'
import { removeFactor } from './enrolled-factors.ts'
import { signInByPasskey, startPasskeySignIn, finishRegistration, startRegistration } from './passkeys.ts'
import { factorId } from './factors.routes.ts'

export function passkeyRoutes(context: AccountsContext, guard: Guard): Hono {
  const device = (c: Context) => deviceOf(c, context.config)
  const app = new Hono()

  app.post('/registration/options', async (c) => {
    const caller = await guard.identify(c)
    const proof = await readOptionalBody(c, proofRequest)
    return c.json(await startRegistration(context, caller, proof, device(c)))
  })

  app.post('/registration/verify', async (c) => {
    const caller = await guard.identify(c)
    const registration = await readBody(c, registrationRequest)
    return c.json(await finishRegistration(context, caller, registration, device(c)))
  })

  app.post('/authentication/options', async (c) => c.json(await startPasskeySignIn(context, device(c))))

  app.post('/authentication/verify', async (c) => {
    const body = await readBody(c, passkeyRequest)
    return c.json(await sessionDocument(context, await signInByPasskey(context, body, device(c))))
  })

  app.get('/', async (c) => c.json(await listPasskeys(context, await guard.identify(c))))

  app.patch('/:id', async (c) => {
    const caller = await guard.identify(c)
    const { friendly_name } = await readBody(c, passkeyChange)
    return c.json(await namePasskey(context, caller, { id: factorId(c.req.param('id')), friendly_name }))
  })

  app.delete('/:id', async (c) => {
    const caller = await guard.identify(c)
    const { current_password } = await readOptionalBody(c, proofRequest)
    await removeFactor(
      context,
      caller,
      { factor_id: factorId(c.req.param('id')), current_password },
      device(c),
    )
    return c.body(null, 204)
  })

  return app
}
