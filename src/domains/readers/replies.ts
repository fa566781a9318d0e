// A message to the author with its replies, and the sending of a reply by email.
import { eq, and, asc, desc, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { contact_messages, message_replies } from '#tables/readers.ts'
import type { Db } from '#platform/db/client.ts'
import { neighbors } from '#contract/fields.ts'
import { neighborsOf, queryOne } from '#platform/db/query.ts'
import { readerProblem } from './problem.ts'
import { stateOf, toMessage } from './messages.ts'
import { profiles } from '#tables/accounts.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { mails } from '#tables/mail.ts'
import { oldestMail } from '#domains/mail/mail-retention.ts'
import { selectOrders, toOrder } from '#domains/orders/purchases.ts'
import { purchases } from '#tables/orders.ts'
import type { MessageDetail, Reply, replyParams } from '#contract/readers/messages.ts'
import { listPossibleOrders } from './possible-orders.ts'
import { replyEmail, replyJob } from './readers.emails.ts'
import { previewEmail } from '#domains/mail/mail-previews.ts'
import type { MailPreview } from '#contract/mail/mail-preview.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const maxShown = 5
const besideRow = z.object({ beside: neighbors })

/** The message, what was answered, and what else the shop knows of its writer. */
export async function readMessage(services: CommerceShop, id: string): Promise<MessageDetail> {
  const { db, mail } = services
  const [row] = await db.select().from(contact_messages).where(isNotDeleted(id))
  if (!row) throw readerProblem('messages.not_found')
  const [replies, others, user, { beside }] = await Promise.all([
    listReplies(services, id),
    listOthers(db, row),
    findUser(db, row.email),
    queryOne(
      db,
      besideRow,
      sql`select ${neighborsOf(sql`contact_messages`, id, sql`n.deleted_at is null`)} as beside`,
    ),
  ])
  const orders = user ? await listOrders(db, eq(purchases.user_id, user.user_id)) : []
  const possible_orders = orders.length === 0 ? await listPossibleOrders(services, row) : []
  const result = { replies, others, user, orders, possible_orders, neighbors: beside }
  return { ...toMessage(row), ...result, sends_mail: mail.sendsMail() }
}

const isNotDeleted = (id: string) => and(eq(contact_messages.id, id), isNull(contact_messages.deleted_at))

async function listReplies({ db, clock }: CommerceShop, message_id: string): Promise<Reply[]> {
  const rows = await db
    .select()
    .from(message_replies)
    .where(eq(message_replies.message_id, message_id))
    .orderBy(asc(message_replies.created_at))
  const sent = await db
    .select({ id: mails.id, status: mails.status, error: mails.error })
    .from(mails)
    .where(
      inArray(
        mails.id,
        rows.map(({ id }) => id),
      ),
    )
  const oldest = oldestMail(clock)
  return rows.map(({ id, body, created_at }) => {
    const match = sent.find((each) => each.id === id)
    return {
      id,
      body,
      created_at: created_at.toISOString(),
      mail: match?.status ?? (created_at > oldest ? 'waiting' : null),
      error: match?.error ?? null,
    }
  })
}

async function listOthers(db: Db, { id, email }: typeof contact_messages.$inferSelect) {
  const rows = await db
    .select()
    .from(contact_messages)
    .where(
      and(
        eq(contact_messages.email, email),
        ne(contact_messages.id, id),
        isNull(contact_messages.deleted_at),
      ),
    )
    .orderBy(desc(contact_messages.created_at))
    .limit(maxShown)
  return rows.map((row) => ({
    id: row.id,
    subject: row.subject,
    created_at: row.created_at.toISOString(),
    state: stateOf(row),
  }))
}

async function findUser(db: Db, email: string) {
  const [user] = await db
    .select({ user_id: profiles.user_id, display_name: sql<string | null>`reader_name(${profiles.user_id})` })
    .from(profiles)
    .where(eq(profiles.email, email))
  return user ?? null
}

async function listOrders(db: Db, which: SQL | undefined) {
  const rows = await selectOrders(db)
    .where(which)
    .orderBy(desc(purchases.created_at), desc(purchases.id))
    .limit(maxShown)
  return rows.map(toOrder)
}

export async function previewReply(
  services: CommerceShop,
  user: { id: string; session_id: string },
  id: string,
  body: string,
): Promise<MailPreview> {
  const [message] = await services.db.select().from(contact_messages).where(isNotDeleted(id))
  if (!message) throw readerProblem('messages.not_found')
  return previewEmail(services, user, (branding) => replyEmail(message, body, branding))
}

/** Mails the reply once, however often the call is repeated. */
export async function sendReply(
  services: CommerceShop,
  actor: Actor,
  { id, reply_id }: z.output<typeof replyParams>,
  body: string,
): Promise<MessageDetail> {
  const { db, queue, clock } = services
  await db.transaction(async (tx) => {
    const [message] = await tx.select().from(contact_messages).where(isNotDeleted(id)).for('update')
    if (!message) throw readerProblem('messages.not_found')
    const now = clock()
    const input = { id: reply_id, message_id: id, body }
    const inserted = await tx
      .insert(message_replies)
      .values({ ...input, created_at: now })
      .onConflictDoNothing()
      .returning()
    if (inserted.length === 0) return requireSame(tx, input)
    await tx
      .update(contact_messages)
      .set({ answered_at: now, read_at: message.read_at ?? now, done_at: null })
      .where(eq(contact_messages.id, id))
    await queue.enqueue(tx, replyJob, { reply_id }, { id: reply_id })
    return recordAuditEvent(tx, actor, {
      action: 'messages.answered',
      subject: message.email,
      subject_id: id,
    })
  })
  return readMessage(services, id)
}

async function requireSame(
  tx: Pick<Db, 'select'>,
  { id, message_id, body }: typeof message_replies.$inferInsert,
) {
  const [saved] = await tx.select().from(message_replies).where(eq(message_replies.id, id))
  if (saved?.message_id !== message_id || saved.body !== body) throw readerProblem('messages.reply_exists')
}
