// The routes of sessions and of the own account, as GoTrue’s contract has them.
import { Hono, type Context } from 'hono'
import { limitBody } from '#platform/http/bodies.ts'
import { renderRefusals, onlyJson, setHeaders } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { accountProblem } from './accounts.ts'
import { accountMailJob } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import { mailAddressLinksAgain } from './address-changes.ts'
import { changeAccount } from './own-account.ts'
import { recoverRequest, signInCredentials } from '#contract/accounts/accounts.ts'
import { findPurchaseNext } from '#contract/paths.ts'
import { giveMailedCode, pressLink } from './mailed-sign-in.ts'
import { renewSession, signIn, signOut, signUp } from './sign-in.ts'
import {
  renderGoTrueRefusal,
  sessionDocument,
  type SignedIn,
  userDocument,
  changeRequest,
  deviceOf,
  otpRequest,
  parse,
  proofRequest,
  readBody,
  readOptionalBody,
  refreshRequest,
  resendRequest,
  scope,
  signUpRequest,
  verifyRequest,
} from './gotrue.ts'
import { bearerToken, type Guard } from './guard.ts'
import { proveByCode, requireSecondFactor } from './recent-proof.ts'
import { ownPath, deviceKey } from './links.ts'
import { factorRoutes } from './factors.routes.ts'
import { passkeyRoutes } from './passkeys.routes.ts'

const maxBody = 16 * 1024

/** Seconds. The key changes with the secret only. */
const maxAge = 30

/** auth-js reads a refusal's `code` only under the version header. */
const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Supabase-Api-Version': '2024-01-01',
}

/** GoTrue's own response after the first of two mailboxes, and ours to who has only the old one. */
const oneConfirmed = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
}
const bothConfirmed = { msg: 'Email address changed. Please sign in with the new one', code: '200' }

export function createRoutes(context: AccountsContext, guard: Guard) {
  return new Hono<ApiEnv>()
    .use(renderRefusals(renderGoTrueRefusal), setHeaders(headers), onlyJson, limitBody(maxBody))
    .route('/', sessionRoutes(context))
    .route('/', accountRoutes(context, guard))
    .route('/factors', factorRoutes(context, guard))
    .route('/passkeys', passkeyRoutes(context, guard))
    .get('/.well-known/jwks.json', async (c) => {
      c.header('Cache-Control', `public, max-age=${maxAge}`)
      return c.json(await context.keys.publicKeys())
    })
}

function sessionRoutes(context: AccountsContext): Hono {
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
        throw accountProblem('auth.validation_failed')
    }
  })

  app.post('/verify', async (c) => {
    const body = await readBody(c, verifyRequest)
    const pressed =
      'token_hash' in body
        ? await pressLink(context, { types: body.type, token: body.token_hash, device: device(c) })
        : await giveMailedCode(context, { ...body, types: body.type, code: body.token, device: device(c) })
    if (pressed === 'waits') return c.json(oneConfirmed)
    const { session, account } = pressed
    if (session) return welcome(c, { session, account })
    return c.json({ ...bothConfirmed, user: userDocument(account, context.clock()) })
  })

  // 204 says only that the own session has ended: `global` without a recent proof ends no other.
  app.post('/logout', async (c) => {
    const { current_password } = await readOptionalBody(c, proofRequest)
    const parsedScope = parse(scope, c.req.query('scope'))
    const { network } = device(c)
    await signOut(context, { token: bearerToken(c), scope: parsedScope, current_password, network })
    return c.body(null, 204)
  })

  return app
}

function accountRoutes(context: AccountsContext, guard: Guard): Hono {
  const { db, queue, limitMail, accounts, config, settings, clock } = context
  const device = (c: Context) => deviceOf(c, config)
  const path = (c: Context) => ownPath(settings.get().shop.site_url, c.req.query('redirect_to'))
  const app = new Hono()

  app.post('/signup', async (c) => {
    const { data, ...credentials } = await readBody(c, signUpRequest)
    const wish = { ...credentials, user_metadata: withoutNulls(data), path: path(c) }
    return c.json(userDocument(await signUp(context, wish, device(c)), clock()))
  })

  app.post('/recover', async (c) => {
    const { email } = await readBody(c, recoverRequest)
    const allowed = await limitMail({ email, purpose: 'new_password' }, device(c))
    await queue.enqueue(db, accountMailJob, { kind: 'recovery', email, path: path(c), ...allowed })
    return c.json({})
  })

  /** Makes no account: `create_user` is ignored. */
  app.post('/otp', async (c) => {
    const { email } = await readBody(c, otpRequest)
    const from = device(c)
    const next = path(c)
    const purpose = next === findPurchaseNext ? 'find_purchase' : 'sign_in'
    const allowed = await limitMail({ email, purpose }, from)
    const link = { email, path: next, device: deviceKey(from), ...allowed }
    await queue.enqueue(db, accountMailJob, { kind: 'sign_in', ...link })
    return c.json({})
  })

  app.post('/resend', async (c) => {
    const { email, type } = await readBody(c, resendRequest)
    const from = device(c)
    const link = { email, path: path(c) }
    if (type === 'email_change') {
      await mailAddressLinksAgain(context, { ...link, device: from })
    } else {
      await limitMail({ email, purpose: 'sign_up_again' }, from)
      await queue.enqueue(db, accountMailJob, { kind: 'verify_again', ...link, device: deviceKey(from) })
    }
    return c.json({})
  })

  app.get('/user', async (c) => {
    const { id } = await guard.identify(c)
    return c.json(userDocument(await accounts.getById(id), clock()))
  })

  app.put('/user', async (c) => {
    const caller = await guard.identify(c)
    requireSecondFactor(caller)
    const { nonce, ...asked } = await readBody(c, changeRequest)
    if (nonce !== undefined) await proveByCode(context, caller, nonce, device(c))
    const proven = nonce === undefined ? caller : await guard.identify(c)
    const change = { ...asked, path: path(c) }
    return c.json(userDocument(await changeAccount(context, proven, change, device(c)), clock()))
  })

  app.get('/reauthenticate', async (c) => {
    const caller = await guard.identify(c)
    requireSecondFactor(caller)
    const { email } = caller
    const from = device(c)
    await limitMail({ email, purpose: 'proof' }, from)
    await queue.enqueue(db, accountMailJob, { kind: 'reauthenticate', email, device: deviceKey(from) })
    return c.json({})
  })

  return app
}

function withoutNulls(data: Record<string, unknown> = {}) {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}
