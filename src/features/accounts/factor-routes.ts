// The second factor's part of the HTTP surface, under /factors.
import { Hono } from 'hono'
import { z } from 'zod'
import { Problem } from '../../problems.ts'
import { challengeFactor, enrolFactor, removeFactor, verifyFactor } from './factors.ts'
import { sessionDocument } from './gotrue.ts'
import type { Guard } from './guard.ts'
import type { AccountsContext } from './accounts-context.ts'
import { codeRequest, deviceOf, enrolRequest, proofRequest, readBody, readOptionalBody } from './requests.ts'

export function factorRoutes(context: AccountsContext, guard: Guard) {
  const app = new Hono()

  app.post('/', async (c) => {
    const caller = await guard.identify(c)
    const enrolment = await readBody(c, enrolRequest)
    return c.json(await enrolFactor(context, caller, enrolment, deviceOf(c, context.config)))
  })

  app.post('/:id/challenge', async (c) => {
    const caller = await guard.identify(c)
    return c.json(await challengeFactor(context, caller, factorId(c.req.param('id'))))
  })

  app.post('/:id/verify', async (c) => {
    const caller = await guard.identify(c)
    const response = { ...(await readBody(c, codeRequest)), factor_id: factorId(c.req.param('id')) }
    const session = await verifyFactor(context, caller, response, deviceOf(c, context.config))
    return c.json(
      await sessionDocument(context, { session, account: await context.accounts.getById(caller.id) }),
    )
  })

  app.delete('/:id', async (c) => {
    const caller = await guard.identify(c)
    const id = factorId(c.req.param('id'))
    const { current_password } = await readOptionalBody(c, proofRequest)
    await removeFactor(context, caller, { factor_id: id, current_password }, deviceOf(c, context.config))
    return c.json({ id })
  })

  return app
}

function factorId(given: string): string {
  const parsed = z.uuid().safeParse(given)
  if (!parsed.success) throw new Problem('auth.mfa_factor_not_found')
  return parsed.data
}
