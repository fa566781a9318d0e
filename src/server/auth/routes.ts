// The auth service's HTTP surface, as GoTrue's clients call it: parse, guard, one call, answer.
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../problem.ts'
import { clientIp, clientNetwork } from '../client-ip.ts'
import { accountMailJob } from './account-mail.ts'
import { changeAccount } from './change-account.ts'
import { factorRoutes } from './factor-routes.ts'
import { refuse, sessionDocument, userDocument } from './gotrue.ts'
import { bearerToken, type Guard } from './guard.ts'
import { ownPath } from './links.ts'
import type { Device, Parts } from './parts.ts'
import { pressLink } from './press-link.ts'
import * as requests from './requests.ts'
import { parse, readBody } from './requests.ts'
import { renewSession } from './sessions.ts'
import { signIn, signUp } from './sign-in.ts'
import { signOut } from './sign-out.ts'

const maxBody = 16 * 1024

export function createRoutes(parts: Parts, guard: Guard) {
  const { db, queue, limits, config } = parts
  const device = (c: Context) => deviceOf(c, config.trustedProxies)
  const path = (c: Context) => ownPath(config.siteUrl, c.req.query('redirect_to'))

  const app = new Hono()
  app.onError((error, c) => refuse(error, c, parts))
  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('X-Supabase-Api-Version', '2024-01-01')
    // A form of another site can post anything but this type, and so cannot make its visitors ask for mails.
    const isJson = /^application\/json\b/i.test(c.req.header('content-type') ?? '')
    const hasBody =
      Number(c.req.header('content-length')) > 0 || c.req.header('transfer-encoding') !== undefined
    if (hasBody && !isJson) throw new Problem('request.unsupported_type')
    await next()
  })
  app.use(
    bodyLimit({
      maxSize: maxBody,
      onError: () => {
        throw new Problem('request.too_large')
      },
    }),
  )

  app.post('/signup', async (c) => {
    const { data, ...credentials } = await readBody(c, requests.signUpRequest)
    const wish = { ...credentials, user_metadata: withoutNulls(data), path: path(c) }
    return c.json(userDocument(await signUp(parts, wish, device(c))))
  })

  app.post('/token', async (c) => {
    switch (c.req.query('grant_type')) {
      case 'password': {
        const credentials = await readBody(c, requests.passwordRequest)
        return c.json(await sessionDocument(parts, await signIn(parts, credentials, device(c))))
      }
      case 'refresh_token': {
        const { refresh_token } = await readBody(c, requests.refreshRequest)
        return c.json(await sessionDocument(parts, await renewSession(parts, refresh_token, device(c))))
      }
      default:
        throw new Problem('auth.validation_failed')
    }
  })

  app.post('/verify', async (c) => {
    const { type, token_hash } = await readBody(c, requests.verifyRequest)
    return c.json(
      await sessionDocument(parts, await pressLink(parts, { type, token: token_hash, device: device(c) })),
    )
  })

  app.post('/recover', async (c) => {
    const { email } = await readBody(c, requests.recoverRequest)
    await limits.mail(email, device(c).network)
    await queue.enqueue(db, accountMailJob, { kind: 'recovery', email, path: path(c) })
    return c.json({})
  })

  app.post('/resend', async (c) => {
    const { email, type } = await readBody(c, requests.resendRequest)
    await limits.mail(email, device(c).network)
    const kind = type === 'signup' ? 'verify_again' : 'email_change_again'
    await queue.enqueue(db, accountMailJob, { kind, email, path: path(c) })
    return c.json({})
  })

  app.post('/logout', async (c) => {
    const scope = parse(requests.scope, c.req.query('scope'))
    await signOut(parts, bearerToken(c), scope)
    return c.body(null, 204)
  })

  app.get('/user', async (c) => {
    const { id } = await guard.identify(c)
    return c.json(userDocument(await parts.accounts.getById(id)))
  })

  app.put('/user', async (c) => {
    const caller = await guard.identify(c)
    const change = { ...(await readBody(c, requests.changeRequest)), path: path(c) }
    return c.json(userDocument(await changeAccount(parts, caller, change, device(c))))
  })

  app.route('/factors', factorRoutes(parts, guard))

  app.get('/.well-known/jwks.json', async (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.json(await parts.keys.publicKeys())
  })

  app.all('*', () => {
    throw new Problem('request.not_found')
  })
  return app
}

function deviceOf(c: Context, trustedProxies: number): Device {
  return {
    ip: clientIp(c, trustedProxies),
    network: clientNetwork(c, trustedProxies),
    user_agent: c.req.header('user-agent')?.slice(0, 300) ?? null,
  }
}

function withoutNulls(data: Record<string, unknown> = {}) {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}
