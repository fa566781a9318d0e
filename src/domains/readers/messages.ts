import { z } from 'zod'
import { queryOne, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL, asc } from 'drizzle-orm'
import {
  trashDays,
  type Message,
  type messageChange,
  type MessageListRequest,
  type MessageState,
  maxSnippets,
  type Snippet,
  type snippetRequest,
  type contactMessage,
} from '#contract/readers/messages.ts'
import type { Page } from '#contract/fields.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { contact_messages, reply_snippets } from '#tables/readers.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { v7 as uuidv7 } from 'uuid'
import { defineJob } from '#platform/queue.ts'
import { facts, quiet, quotation, renderEmail, plainLine, plainName } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { readerRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

// Messages to the author: how they arrive, and how the author reads them.

const pageSize = 30
const maxCounted = 100

export async function listMessages(
  db: Db,
  { only, state, after }: MessageListRequest,
): Promise<Page<Message> & { unread: number; unanswered: number }> {
  const { created_at, id, read_at, deleted_at } = contact_messages
  const place = readCursor(after, momentKey)
  const isAfter = place && sql`(${created_at}, ${id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`
  const [rows, unread, unanswered] = await Promise.all([
    db
      .select({ row: contact_messages, place: sql<string>`${created_at}::text` })
      .from(contact_messages)
      .where(and(isNull(deleted_at), only && isNull(read_at), state && inState(state), isAfter))
      .orderBy(desc(created_at), desc(id))
      .limit(pageSize + 1),
    countMessages(db, sql`read_at is null`),
    countUnanswered(db),
  ])
  const page = toPage(rows, pageSize, {
    item: ({ row }) => toMessage(row),
    key: ({ row, place: at }) => [at, row.id],
  })
  return { ...page, unread, unanswered }
}

/** Up to 100. */
export function countUnanswered(db: Db): Promise<number> {
  return countMessages(db, sql`answered_at is null and done_at is null`)
}

async function countMessages(db: Db, fits: SQL): Promise<number> {
  const { count } = await queryOne(
    db,
    z.object({ count: z.number() }),
    sql`
    select count(*) from (
      select from contact_messages where deleted_at is null and ${fits} limit ${maxCounted}) found`,
  )
  return count
}

function inState(state: MessageState) {
  const { answered_at, done_at } = contact_messages
  if (state === 'done') return isNotNull(done_at)
  return and(isNull(done_at), state === 'new' ? isNull(answered_at) : isNotNull(answered_at))
}

export function toMessage(row: typeof contact_messages.$inferSelect): Message {
  const { id, name, email, subject, message, created_at, read_at } = row
  return {
    id,
    name,
    email,
    subject,
    message,
    created_at: created_at.toISOString(),
    is_read: read_at !== null,
    state: stateOf(row),
  }
}

export function stateOf({
  answered_at,
  done_at,
}: Pick<typeof contact_messages.$inferSelect, 'answered_at' | 'done_at'>): MessageState {
  if (done_at) return 'done'
  return answered_at ? 'answered' : 'new'
}

export async function markMessage(
  { db, clock }: BookShop,
  id: string,
  { is_read, is_done }: z.output<typeof messageChange>,
) {
  const at = (isOn: boolean) => (isOn ? clock() : null)
  return change(db, id, {
    ...(is_read !== undefined && { read_at: at(is_read) }),
    // What is done has been read.
    ...(is_done !== undefined && { done_at: at(is_done), ...(is_done && { read_at: clock() }) }),
  })
}

/** Deleted, it can be brought back for 30 days. */
export async function deleteMessage(
  { db, clock }: BookShop,
  actor: Actor,
  id: string,
  isDeleted: boolean,
): Promise<Message> {
  return db.transaction(async (tx) => {
    const changed = await change(tx, id, { deleted_at: isDeleted ? clock() : null })
    const action = isDeleted ? 'messages.deleted' : 'messages.restored'
    await recordAuditEvent(tx, actor, { action, subject: changed.email, subject_id: id })
    return changed
  })
}

async function change(
  db: Pick<Db, 'update'>,
  id: string,
  set: Partial<typeof contact_messages.$inferInsert>,
): Promise<Message> {
  const [row] = await db.update(contact_messages).set(set).where(eq(contact_messages.id, id)).returning()
  if (!row) throw readerProblem('messages.not_found')
  return toMessage(row)
}

export async function sweepMessages({ db, clock }: BookShop): Promise<void> {
  const { deleted_at } = contact_messages
  const old = new Date(clock().getTime() - trashDays * 24 * 3_600_000)
  await db.delete(contact_messages).where(and(isNotNull(deleted_at), lt(deleted_at, old)))
}

// The author's stock answers, which are put into a reply.

export async function listSnippets(db: Db): Promise<{ items: Snippet[] }> {
  const { id, title, body } = reply_snippets
  const items = await db.select({ id, title, body }).from(reply_snippets).orderBy(asc(title), asc(id))
  return { items }
}

export async function saveSnippet(
  db: Db,
  id: string,
  { title, body }: z.output<typeof snippetRequest>,
): Promise<Snippet> {
  return db.transaction(async (tx) => {
    // Of two that are added at once, the second counts the first.
    await tx.execute(sql`lock table ${reply_snippets} in share row exclusive mode`)
    const [changed] = await tx
      .update(reply_snippets)
      .set({ title, body })
      .where(eq(reply_snippets.id, id))
      .returning({ id: reply_snippets.id })
    if (!changed) {
      if ((await tx.$count(reply_snippets)) >= maxSnippets) throw readerProblem('messages.snippets_full')
      await tx.insert(reply_snippets).values({ id, title, body })
    }
    return { id, title, body }
  })
}

export async function deleteSnippet(db: Db, id: string): Promise<Snippet> {
  const [deleted] = await db.delete(reply_snippets).where(eq(reply_snippets.id, id)).returning()
  if (!deleted) throw readerProblem('messages.snippet_not_found')
  return { id, title: deleted.title, body: deleted.body }
}

// A message is saved first, then mailed (and posted to an outside form service, when one is set).

export async function receiveMessage(
  services: BookShop,
  { website, key, ...message }: z.output<typeof contactMessage>,
): Promise<void> {
  if (website) throw readerProblem('contact.not_accepted')
  await services.db.transaction((tx) => insertMessage(tx, services, message, key))
}

type NewMessage = Pick<typeof contact_messages.$inferInsert, 'name' | 'email' | 'subject' | 'message'>

/** The same words under the same key are stored once; other words under it are another message. */
export async function insertMessage(
  tx: Transaction,
  shop: BookShop,
  message: NewMessage,
  id: string = uuidv7(),
): Promise<void> {
  const { queue, config } = shop
  const values = { id, ...message }
  const [stored] = await tx.insert(contact_messages).values(values).onConflictDoNothing().returning()
  if (!stored && (await isStored(tx, id, message))) return
  if (!stored) return insertMessage(tx, shop, message)
  await queue.enqueue(tx, contactNoticeJob, { message_id: id })
  if (config.contactFormUrl) await queue.enqueue(tx, contactForwardJob, { message_id: id })
}

async function isStored(tx: Transaction, key: string, written: NewMessage): Promise<boolean> {
  const { id, name, email, subject, message } = contact_messages
  const isSame = and(
    eq(id, key),
    eq(name, written.name),
    eq(email, written.email),
    eq(subject, written.subject),
    eq(message, written.message),
  )
  return (await tx.$count(contact_messages, isSame)) > 0
}

const payload = z.object({ message_id: z.uuid() })

/** A reply to this email goes to the visitor. */
export const contactNoticeJob = defineMailJob({
  name: 'mail.contact',
  kinds: ['contact'],
  payload,
  async compose(services: BookShop, { message_id }, branding) {
    const loaded = await findMessage(services, message_id)
    if (!loaded || !services.settings.get().author_emails.message) return undefined
    const { email, message } = loaded
    const [name, subject] = [plainName(loaded.name), plainLine(loaded.subject, 150)]
    const rendered = await renderEmail({
      subject: fill(emailsTexts.contact.subject, { name, subject }),
      preview: message.slice(0, 120),
      title: emailsTexts.contact.title,
      branding,
      children: [
        facts([
          [emailsTexts.contact.from, name],
          [emailsTexts.contact.email, email],
          [emailsTexts.contact.subjectLabel, subject],
        ]),
        quotation(message),
        quiet(replyText(name, branding.replyTime)),
      ],
    })
    return { kind: 'contact', message_id, email: { ...rendered, to: branding.authorEmail, replyTo: email } }
  },
})

function replyText(name: string, time: string): string {
  const { reply, replyPromised } = emailsTexts.contact
  return time ? fill(replyPromised, { name, time }) : fill(reply, { name })
}

export const contactForwardJob = defineJob({
  name: 'contact.forward',
  payload,
  async run(services: BookShop, { message_id }) {
    const message = await findMessage(services, message_id)
    const url = services.config.contactFormUrl
    if (!message || !url) return
    const { name, email, subject, message: text } = message
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ name, email, subject, message: text }),
      signal: AbortSignal.timeout(15_000),
    })
    if (!response.ok) throw new Error(`the form service answered ${response.status}`)
  },
})

async function findMessage({ db }: BookShop, id: string) {
  const [message] = await db.select().from(contact_messages).where(eq(contact_messages.id, id))
  return message
}

export const readerProblem = problems(readerRefusals)
