// The routes of second factors, recovery codes and passkeys.
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { accountProblem } from './problem.ts'
import type { AccountsContext } from './accounts-context.ts'
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
import {
  sessionDocument,
  codeRequest,
  deviceOf,
  enrolRequest,
  proofRequest,
  readBody,
  readOptionalBody,
  recoveryCodeRequest,
  recoveryCodesRequest,
  passkeyChange,
  passkeyRequest,
  registrationRequest,
} from './gotrue.ts'
import type { Guard } from './guard.ts'
import type { Session } from './sessions.ts'
import { listPasskeys, namePasskey } from './own-account.ts'

export function factorRoutes(context: AccountsContext, guard: Guard): Hono {
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
