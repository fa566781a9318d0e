// The choice of emails that a reader wants, made on the account page or by the link in each of these emails.
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import type { MailChoices } from '#contract/delivery/editions.ts'
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

export async function findLinkedChoices(db: Db, token: string): Promise<MailChoices | undefined> {
  const { has_editions } = mail_choices
  const [row] = await db.select({ has_editions }).from(mail_choices).where(eq(mail_choices.token, token))
  return row
}

export async function saveLinkedChoices(db: Db, token: string, choices: MailChoices): Promise<void> {
  await db.update(mail_choices).set(choices).where(eq(mail_choices.token, token))
}
