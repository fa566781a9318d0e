import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryFirst } from '#platform/db/query.ts'
import { senderOf } from '#platform/mail.ts'
import type { MailShop } from '#domains/mail/shop.ts'

/** Of the settings or the book, else of the first admin. The sender's is the last: it may have no mailbox. */
export async function findAuthorEmail(
  { config, settings, db }: Pick<MailShop, 'config' | 'settings' | 'db'>,
  ofBook: string | null,
): Promise<string> {
  const chosen = config.adminEmail ?? ofBook
  if (chosen) return chosen
  const query = sql`
    select email from profiles join user_roles using (user_id) where role = 'admin' order by created_at limit 1`
  const admin = await queryFirst(db, z.object({ email: z.string() }), query)
  return admin?.email ?? senderOf(settings).address
}
