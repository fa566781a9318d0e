// The account itself: /signup, /recover, /resend, /user.
import { Hono, type Context } from 'hono'
import { accountMailJob } from './account-mail.ts'
import { recoverRequest } from './contract/credentials.ts'
import { changeAccount } from './change-account.ts'
import { userDocument } from './gotrue.ts'
import type { Guard } from './guard.ts'
import { ownPath } from './links.ts'
import type { AccountsContext } from './accounts-context.ts'
import { requireSecondFactor } from './recent-proof.ts'
import { changeRequest, deviceOf, readBody, resendRequest, signUpRequest } from './requests.ts'
import { signUp } from './sign-in.ts'

export function accountRoutes(context: AccountsContext, guard: Guard): Hono {
  const { db, queue, limits, accounts, config, settings, clock } = context
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
    await limits.mail(email, device(c))
    await queue.enqueue(db, accountMailJob, { kind: 'recovery', email, path: path(c) })
    return c.json({})
  })

  app.post('/resend', async (c) => {
    const { email, type } = await readBody(c, resendRequest)
    await limits.mail(email, device(c))
    const kind = type === 'signup' ? 'verify_again' : 'email_change_again'
    await queue.enqueue(db, accountMailJob, { kind, email, path: path(c) })
    return c.json({})
  })

  app.get('/user', async (c) => {
    const { id } = await guard.identify(c)
    return c.json(userDocument(await accounts.getById(id), clock()))
  })

  app.put('/user', async (c) => {
    const caller = await guard.identify(c)
    requireSecondFactor(caller)
    const change = { ...(await readBody(c, changeRequest)), path: path(c) }
    return c.json(userDocument(await changeAccount(context, caller, change, device(c)), clock()))
  })

  return app
}

function withoutNulls(data: Record<string, unknown> = {}) {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}
