// Addresses that asked for the excerpt by email: each email has a link of its own, for some days. The tick beside a request
// is no consent to letters before the mailbox has confirmed it.
import { and, eq, lt, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { maxExcerptDownloads } from '#contract/mail/excerpt-requests.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { hashOf } from '#platform/mailed-token.ts'
import { sign, type Secret } from '#platform/secret.ts'
import { excerpt_requests } from '#tables/mail.ts'
import { mayMailAgain, unconfirmedSince } from './confirmations.ts'

export type ExcerptRequest = typeof excerpt_requests.$inferSelect

type NewRequest = {
  email: string
  /** The words beside the box that was ticked. */
  agreed: { words: string; language: string } | undefined
}

const isAlive = (now: Date) => sql`${excerpt_requests.requested_at} >= ${unconfirmedSince(now)}`

/** Undefined where no other email may be sent to the address now. */
export async function requestExcerpt(
  tx: Transaction,
  { email, agreed }: NewRequest,
  now: Date,
): Promise<string | undefined> {
  // The second of two requests at the same moment knows of the first.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`excerpt ${email}`}, 0))`)
  const { requested_at } = excerpt_requests
  const earlier = sql`from excerpt_requests where email = ${email} and ${isAlive(now)}`
  const may = mayMailAgain(
    sql`(select max(${requested_at}) ${earlier})`,
    sql`(select count(*) ${earlier})`,
    now,
  )
  const { rowCount } = await tx.execute(sql`select 1 where ${may}`)
  if (!rowCount) return undefined
  const id = uuidv7()
  await tx.insert(excerpt_requests).values({ id, email, ...agreed, requested_at: now })
  return id
}

/** Undefined once its days are over. */
export async function findExcerptRequest(db: Db, id: string, now: Date): Promise<ExcerptRequest | undefined> {
  const [row] = await db
    .select()
    .from(excerpt_requests)
    .where(and(eq(excerpt_requests.id, id), isAlive(now)))
  return row
}

/**
 * The token is in the fragment, which browsers send to no server. A second attempt of the same email has the same one, as
 * the first may have arrived.
 */
export async function writeExcerptToken(
  { db, secret }: { db: Db; secret: Secret },
  id: string,
): Promise<string> {
  const token = sign(secret.key('excerpt links'), id)
  await db
    .update(excerpt_requests)
    .set({ hash: hashOf(token) })
    .where(eq(excerpt_requests.id, id))
  return token
}

const hasToken = (token: string, now: Date) => and(eq(excerpt_requests.hash, hashOf(token)), isAlive(now))

export async function findLinkedExcerpt(
  db: Db,
  token: string,
  now: Date,
): Promise<ExcerptRequest | undefined> {
  const [row] = await db.select().from(excerpt_requests).where(hasToken(token, now))
  return row
}

/** An erasure waits for the end of the transaction. */
export async function lockLinkedExcerpt(
  tx: Transaction,
  token: string,
  now: Date,
): Promise<ExcerptRequest | undefined> {
  const [row] = await tx.select().from(excerpt_requests).where(hasToken(token, now)).for('update')
  return row
}

/** False where the link has given as many as it gives. */
export async function countExcerptDownload(db: Db, id: string): Promise<boolean> {
  const { downloads } = excerpt_requests
  const { rowCount } = await db
    .update(excerpt_requests)
    .set({ downloads: sql`${downloads} + 1` })
    .where(and(eq(excerpt_requests.id, id), lt(downloads, maxExcerptDownloads)))
  return rowCount === 1
}

/** The emails' links go on to give the excerpt, and no letters any more. */
export async function dropTicks(tx: Transaction, which: SQL): Promise<void> {
  await tx.update(excerpt_requests).set({ words: null, language: null }).where(which)
}

/** The list of emails keeps the address no longer, other than for a request that is open yet. */
export async function sweepExcerptRequests({ db, clock }: { db: Db; clock: () => Date }): Promise<void> {
  const since = unconfirmedSince(clock())
  const isOver = lt(excerpt_requests.requested_at, since)
  await db.execute(sql`
    with gone as (delete from excerpt_requests where ${isOver} returning email)
    delete from mails where kind = 'excerpt_link' and lower(recipient) in (select email from gone)
      and (created_at < ${since} or not exists (
        select from excerpt_requests r where r.email = lower(recipient) and r.requested_at >= ${since}))`)
}
