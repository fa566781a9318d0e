// Declarations that a buyer wants the money back: made, decided and looked at.
import { someAddress } from './addresses.ts'
import { age } from './changes.ts'
import { own } from './paying.ts'
import type { TestShop } from './shop.ts'
import type { Person } from './users.ts'

export const press = (person: Person, id: string, reason = '') =>
  person.call('POST', `/api/purchases/${id}/refund`, { body: { reason } })

export const decide = (admin: Person, id: string, decision: 'refund' | 'refuse', body: object = {}) =>
  admin.call('POST', `/api/admin/payments/withdrawal/${id}/${decision}`, { body })

export const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

/** As the author sends it to `country`, that many days ago. */
export async function ship(shop: TestShop, id: string, { country = 'DE', daysAgo = 0 } = {}) {
  const { line1, name, city, postal_code } = someAddress
  const { pool } = shop.services.database
  await pool.query('update purchases set country = $2 where id = $1', [id, country])
  await pool.query(
    `update shipments set name = $2, line1 = $3, city = $4, postal_code = $5, country = $6,
       shipped_at = now() - make_interval(days => $7) where purchase_id = $1`,
    [id, name, line1, city, postal_code, country, daysAgo],
  )
}

/** As in an order from before the shop asked for addresses. */
export async function loseAddress({ services }: TestShop, id: string) {
  await services.database.pool.query(
    'update shipments set name = null, line1 = null, city = null, country = null where purchase_id = $1',
    [id],
  )
}

export const bought = ({ services }: TestShop, id: string, daysAgo: number) =>
  age(services.database, 'purchases.created_at', `${daysAgo} days`, { id })

export const mails = async (shop: TestShop, to: string, subject: RegExp) =>
  (await shop.mailbox.all()).filter(
    (mail) => JSON.stringify(mail.to).includes(to) && subject.test(mail.subject ?? ''),
  )

export const ofPurchase = async (person: Person, id: string) =>
  (await own(person)).find((each) => each.id === id)!
