// The two functions the spec calls by name, under that name, with its answers: {success, message | error}.
import { Refusal } from '#platform/refusal.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { createUserRequest } from '../accounts/contract/accounts.ts'
import { id } from '#platform/contract/fields.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { sendReceipt } from '../purchases/receipts.ts'
import { createUser } from './users.ts'
import { actorOf } from '../audit/actor.ts'
import { limitPerAccount } from '#platform/http/limits.ts'
import { fieldsOf, type ApiEnv } from '#platform/http/route.ts'

/** The rest of what the spec's client sends is the server's own to know. */
const purchaseEmailRequest = z.object({ purchaseId: id })

export function functionsApi(services: Services & WithAuth) {
  const { auth } = services
  const mailLimit = limitPerAccount(services, 'receipts', { limit: 20, windowSeconds: 3600 })

  return new Hono<ApiEnv>()
    .post('/send-purchase-email', auth.requireUser, mailLimit, async (c) => {
      const { purchaseId } = parse(purchaseEmailRequest, await readJson(c))
      const wanted = { user_id: c.var.user.id, purchase_id: purchaseId }
      const { isOnItsWay } = await sendReceipt(services, wanted)
      const message = isOnItsWay
        ? 'The confirmation e-mail is on its way.'
        : 'The confirmation e-mail was sent a moment ago. Please look into your mailbox, and into its spam folder.'
      return c.json({ success: true, message })
    })
    .post('/admin-create-user', auth.requireUser, auth.requireAdmin, auth.requireRecentSignIn, async (c) => {
      const { displayName, ...account } = parse(createUserRequest, await readJson(c))
      await createUser(services, actorOf(c, services), { ...account, display_name: displayName })
      return c.json({ success: true, message: `User ${account.email} was created.` })
    })
    .onError((error, c) => {
      if (!(error instanceof Refusal)) throw error
      const [complaint] = Object.values(error.fields ?? {})
      if (error.retryAfter) c.header('Retry-After', String(error.retryAfter))
      return c.json({ success: false, error: complaint ?? error.message }, error.status as 400)
    })
}

function readJson(c: Context): Promise<unknown> {
  return c.req.json().catch(() => {
    throw new Problem('request.malformed')
  })
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw new Problem('request.invalid', { fields: fieldsOf(parsed.error) })
  return parsed.data
}
