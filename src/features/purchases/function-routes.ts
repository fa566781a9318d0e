// POST /functions/v1/send-purchase-email
import { Hono } from 'hono'
import { z } from 'zod'
import { id } from '#platform/contract/fields.ts'
import { functionRefusals, readFunctionRequest } from '#platform/http/errors.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { sendReceipt } from './receipts.ts'

/** The other fields of the call (addresses, names, prices) are read from the database instead. */
const purchaseEmailRequest = z.object({ purchaseId: id })

export function receiptFunction(services: Services & WithAuth) {
  const limit = limitPerAccount(services, 'receipts', { limit: 20, windowSeconds: 3600 })
  const guard = [functionRefusals, services.auth.requireUser, limit] as const
  return new Hono<ApiEnv>().post('/send-purchase-email', ...guard, async (c) => {
    const { purchaseId } = await readFunctionRequest(c, purchaseEmailRequest)
    const { isOnItsWay } = await sendReceipt(services, { user_id: c.var.user.id, purchase_id: purchaseId })
    const message = isOnItsWay
      ? 'The confirmation email is on its way.'
      : 'The confirmation email was sent a moment ago. Please look into your mailbox, and into its spam folder.'
    return c.json({ success: true, message })
  })
}
