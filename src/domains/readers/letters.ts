// The author's letters, as readers ask for them and leave them; and the author's list.
import { and, count, desc, isNotNull, isNull, sql } from 'drizzle-orm'
import { lettersWords } from '#contract/mail/letters-words.ts'
import {
  type AskedSubscriber,
  type OwnLetters,
  type SubscriberList,
  type SubscriberQuery,
  type SubscriberSource,
} from '#contract/mail/subscribers.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { unconfirmedDays } from '#domains/mail/confirmations.ts'
import { lettersTerms } from '#domains/mail/letters.ts'
import {
  confirmSubscription,
  deleteSubscriber,
  endAllSubscriptions,
  endSubscription,
  findSubscription,
  isOfAddress,
  isSubscriber,
  readSubscriberLink,
  requestByMail,
  requestLeaveMail,
  subscribe,
  toSubscription,
  type AgreedWords,
} from '#domains/mail/subscribers.ts'
import { dropLettersTicks } from '#domains/orders/ticked-boxes.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { Db } from '#platform/db/client.ts'
import { momentKey, readCursor, toPage } from '#platform/db/query.ts'
import { subscribers } from '#tables/mail.ts'
import { withTexts } from '#words/wording.ts'
import { lettersConfirmJob } from './letters.emails.ts'
import { readerProblem } from './problem.ts'

/** Throws letters.changed where the words are not those that the shop shows now, and letters.not_offered. */
export async function requireWords(services: CommerceShop, words: string): Promise<AgreedWords> {
  const terms = lettersTerms(services)
  if (!terms) throw readerProblem('letters.not_offered')
  const { wording, shown } = await services.book.get()
  if (words !== withTexts(wording, () => lettersWords(terms))) throw readerProblem('letters.changed')
  return { words, language: shown.language }
}

type Request = { email: string; agreed: AgreedWords; network: string }

/** The response is the same whether or not the address is on the list: an email asks, or says how to leave. */
export async function askForLetters(
  { db, clock, queue }: CommerceShop,
  { email, agreed, network }: Request,
): Promise<void> {
  await db.transaction(async (tx) => {
    const request = { email, ...agreed, source: 'letters' as const, days: unconfirmedDays }
    const now = clock()
    const id = (await requestByMail(tx, request, now)) ?? (await requestLeaveMail(tx, email, now))
    if (id) await queue.enqueue(tx, lettersConfirmJob, { id, network })
  })
}

/** Nothing changes: mail scanners open links, too. Throws letters.link_over. */
export async function readLettersLink(services: CommerceShop, token: string): Promise<AskedSubscriber> {
  const shown = await readSubscriberLink(services.db, token, services.clock())
  if (!shown) throw readerProblem('letters.link_over')
  return shown.state === 'unconfirmed' && !lettersTerms(services) ? { ...shown, state: 'not_offered' } : shown
}

/** Throws letters.link_over, and letters.not_offered where the author sends none any more. */
export async function confirmLetters(services: CommerceShop, token: string): Promise<AskedSubscriber> {
  const { state } = await readLettersLink(services, token)
  if (state === 'not_offered') throw readerProblem('letters.not_offered')
  const confirmed = await confirmSubscription(services.db, token, services.clock())
  if (!confirmed) throw readerProblem('letters.link_over')
  return confirmed
}

type Reader = { id: string; email: string }

export async function readOwnLetters(services: CommerceShop, { email }: Reader): Promise<OwnLetters> {
  const subscription = await findSubscription(services.db, isOfAddress(email))
  return { is_offered: lettersTerms(services) !== null, subscription: subscription ?? null }
}

/** The address of an account is proven by its sign-in. Undefined `words`: the reader leaves. */
export async function saveOwnLetters(
  services: CommerceShop,
  { email }: Reader,
  words: string | undefined,
): Promise<void> {
  const { db, clock } = services
  if (words === undefined) {
    await endSubscription(db, isOfAddress(email), clock())
    return
  }
  const agreed = await requireWords(services, words)
  await db.transaction((tx) => subscribe(tx, { email, ...agreed, source: 'account' }, clock()))
}

const pageSize = 50

/** Those who have confirmed, the newest first; also who has left, whose consent is stored as proof. */
export async function listSubscribers(db: Db, { after, status }: SubscriberQuery): Promise<SubscriberList> {
  const { confirmed_at, ended_at, id, source } = subscribers
  const from = readCursor(after, momentKey)
  const isAfter = from && sql`(${confirmed_at}, ${id}) < (${from[0]}::timestamptz, ${from[1]}::uuid)`
  const isOn = and(isNotNull(confirmed_at), isNull(ended_at))
  const isInState = status && (status === 'ended' ? isNotNull(ended_at) : isNull(ended_at))
  const [rows, counted] = await Promise.all([
    db
      .select({ row: subscribers, at: sql<string>`${confirmed_at}::text` })
      .from(subscribers)
      .where(and(isNotNull(confirmed_at), isInState, isAfter))
      .orderBy(desc(confirmed_at), desc(id))
      .limit(pageSize + 1),
    db.select({ source, count: count() }).from(subscribers).where(isOn).groupBy(source),
  ])
  const page = toPage(rows, pageSize, {
    item: ({ row }) => ({ ...toSubscription(row), email: row.email }),
    key: ({ row, at }) => [at, row.id],
  })
  const countOf = (name: SubscriberSource) => counted.find((each) => each.source === name)?.count ?? 0
  const counts = {
    order: countOf('order'),
    letters: countOf('letters'),
    account: countOf('account'),
    excerpt: countOf('excerpt'),
  }
  return { ...page, counts }
}

/** Who leaves in the author's mail program is ended here, too. */
export async function endSubscriber(services: CommerceShop, actor: Actor, id: string): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const email = await endSubscription(tx, isSubscriber(id), clock())
    if (email === undefined) throw readerProblem('letters.not_found')
    // The log is never changed, and the address may be deleted later.
    await recordAuditEvent(tx, actor, { action: 'subscribers.ended', subject: 'an address', subject_id: id })
  })
}

export async function eraseSubscriber(services: CommerceShop, actor: Actor, id: string): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    if (!(await deleteSubscriber(tx, isSubscriber(id), clock()))) throw readerProblem('letters.not_found')
    // The address is what was to be forgotten.
    await recordAuditEvent(tx, actor, { action: 'subscribers.deleted', subject: 'an address' })
  })
}

/** Ends everybody's: each row stays as proof, and what waits for a confirmation is forgotten. Returns how many. */
export async function endAll(services: CommerceShop, actor: Actor): Promise<number> {
  const { db, clock } = services
  return db.transaction(async (tx) => {
    await dropLettersTicks(tx)
    const ended = await endAllSubscriptions(tx, clock())
    await recordAuditEvent(tx, actor, { action: 'subscribers.all_ended', subject: String(ended) })
    return ended
  })
}
