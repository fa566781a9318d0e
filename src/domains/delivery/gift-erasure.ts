// The erasure of an account deletes this of gifts, in this order.
import { sql, type SQL } from 'drizzle-orm'
import { isOfErased, type Erased } from '#domains/accounts/erased-accounts.ts'

/** The order matters. A link that was sent still opens the gift of a buyer who is erased. */
export const giftErasure: readonly ((erased: Erased) => SQL)[] = [
  ({ purchase_ids }) => sql`
    update purchase_gifts set sender_name = '', note = '' where purchase_id = any(${purchase_ids})`,
  // A gift that was not opened goes back to its buyer.
  (erased) => sql`
    delete from purchase_gifts where purchase_id is not null and opened_at is null and ${isOfErased(sql`email`, erased)}`,
  (erased) => sql`
    delete from gift_links where purchase_id in (
        select purchase_id from purchase_gifts where ${isOfErased(sql`email`, erased)})
      or revision in (select revision from purchase_gifts where ${isOfErased(sql`email`, erased)})`,
  (erased) => sql`
    update purchase_gifts set email = '', recipient_name = '', note = '' where ${isOfErased(sql`email`, erased)}`,
]
