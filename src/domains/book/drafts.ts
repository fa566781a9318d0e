// The draft of the book: saved while it is typed, published as a whole. Two admins never overwrite each other: who saves
// names the revision that was changed.
import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { readFieldProblems } from '#contract/field-rules.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { bookProblem } from './problem.ts'
import { findPublished, readDocument } from './published-book.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { lockPictures } from '#domains/files/pictures.ts'
import { isOwnBook, waitsForOpening } from '#domains/catalog/sale-mode.ts'
import { type BookDocument, type DraftState } from '#contract/book/book.ts'
import { bookDocument } from '#contract/book/checked-book.ts'
import { book_draft, book_versions } from '#tables/book.ts'
import type { CommerceShop } from './shop.ts'

const shownVersions = 100

export async function readDraft(db: Db | Transaction): Promise<DraftState> {
  const [draft] = await db.select().from(book_draft)
  const published = await findPublished(db)
  const versions = await listVersions(db)
  const waits_for_opening = await readIsWaiting(db)
  const isChanged = draft !== undefined && draft.document !== null
  return {
    document: isChanged ? readDocument(draft.document) : published,
    revision: draft?.revision ?? 0,
    saved: isChanged ? { at: draft.saved_at.toISOString(), by: draft.saved_by } : null,
    published,
    versions,
    waits_for_opening,
  }
}

async function listVersions(db: Db | Transaction): Promise<DraftState['versions']> {
  const { number, published_at, published_by } = book_versions
  const rows = await db
    .select({ number, published_at, published_by })
    .from(book_versions)
    .orderBy(desc(number))
    .limit(shownVersions)
  return rows.map((row) => ({
    number: row.number,
    published_at: row.published_at.toISOString(),
    published_by: row.published_by,
  }))
}

async function readIsWaiting(db: Db | Transaction): Promise<boolean> {
  const query = sql`select ${waitsForOpening} as is_waiting`
  return (await queryOne(db, z.object({ is_waiting: z.boolean() }), query)).is_waiting
}

/** A page with the own book's words would sell the sample's products. A file that is taken later changes the revision. */
export async function refuseBeforeOpening(db: Db): Promise<void> {
  if (await readIsWaiting(db)) throw bookProblem('book.waits_for_opening')
}

export type OnOwnBook = (tx: Transaction) => Promise<void>

type Save = { revision: number; document: BookDocument }

export async function saveDraft({ db, clock }: CommerceShop, save: Save, actor: Actor): Promise<DraftState> {
  return db.transaction(async (tx) => {
    await saveDraftIn(tx, clock, save, actor)
    return readDraft(tx)
  })
}

export async function saveDraftIn(
  tx: Transaction,
  clock: Services['clock'],
  { revision, document }: Save,
  actor: Actor,
): Promise<void> {
  await lockDraft(tx, revision)
  await lockPictures(tx, picturesOf(document))
  await changeDraft(tx, { document, revision, by: actor.email }, clock())
}

function picturesOf({ cover, author: { portrait } }: BookDocument): string[] {
  return [cover, portrait].flatMap((picture) => picture?.id ?? [])
}

/** `onOwnBook` runs in the transaction that replaces the sample by a book of the author's. */
export async function publishDraft(
  services: CommerceShop,
  revision: number,
  actor: Actor,
  onOwnBook: OnOwnBook,
): Promise<DraftState> {
  const state = await services.db.transaction(async (tx) => {
    const draft = await lockDraft(tx, revision)
    if (!draft?.document) throw bookProblem('book.nothing_to_publish')
    const complete = bookDocument.safeParse(readDocument(draft.document))
    if (!complete.success) throw bookProblem('book.unfinished', { fields: readFieldProblems(complete.error) })
    const [newest] = await tx
      .select({ number: book_versions.number })
      .from(book_versions)
      .orderBy(desc(book_versions.number))
      .limit(1)
    const number = (newest?.number ?? 0) + 1
    const wasOwn = await readIsOwn(tx)
    const now = services.clock()
    const version = { number, document: complete.data, published_at: now, published_by: actor.email }
    await tx.insert(book_versions).values(version)
    if (!wasOwn && (await readIsOwn(tx))) await onOwnBook(tx)
    await changeDraft(tx, { document: null, revision, by: actor.email }, now)
    await recordAuditEvent(tx, actor, { action: 'book.published', subject: `version ${number}` })
    return readDraft(tx)
  })
  // The order matters: the pages are made of both.
  await services.book.refresh()
  await services.catalogue.refresh()
  return state
}

async function readIsOwn(tx: Transaction): Promise<boolean> {
  return (await queryOne(tx, z.object({ is_own: z.boolean() }), sql`select ${isOwnBook} as is_own`)).is_own
}

export async function restoreVersion(
  services: CommerceShop,
  { revision, number }: { revision: number; number: number },
  actor: Actor,
): Promise<DraftState> {
  const document = await readVersion(services.db, number)
  return saveDraft(services, { revision, document }, actor)
}

export async function discardDraft(
  { db, clock }: CommerceShop,
  revision: number,
  actor: Actor,
): Promise<DraftState> {
  return db.transaction(async (tx) => {
    await lockDraft(tx, revision)
    await changeDraft(tx, { document: null, revision, by: actor.email }, clock())
    return readDraft(tx)
  })
}

type Change = { document: BookDocument | null; revision: number; by: string }

async function changeDraft(tx: Transaction, { document, revision, by }: Change, now: Date): Promise<void> {
  const changed = { document, revision: revision + 1, saved_at: now, saved_by: by }
  await tx.insert(book_draft).values(changed).onConflictDoUpdate({ target: book_draft.id, set: changed })
}

async function readVersion(db: Db, number: number): Promise<BookDocument> {
  const [row] = await db.select().from(book_versions).where(eq(book_versions.number, number))
  if (!row) throw bookProblem('book.version_not_found')
  return readDocument(row.document)
}

/** Those who change the draft do so one after the other, also the first, who finds no row. */
async function lockDraft(tx: Transaction, revision: number) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern book draft'))`)
  const [draft] = await tx.select().from(book_draft)
  if ((draft?.revision ?? 0) === revision) return draft
  const detail =
    draft && `${draft.saved_by} has changed the book meanwhile. Load the page again to see that change.`
  throw bookProblem('book.changed_elsewhere', detail ? { detail } : {})
}
