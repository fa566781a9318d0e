// The password of a purchase (accounts/purchase-passwords.ts): who may choose one, and what it opens.
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import { purchases } from '../purchases/schema.ts'
import {
  addPasswordAccess,
  endPasswordAccess,
  requireAccess,
  type PurchaseAccess,
} from './purchase-access.ts'

const choice = z.object({ user_id: z.string(), is_chosen: z.boolean() })

/** Undefined unless this checkout has made the account, and nobody has confirmed its address. */
function findChoice(db: Db, purchase_id: string) {
  return queryFirst(
    db,
    choice,
    sql`
    select u.id as user_id, exists (select from auth.purchase_passwords where purchase_id = b.id) as is_chosen
    from purchases b join guest_checkouts g on g.purchase_id = b.id join auth.users u on u.id = b.user_id
    where b.id = ${purchase_id} and g.made_account and u.email_confirmed_at is null and ${isEntitled(sql`b`)}`,
  )
}

export async function passwordState(
  db: Db,
  { kind, purchase_id }: { kind: string; purchase_id: string },
): Promise<'offered' | 'chosen' | null> {
  const found = kind === 'browser' ? await findChoice(db, purchase_id) : undefined
  return found ? (found.is_chosen ? 'chosen' : 'offered') : null
}

type Device = Parameters<WithAuth['auth']['findByPurchasePassword']>[1]

/** Throws guest_checkout.password_not_offered. */
export async function choosePassword(
  services: Services & WithAuth,
  access: PurchaseAccess,
  { password, device }: { password: string; device: Device },
): Promise<void> {
  const { db, auth } = services
  const { purchase_id } = access
  const { kind } = await requireAccess(services, access)
  const found = kind === 'browser' ? await findChoice(db, purchase_id) : undefined
  if (!found) throw new Problem('guest_checkout.password_not_offered')
  await auth.choosePurchasePassword({ user_id: found.user_id, purchase_id, password, device })
  await endPasswordAccess(db, purchase_id)
}

export async function openByPassword(
  { db, auth, clock }: Services & WithAuth,
  { email, password, hash }: { email: string; password: string; hash: Buffer },
  device: Device,
) {
  const purchase_id = await auth.findByPurchasePassword({ email, password }, device)
  const { expires_at } = await addPasswordAccess(db, { purchase_id, hash }, clock())
  const [purchase] = await db
    .select({ product_id: purchases.product_id })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!purchase) throw new Problem('purchases.not_found')
  return { id: purchase_id, product_id: purchase.product_id, access_ends_at: expires_at.toISOString() }
}
