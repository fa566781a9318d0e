// The choice of emails that a reader wants, made on the account page or by the link in each of these emails.
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import type { LinkedMailChoices, MailChoices } from '#contract/delivery/editions.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { endSubscription } from '#domains/mail/subscribers.ts'
import { subscribers } from '#tables/mail.ts'
import { mail_choices } from '#tables/delivery.ts'

const newToken = () => randomBytes(16).toString('base64url')

/** Makes the token with the first email; it stays the same after that, for each email has it. */
export async function findChoicesToken(db: Db, user_id: string): Promise<string> {
  const [row] = await db
    .insert(mail_choices)
    .values({ user_id, token: newToken() })
    .onConflictDoUpdate({ target: mail_choices.user_id, set: { token: sql`${mail_choices.token}` } })
    .returning({ token: mail_choices.token })
  if (!row) throw new Error('an upsert returned no row')
  return row.token
}

export async function getOwnChoices(db: Db, user_id: string): Promise<MailChoices> {
  const [row] = await db.select().from(mail_choices).where(eq(mail_choices.user_id, user_id))
  return { has_editions: row?.has_editions ?? true }
}

export async function saveOwnChoices(db: Db, user_id: string, choices: MailChoices): Promise<void> {
  await db
    .insert(mail_choices)
    .values({ user_id, token: newToken(), ...choices })
    .onConflictDoUpdate({ target: mail_choices.user_id, set: choices })
}

const addressOf = (token: string) => sql`
  (select lower(u.email) from mail_choices c join auth.users u on u.id = c.user_id where c.token = ${token})`

export async function findLinkedChoices(db: Db, token: string): Promise<LinkedMailChoices | undefined> {
  const { has_editions } = mail_choices
  const gets_letters = sql<boolean>`exists (
    select from subscribers s where s.email = ${addressOf(token)} and s.confirmed_at is not null and s.ended_at is null)`
  const [row] = await db
    .select({ has_editions, gets_letters })
    .from(mail_choices)
    .where(eq(mail_choices.token, token))
  return row
}

/** A link in an email cannot switch the letters on: that takes a sign-in, or the mailbox. */
export async function endLinkedLetters({ db, clock }: Pick<CommerceShop, 'db' | 'clock'>, token: string) {
  await endSubscription(db, sql`${subscribers.email} = ${addressOf(token)}`, clock())
}

export async function saveLinkedChoices(db: Db, token: string, choices: MailChoices): Promise<void> {
  await db.update(mail_choices).set(choices).where(eq(mail_choices.token, token))
}
