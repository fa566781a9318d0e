// Payments of the caller's own purchases: settling one now.
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { createApi, idParam, ok, route } from '#platform/http/route.ts'
import { Refusal } from '#platform/refusal.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { purchase } from '../purchases/contract/purchases.ts'
import { getOwnPurchase } from '../purchases/purchases.ts'
import { settlePurchase } from './settle.ts'

export function paymentsApi(services: Services & WithAuth) {
  const { requireUser } = services.auth

  return createApi().openapi(
    route('post', '/purchases/{id}/settle', {
      params: idParam,
      middleware: [requireUser, limitPerAccount(services, 'settle', { limit: 60, windowSeconds: 600 })],
      returns: ok(purchase, 'The purchase, as its payment has it now'),
    }),
    async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      await getOwnPurchase(services.db, own)
      await settlePurchase(services, own.purchase_id).catch(refuseUnchecked)
      return c.json(await getOwnPurchase(services.db, own), 200)
    },
  )
}

/** A buyer who comes back from paying did not ask whether payments are available. */
function refuseUnchecked(error: unknown): never {
  const isDenied = error instanceof Refusal && error.code === 'payments.not_available'
  if (!isDenied) throw error
  throw new Problem(error.code, { detail: notChecked, cause: error })
}

const notChecked = 'Your payment could not be checked yet. Please look here again later.'
