// How sessions begin, go on and end: /token, /verify, /logout.
import { Hono, type Context } from 'hono'
import { signInCredentials } from './contract/credentials.ts'
import { Problem } from '../../problems.ts'
import { sessionDocument, type SignedIn } from './gotrue.ts'
import { bearerToken } from './guard.ts'
import type { AccountsContext } from './accounts-context.ts'
import { pressLink } from './follow-link.ts'
import { renewSession } from './renew-session.ts'
import {
  deviceOf,
  parse,
  proofRequest,
  readBody,
  readOptionalBody,
  refreshRequest,
  scope,
  verifyRequest,
} from './requests.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export function sessionRoutes(context: AccountsContext): Hono {
  const device = (c: Context) => deviceOf(c, context.config)
  const welcome = async (c: Context, signedIn: SignedIn) => c.json(await sessionDocument(context, signedIn))
  const app = new Hono()

  app.post('/token', async (c) => {
    switch (c.req.query('grant_type')) {
      case 'password': {
        const credentials = await readBody(c, signInCredentials)
        return welcome(c, await signIn(context, credentials, device(c)))
      }
      case 'refresh_token': {
        const { refresh_token } = await readBody(c, refreshRequest)
        return welcome(c, await renewSession(context, refresh_token, device(c)))
      }
      default:
        throw new Problem('auth.validation_failed')
    }
  })

  app.post('/verify', async (c) => {
    const { type, token_hash: token } = await readBody(c, verifyRequest)
    return welcome(c, await pressLink(context, { type, token, device: device(c) }))
  })

  // 204 tells only that the caller's own session has ended: `global` without a recent proof ends no other.
  app.post('/logout', async (c) => {
    const { current_password } = await readOptionalBody(c, proofRequest)
    const asked = parse(scope, c.req.query('scope'))
    const { network } = device(c)
    await signOut(context, { token: bearerToken(c), scope: asked, current_password, network })
    return c.body(null, 204)
  })

  return app
}
