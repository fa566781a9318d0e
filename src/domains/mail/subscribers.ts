// The list of those who want the author's letters: what each agreed to, what confirms it, and what ends it. Asking changes
// nothing of who has confirmed; only the mailbox, or a signed-in reader whose mailbox is proven, confirms.
import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import type { AskedSubscriber, SubscriberSource, Subscription } from '#contract/mail/subscribers.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { hashOf, newToken } from '#platform/mailed-token.ts'
import { excerpt_requests, mails, subscriber_links, subscribers } from '#tables/mail.ts'
import { mayMailAgain, unconfirmedSince } from './confirmations.ts'
import { dropTicks } from './excerpt-requests.ts'
import { recordConfirmed, recordEnded, recordEvents } from './webhook-deliveries.ts'

/** Proof of consent stays for so long after the end (limitation of claims, § 195 BGB: three years). */
export const proofDays = 3 * 365

/** The words are the server's, as they were shown. */
export type AgreedWords = { words: string; language: string }

export type NewRequest = AgreedWords & {
  email: string
  source: SubscriberSource
  purchase_id?: string
  /** Days from now in which it can be confirmed. */
  days: number
}

type Row = typeof subscribers.$inferSelect

const nothingRequested = {
  requested_words: null,
  requested_language: null,
  requested_source: null,
  requested_purchase_id: null,
  requested_at: null,
  request_ends_at: null,
  mailed_at: null,
  mails: 0,
} as const

const isOn = sql`(${subscribers.confirmed_at} is not null and ${subscribers.ended_at} is null)`

const newRow = (email: string, now: Date) => ({
  id: uuidv7(),
  email,
  token: randomBytes(16).toString('base64url'),
  created_at: now,
})

/** Undefined where the address is on the list already, which a request does not change. */
export async function requestSubscription(
  tx: Transaction,
  request: NewRequest,
  now: Date,
): Promise<string | undefined> {
  return saveRequest(tx, request, now, {}, sql`true`)
}

/** As `requestSubscription`, and undefined also where no other mail may be sent to the address now. */
export async function requestByMail(
  tx: Transaction,
  request: NewRequest,
  now: Date,
): Promise<string | undefined> {
  const mailed = { mailed_at: now, mails: sql`${subscribers.mails} + 1` }
  const may = mayMailAgain(sql`${subscribers.mailed_at}`, sql`${subscribers.mails}`, now)
  return saveRequest(tx, request, now, mailed, may)
}

/** The subscriber whom an email may tell how to leave; undefined also where the address is not on the list. */
export async function requestLeaveMail(
  tx: Transaction,
  email: string,
  now: Date,
): Promise<string | undefined> {
  const may = mayMailAgain(sql`${subscribers.mailed_at}`, sql`${subscribers.mails}`, now)
  const [row] = await tx
    .update(subscribers)
    .set({ mailed_at: now, mails: sql`${subscribers.mails} + 1` })
    .where(and(isOfAddress(email), isOn, may))
    .returning({ id: subscribers.id })
  return row?.id
}

async function saveRequest(
  tx: Transaction,
  { email, words, language, source, purchase_id, days }: NewRequest,
  now: Date,
  mailed: { mailed_at?: Date; mails?: SQL },
  may: SQL,
): Promise<string | undefined> {
  const requested = {
    requested_words: words,
    requested_language: language,
    requested_source: source,
    requested_purchase_id: purchase_id ?? null,
    requested_at: now,
  }
  const endsAt = new Date(now.getTime() + days * dayMs)
  const [row] = await tx
    .insert(subscribers)
    .values({
      ...newRow(email, now),
      ...requested,
      request_ends_at: endsAt,
      ...(mailed.mailed_at && { mailed_at: mailed.mailed_at, mails: 1 }),
    })
    .onConflictDoUpdate({
      target: subscribers.email,
      set: {
        ...requested,
        // A mail that is out already confirms as long as it said.
        request_ends_at: sql`greatest(${subscribers.request_ends_at}, ${endsAt})`,
        ...mailed,
      },
      setWhere: sql`not ${isOn} and ${may}`,
    })
    .returning({ id: subscribers.id })
  return row?.id
}

/**
 * Of an address whose mailbox is proven, as that of a reader who is signed in: nothing needs to be confirmed. `since`: what
 * was agreed to then, and is confirmed now; an end that came after it stays.
 */
export async function subscribe(
  tx: Transaction,
  { email, words, language, source, purchase_id }: Omit<NewRequest, 'days'>,
  now: Date,
  since?: Date,
): Promise<void> {
  const agreed = {
    words,
    language,
    source,
    purchase_id: purchase_id ?? null,
    agreed_at: since ?? now,
    confirmed_at: now,
    ended_at: null,
  }
  const isOpen = since
    ? sql`(${subscribers.ended_at} is null or ${subscribers.ended_at} < ${since})`
    : sql`true`
  const [row] = await tx
    .insert(subscribers)
    .values({ ...newRow(email, now), ...agreed })
    .onConflictDoUpdate({
      target: subscribers.email,
      set: { ...agreed, ...nothingRequested },
      setWhere: sql`not ${isOn} and ${isOpen}`,
    })
    .returning({ id: subscribers.id })
  if (row) await recordConfirmed(tx, row.id, now)
}

/** A tick beside a request whose mail proves the mailbox, as that of the excerpt. */
export type MailedTick = AgreedWords & { email: string; requested_at: Date }

export async function readMailedTick(
  db: Db | Transaction,
  { email, words, requested_at }: MailedTick,
): Promise<AskedSubscriber> {
  const [row] = await db.select().from(subscribers).where(isOfAddress(email))
  if (row?.confirmed_at && !row.ended_at) return describe(row, 'confirmed')
  if (row?.ended_at && row.ended_at >= requested_at) return describe(row, 'ended')
  return { email: partOf(email), words, state: 'unconfirmed', ended_at: null }
}

/** Pressed twice, it says the same; pressed after the end, it changes nothing. */
export async function confirmMailedTick(
  tx: Transaction,
  tick: MailedTick,
  now: Date,
): Promise<AskedSubscriber> {
  const { requested_at, ...agreed } = tick
  await subscribe(tx, { ...agreed, source: 'excerpt' }, now, requested_at)
  return readMailedTick(tx, tick)
}

/** The only time that the token itself is seen; it is in the fragment, which browsers send to no server. */
export async function addSubscriberLink(db: Db, subscriber_id: string, siteUrl: string, now: Date) {
  const token = newToken()
  await db.insert(subscriber_links).values({ hash: hashOf(token), subscriber_id, created_at: now })
  return `${siteUrl}/letters#${token}`
}

/** Who is asked to confirm by the receipt of a purchase, as JSON: where it goes to the same address, within its days. */
export const requestedWith = (purchase_id: SQL, email: SQL) => sql`
  (select jsonb_build_object('id', s.id, 'words', s.requested_words) from subscribers s
    where s.requested_purchase_id = ${purchase_id} and s.email = ${email} and s.request_ends_at > now())`

/** Undefined where nothing is to be confirmed any more. */
export async function findRequest(
  db: Db,
  id: string,
  now: Date,
): Promise<{ email: string; words: string } | undefined> {
  const [row] = await db
    .select()
    .from(subscribers)
    .where(and(eq(subscribers.id, id), sql`${subscribers.request_ends_at} > ${now}`))
  return row && row.requested_words !== null ? { email: row.email, words: row.requested_words } : undefined
}

/** `token`: of the page where the address leaves. Undefined where it is not on the list. */
export async function findOnList(db: Db, id: string): Promise<{ email: string; token: string } | undefined> {
  const { email, token } = subscribers
  const [row] = await db
    .select({ email, token })
    .from(subscribers)
    .where(and(eq(subscribers.id, id), isOn))
  return row
}

const linkedRow = z.object({ id: z.string(), linked_at: z.coerce.date() })

async function findLinked(db: Db | Transaction, token: string) {
  const linked = await queryFirst(
    db,
    linkedRow,
    sql`select subscriber_id as id, created_at as linked_at from subscriber_links where hash = ${hashOf(token)}`,
  )
  if (!linked) return undefined
  const [row] = await db.select().from(subscribers).where(eq(subscribers.id, linked.id)).for('update')
  return row && { row, linked_at: linked.linked_at }
}

type Linked = NonNullable<Awaited<ReturnType<typeof findLinked>>>

/** A mail from before an end confirms nothing that was requested after it. */
function stateOf({ row, linked_at }: Linked, now: Date): AskedSubscriber['state'] | undefined {
  if (row.ended_at && linked_at <= row.ended_at) return 'ended'
  if (row.request_ends_at && row.request_ends_at > now) return 'unconfirmed'
  if (row.confirmed_at) return row.ended_at ? 'ended' : 'confirmed'
  return undefined
}

/** Undefined where the link is not known, or its time is over. Reading it confirms nothing: mail scanners open links, too. */
export async function readSubscriberLink(
  db: Db,
  token: string,
  now: Date,
): Promise<AskedSubscriber | undefined> {
  return db.transaction(async (tx) => {
    const linked = await findLinked(tx, token)
    const state = linked && stateOf(linked, now)
    return linked && state && describe(linked.row, state)
  })
}

function describe(row: Row, state: AskedSubscriber['state']): AskedSubscriber {
  return {
    email: partOf(row.email),
    words: (state === 'unconfirmed' ? row.requested_words : row.words) ?? '',
    state,
    ended_at: state === 'ended' ? (row.ended_at?.toISOString() ?? null) : null,
  }
}

/** The first letter and the domain, so that its owner knows it and others learn nothing to write to. */
function partOf(email: string): string {
  return email.replace(/^(.)[^@]*(?=@)/u, '$1…')
}

/** Pressed twice, it says the same; pressed after the end, it says when that was, and changes nothing. */
export async function confirmSubscription(
  db: Db,
  token: string,
  now: Date,
): Promise<AskedSubscriber | undefined> {
  return db.transaction(async (tx) => {
    const linked = await findLinked(tx, token)
    const state = linked && stateOf(linked, now)
    if (!linked || !state) return undefined
    if (state !== 'unconfirmed') return describe(linked.row, state)
    const { row } = linked
    const [confirmed] = await tx
      .update(subscribers)
      .set({
        words: row.requested_words,
        language: row.requested_language,
        source: row.requested_source,
        purchase_id: row.requested_purchase_id,
        agreed_at: row.requested_at,
        confirmed_at: now,
        ended_at: null,
        ...nothingRequested,
      })
      .where(eq(subscribers.id, row.id))
      .returning()
    if (confirmed) await recordConfirmed(tx, confirmed.id, now)
    return confirmed && describe(confirmed, 'confirmed')
  })
}

/** Who never confirmed is forgotten; who is on the list leaves it. */
export async function refuseSubscription(db: Db, token: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const linked = await findLinked(tx, token)
    if (!linked) return false
    await endRow(tx, linked.row, now)
    return true
  })
}

async function endRow(tx: Transaction, row: Row, now: Date): Promise<void> {
  const { id, confirmed_at, ended_at } = row
  if (!confirmed_at) {
    await tx.delete(subscribers).where(eq(subscribers.id, id))
    return
  }
  await tx
    .update(subscribers)
    .set({ ...nothingRequested, ended_at: ended_at ?? now })
    .where(eq(subscribers.id, id))
  if (!ended_at) await recordEnded(tx, row, now)
}

/** The address that gets no letters any more. `which` takes rows of `subscribers`. */
export async function endSubscription(
  db: Db | Transaction,
  which: SQL,
  now: Date,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscribers).where(which).for('update')
    if (row) await endRow(tx, row, now)
    return row?.email
  })
}

/** Everybody has left the list then; each row stays as proof. What waits for a confirmation is forgotten. */
export async function endAllSubscriptions(tx: Transaction, now: Date): Promise<number> {
  await dropTicks(tx, sql`true`)
  await tx.delete(subscribers).where(isNull(subscribers.confirmed_at))
  await tx.update(subscribers).set(nothingRequested).where(isNotNull(subscribers.ended_at))
  const ended = await tx
    .update(subscribers)
    .set({ ended_at: now, ...nothingRequested })
    .where(isOn)
    .returning({ id: subscribers.id })
  const ids = sql.param(ended.map(({ id }) => id))
  const about = sql`select s.id, s.email, null::uuid from subscribers s where s.id = any(${ids}::uuid[])`
  await recordEvents(tx, 'subscriber.ended', about, now)
  return ended.length
}

/** PostgreSQL takes no text with a NUL. */
export const isToken = (token: string) =>
  /^[\w-]{22}$/.test(token) ? eq(subscribers.token, token) : sql`false`
export const isOfAddress = (email: string) => eq(subscribers.email, email)
export const isSubscriber = (id: string) => eq(subscribers.id, id)

/** Undefined where the address never confirmed. */
export async function findSubscription(
  db: Db,
  which: SQL,
): Promise<(Subscription & { id: string }) | undefined> {
  const [row] = await db
    .select()
    .from(subscribers)
    .where(and(which, isNotNull(subscribers.confirmed_at)))
  return row && toSubscription(row)
}

export function toSubscription(row: Row): Subscription & { id: string } {
  const { id, words, source, agreed_at, confirmed_at, ended_at } = row
  if (words === null || source === null || !agreed_at || !confirmed_at)
    throw new Error('a subscriber without a confirmed consent was read as one with it')
  return {
    id,
    words,
    source,
    agreed_at: agreed_at.toISOString(),
    confirmed_at: confirmed_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }
}

/**
 * Both mailboxes have confirmed the new address. The row is not left under the former one, which an erasure of the account
 * would not find; a row of the new address stays as it is.
 */
export async function moveSubscriber(
  tx: Transaction,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<void> {
  // Links that were mailed to the former address are deleted with the row.
  const [row] = await tx
    .delete(subscribers)
    .where(and(isOfAddress(from), isNotNull(subscribers.confirmed_at)))
    .returning()
  if (!row) return
  const isOnList = row.ended_at === null
  if (isOnList) await recordEnded(tx, row, now)
  const [moved] = await tx
    .insert(subscribers)
    .values({ ...row, ...nothingRequested, email: to })
    .onConflictDoNothing({ target: subscribers.email })
    .returning({ id: subscribers.id })
  if (moved && isOnList) await recordConfirmed(tx, moved.id, now)
}

/** An order that goes to another address asks nobody any more. */
export async function dropRequestsWith(tx: Transaction, purchase_id: string): Promise<void> {
  const isRequestedWith = eq(subscribers.requested_purchase_id, purchase_id)
  await tx.delete(subscribers).where(and(isRequestedWith, isNull(subscribers.confirmed_at)))
  await tx.update(subscribers).set(nothingRequested).where(isRequestedWith)
}

/** Also the emails that the list has sent to it, and what the address has asked for an excerpt. */
export async function deleteSubscriber(db: Db | Transaction, which: SQL, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isAsked = sql`${excerpt_requests.email} in (select email from subscribers where ${which})`
    await tx.execute(sql`
      with gone as (
        delete from excerpt_requests where ${isAsked} returning email)
      delete from mails where kind = 'excerpt_link' and lower(recipient) in (select email from gone)`)
    const [row] = await tx.delete(subscribers).where(which).returning()
    if (!row) return false
    if (row.confirmed_at && !row.ended_at) await recordEnded(tx, row, now)
    await tx
      .delete(mails)
      .where(and(eq(mails.kind, 'letters_confirm'), eq(sql`lower(${mails.recipient})`, row.email)))
    return true
  })
}

const told = z.object({ id: z.string() })

/** Whom the webhook has to hear of after an erasure, which deletes the row, and the address of a delivery that waits. */
export async function findToldSubscriber(tx: Transaction, email: string): Promise<string | undefined> {
  const row = await queryFirst(
    tx,
    told,
    sql`
      select id from subscribers where lower(email) = ${email} and ${isOn}
      union all
      select subject_id from webhook_deliveries where email = ${email}
      limit 1`,
  )
  return row?.id
}

/** A request that was not confirmed in time is forgotten; who has left, once the proof is not needed any more. */
export async function sweepSubscribers({ db, clock }: { db: Db; clock: () => Date }): Promise<void> {
  const now = clock()
  const isOver = lt(subscribers.request_ends_at, now)
  await db
    .delete(subscribers)
    .where(
      or(
        and(isOver, isNull(subscribers.confirmed_at)),
        lt(subscribers.ended_at, new Date(now.getTime() - proofDays * dayMs)),
      ),
    )
  // Whoever is on the list may ask anew for the email by which one leaves.
  const isOld = and(isOn, lt(subscribers.mailed_at, unconfirmedSince(now)))
  await db.update(subscribers).set(nothingRequested).where(or(isOver, isOld))
}
