// Messages to the author, in the admin area: listed, counted, marked and deleted.
import { z } from 'zod'
import { queryOne, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import {
  trashDays,
  type Message,
  type messageChange,
  type MessageListRequest,
  type MessageState,
} from '#contract/readers/messages.ts'
import { dayMs } from '#contract/durations.ts'
import type { Page } from '#contract/fields.ts'
import type { Db } from '#platform/db/client.ts'
import { contact_messages } from '#tables/readers.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { readerProblem } from './problem.ts'

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
  { db, clock }: CommerceShop,
  id: string,
  { is_read, is_done }: z.output<typeof messageChange>,
) {
  const at = (isOn: boolean) => (isOn ? clock() : null)
  return change(db, id, {
    ...(is_read !== undefined && { read_at: at(is_read) }),
    // A message that is done has been read.
    ...(is_done !== undefined && { done_at: at(is_done), ...(is_done && { read_at: clock() }) }),
  })
}

/** Deleted, it can be brought back for 30 days. */
export async function deleteMessage(
  { db, clock }: CommerceShop,
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

export async function sweepMessages({ db, clock }: CommerceShop): Promise<void> {
  const { deleted_at } = contact_messages
  const old = new Date(clock().getTime() - trashDays * dayMs)
  await db.delete(contact_messages).where(and(isNotNull(deleted_at), lt(deleted_at, old)))
}
