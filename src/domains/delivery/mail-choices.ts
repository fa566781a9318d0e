// Which emails a reader wants, on the account page or by the link in each of these emails.
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { platformProblem } from '#platform/problem.ts'
import type { MailChoices } from '#contract/delivery/editions.ts'
import { mail_choices } from '#tables/editions.ts'

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

export async function getLinkedChoices(db: Db, token: string): Promise<MailChoices> {
  const [row] = await db.select().from(mail_choices).where(eq(mail_choices.token, token))
  if (!row) throw platformProblem('request.not_found')
  return { has_editions: row.has_editions }
}

export async function saveLinkedChoices(db: Db, token: string, choices: MailChoices): Promise<void> {
  const saved = await db
    .update(mail_choices)
    .set(choices)
    .where(eq(mail_choices.token, token))
    .returning({ user_id: mail_choices.user_id })
  if (saved.length === 0) throw platformProblem('request.not_found')
}
