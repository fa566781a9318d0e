// The routes of second factors and recovery codes, as GoTrue’s contract has them.
import { Hono, type Context } from 'hono'
import { accountProblem } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import {
  sessionDocument,
  deviceOf,
  proofRequest,
  readBody,
  readOptionalBody,
  codeRequest,
  enrolRequest,
  recoveryCodeRequest,
  recoveryCodesRequest,
} from './gotrue.ts'
import type { Guard } from './guard.ts'
import { z } from 'zod'
import { removeFactor } from './enrolled-factors.ts'
import {
  giveRecoveryCode,
  makeRecoveryCodes,
  readRecoveryCodes,
  removeRecoveryCodes,
  replaceRecoveryCodes,
} from './recovery-codes.ts'
import { challengeFactor, enrolFactor, verifyFactor } from './factors.ts'
import { givePasskey } from './passkeys.ts'
import type { Session } from './sessions.ts'

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

/** The routes are those that auth-js calls: `mfa.recoveryCodes`. */
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

export function factorId(id: string): string {
  const parsed = z.uuid().safeParse(id)
  if (!parsed.success) throw accountProblem('auth.mfa_factor_not_found')
  return parsed.data
}
