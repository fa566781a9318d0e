import { Hono, type Context } from 'hono'
import { limitBody } from '#platform/http/bodies.ts'
import { renderRefusals, onlyJson, setHeaders } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { accountProblem } from './accounts.ts'
import { accountMailJob } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import { mailAddressLinksAgain } from './address-changes.ts'
import { changeAccount, listPasskeys, namePasskey } from './own-account.ts'
import { recoverRequest, signInCredentials } from '#contract/accounts/accounts.ts'
import { findPurchaseNext } from '#contract/paths.ts'
import { giveMailedCode, pressLink, renewSession, signIn, signOut, signUp } from './sign-in.ts'
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
  codeRequest,
  enrolRequest,
  recoveryCodeRequest,
  recoveryCodesRequest,
  passkeyChange,
  passkeyRequest,
  registrationRequest,
} from './gotrue.ts'
import { bearerToken, type Guard, proveByCode, requireSecondFactor } from './guard.ts'
import { ownPath, deviceKey } from './links.ts'
import { z } from 'zod'
import {
  removeFactor,
  giveRecoveryCode,
  makeRecoveryCodes,
  readRecoveryCodes,
  removeRecoveryCodes,
  replaceRecoveryCodes,
} from './enrolled-factors.ts'
import {
  challengeFactor,
  enrolFactor,
  verifyFactor,
  givePasskey,
  signInByPasskey,
  startPasskeySignIn,
  finishRegistration,
  startRegistration,
} from './factors.ts'
import type { Session } from './sessions.ts'

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

// The routes of second factors, recovery codes and passkeys.

function factorRoutes(context: AccountsContext, guard: Guard): Hono {
  const device = (c: Context) => deviceOf(c, context.config)
  const app = new Hono().route('/recovery-codes', recoveryRoutes(context, guard))

  app.post('/', async (c) => {
    const caller = await guard.identify(c)
    const enrolment = await readBody(c, enrolRequest)
    return c.json(await enrolFactor(context, caller, enrolment, device(c)))
  })

  app.post('/:id/challenge', async (c) => {
    const caller = await guard.identify(c)
    return c.json(await challengeFactor(context, caller, factorId(c.req.param('id'))))
  })

  app.post('/:id/verify', async (c) => {
    const caller = await guard.identify(c)
    const body = await readBody(c, codeRequest)
    const factor_id = factorId(c.req.param('id'))
    const { challenge_id } = body
    const challenge = { factor_id, challenge_id }
    const session = await ('webauthn' in body
      ? givePasskey(
          context,
          caller,
          { ...challenge, credential: body.webauthn.credential_response },
          device(c),
        )
      : verifyFactor(context, caller, { ...challenge, code: body.code }, device(c)))
    return c.json(await raised(context, session))
  })

  app.delete('/:id', async (c) => {
    const caller = await guard.identify(c)
    const id = factorId(c.req.param('id'))
    const { current_password } = await readOptionalBody(c, proofRequest)
    await removeFactor(context, caller, { factor_id: id, current_password }, device(c))
    return c.json({ id })
  })

  return app
}

/** As auth-js calls them: `mfa.recoveryCodes`. */
function recoveryRoutes(context: AccountsContext, guard: Guard): Hono {
  const device = (c: Context) => deviceOf(c, context.config)
  const app = new Hono()

  app.get('/', async (c) => c.json(await readRecoveryCodes(context, await guard.identify(c))))

  app.post('/', async (c) => {
    const caller = await guard.identify(c)
    const wish = await readOptionalBody(c, recoveryCodesRequest)
    return c.json(await makeRecoveryCodes(context, caller, wish, device(c)))
  })

  app.post('/regenerate', async (c) => {
    const caller = await guard.identify(c)
    const wish = await readOptionalBody(c, proofRequest)
    return c.json(await replaceRecoveryCodes(context, caller, wish, device(c)))
  })

  app.post('/verify', async (c) => {
    const caller = await guard.identify(c)
    const { code } = await readBody(c, recoveryCodeRequest)
    return c.json(await raised(context, await giveRecoveryCode(context, caller, code, device(c))))
  })

  app.delete('/', async (c) => {
    const caller = await guard.identify(c)
    const wish = await readOptionalBody(c, proofRequest)
    return c.json(await removeRecoveryCodes(context, caller, wish, device(c)))
  })

  return app
}

async function raised(context: AccountsContext, session: Session) {
  return sessionDocument(context, { session, account: await context.accounts.getById(session.user_id) })
}

function factorId(id: string): string {
  const parsed = z.uuid().safeParse(id)
  if (!parsed.success) throw accountProblem('auth.mfa_factor_not_found')
  return parsed.data
}

// As auth-js calls them: `passkey`, `registerPasskey` and `signInWithPasskey`.

function passkeyRoutes(context: AccountsContext, guard: Guard): Hono {
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
