// What needs the author's attention: held payments to begin with, and the admin's calls on them.
import type { AttentionCount, AttentionItem, AttentionItemOf } from '#contract/payments/needs-attention.ts'
import { settlePurchase } from '#domains/payments/settle.ts'
import type { Page } from '#contract/fields.ts'
import type { Session, StripeStandIn } from '@lectern/stripe-stand-in'
import { buy, sessionOf } from './paying.ts'
import type { TestShop } from './shop.ts'
import type { Person } from './users.ts'

/** A purchase whose payment is changed by `spoil` before the shop reads it. */
export async function hold(
  shop: TestShop,
  stripe: StripeStandIn,
  person: Person,
  spoil: (session: Session) => void,
) {
  const { id } = await buy(shop, person)
  const session = sessionOf(stripe, id)
  stripe.pay(session.id)
  spoil(session)
  await settlePurchase(shop.services, id)
  return { id, session }
}

export const isCheaper = (session: Session) =>
  Object.assign(session, { amount_subtotal: 999, amount_total: 999 })
export const isEuros = (session: Session) => Object.assign(session, { currency: 'eur' })
export const isUnpaid = (session: Session) =>
  Object.assign(session, { status: 'open', payment_status: 'unpaid', payment_intent: null })

export const listAttentionItems = async (admin: Person, after = '') =>
  (await (
    await admin.call('GET', `/api/admin/payments${after && `?after=${after}`}`)
  ).json()) as Page<AttentionItem>

export const listHeld = async (admin: Person) =>
  (await listAttentionItems(admin)).items.filter(
    (need): need is AttentionItemOf<'held'> => need.kind === 'held',
  )

export const countAttentionItems = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/payments/count')).json()) as AttentionCount

export const press = (admin: Person, path: string, body: object = {}) =>
  admin.call('POST', `/api/admin/payments/${path}`, { body })

export async function listAuditEvents({ services }: TestShop): Promise<string[]> {
  const { rows } = await services.database.pool.query<{ action: string }>(
    'select action from audit_log order by created_at, id',
  )
  return rows.map(({ action }) => action)
}
