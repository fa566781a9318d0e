// Drafts of the book, the links in them, and the stored EPUBs from which their preview is taken.
import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { readFieldProblems } from '#contract/field-rules.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { bookProblem, findPublished, readDocument, isRecord } from './published-book.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { lockPictures, sweepPictures } from '#domains/files/pictures.ts'
import { isOwnBook } from '#domains/catalog/catalogue.ts'
import {
  bookDocument,
  type BookDocument,
  type DraftState,
  type DraftWarning,
  type StoredChapter,
  type StoredEbook,
} from '#contract/book/book.ts'
import { book_draft, book_versions } from '#tables/book.ts'
import { isDeepStrictEqual } from 'node:util'
import { sampleBook } from '#content/sample-book.ts'
import type { BookShop } from './shop.ts'
import { Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '#platform/public-connection.ts'
import { platformProblem } from '#platform/problem.ts'
import type { AccountsShop } from '#domains/accounts/shop.ts'
import { readLink, writeLink } from '#platform/signed-links.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { readStoredBook } from '#domains/files/file-import.ts'
import { openRequestReader } from '#domains/files/request-reader.ts'
import { product_files } from '#tables/catalog.ts'
import { previewOf } from './show-book.ts'

// The draft: saved while it is typed, published as a whole. Two admins never overwrite each other: who saves names the
// revision that was changed.

const shownVersions = 100

export async function readDraft(db: Db | Transaction): Promise<DraftState> {
  const [draft] = await db.select().from(book_draft)
  const published = await findPublished(db)
  const versions = await listVersions(db)
  const isChanged = draft !== undefined && draft.document !== null
  return {
    document: isChanged ? readDocument(draft.document) : published,
    revision: draft?.revision ?? 0,
    saved: isChanged ? { at: draft.saved_at.toISOString(), by: draft.saved_by } : null,
    published,
    versions,
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

export type OnOwnBook = (tx: Transaction) => Promise<void>

type Save = { revision: number; document: BookDocument }

export async function saveDraft({ db, clock }: BookShop, save: Save, actor: Actor): Promise<DraftState> {
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
  services: BookShop,
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
  // In this order: the pages are made of both.
  await services.book.refresh()
  await services.catalogue.refresh()
  return state
}

async function readIsOwn(tx: Transaction): Promise<boolean> {
  return (await queryOne(tx, z.object({ is_own: z.boolean() }), sql`select ${isOwnBook} as is_own`)).is_own
}

export async function restoreVersion(
  services: BookShop,
  { revision, number }: { revision: number; number: number },
  actor: Actor,
): Promise<DraftState> {
  const document = await readVersion(services.db, number)
  return saveDraft(services, { revision, document }, actor)
}

export async function discardDraft(
  { db, clock }: BookShop,
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

// Warnings before publishing: links that lead nowhere, a missing picture, words without a place.

export async function findWarnings(
  { log, bookReader }: Pick<BookShop, 'log' | 'bookReader'>,
  document: BookDocument,
): Promise<DraftWarning[]> {
  const links = await bookReader.findLinks(document)
  const checked = await Promise.all(
    links.map(async ({ field, place, href }) => {
      const fault = await findLinkFault(href)
      if (fault) log.debug({ href, fault }, 'a link of the book leads nowhere')
      return fault ? [{ field, says: `The link ${href} in ${place} ${fault}.` }] : []
    }),
  )
  return [
    ...pictureWarnings(document),
    ...wordWarnings(document),
    ...sampleWarnings(document),
    ...legalWarnings(document),
    ...checked.flat(),
  ]
}

const sampleTexts = {
  subtitle: 'The subtitle',
  description: 'The description',
  'author.name': 'The author’s name',
  words: 'The list of chapters',
  'preview.chapters': 'The preview',
  'blueprint.lead': 'The introduction',
  'invitation.text': 'The invitation',
  'closing.line': 'The end of the page',
  'contact.lead': 'The contact section',
  'packing_slip.thanks': 'The packing slip',
}

/** Of a book with its own title, whose page would say of it what is true of the sample. */
function sampleWarnings(document: BookDocument): DraftWarning[] {
  if (document.title === sampleBook.title) return []
  return Object.entries(sampleTexts).flatMap(([field, name]) => {
    const own = fieldOf(document, field)
    const isTaken = own !== '' && isDeepStrictEqual(own, fieldOf(sampleBook, field))
    return isTaken ? [{ field, says: `${name} still has the words of the sample.` }] : []
  })
}

function fieldOf(document: BookDocument, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document)
}

function legalWarnings({ legal: { consent, pages } }: BookDocument): DraftWarning[] {
  if (!consent.is_asked || pages.terms.is_shown) return []
  const says = 'Buyers are asked for their consent, but no terms explain the right of withdrawal to them.'
  return [{ field: 'legal.pages.terms', says }]
}

function pictureWarnings({ cover, author }: BookDocument): DraftWarning[] {
  const warnings: DraftWarning[] = []
  if (!cover) warnings.push({ field: 'cover', says: 'There is no cover, so the page shows a drawn one.' })
  if (author.portrait && !author.portrait.alt)
    warnings.push({ field: 'author.portrait', says: 'The portrait has no description.' })
  return warnings
}

function wordWarnings({ blueprint, words, sections, quotes }: BookDocument): DraftWarning[] {
  const isShown = (name: string) => sections.some((section) => section.name === name && section.is_shown)
  const taken = blueprint.parts.reduce((sum, { takes }) => sum + takes, 0)
  const warnings: DraftWarning[] = []
  if (isShown('blueprint') && blueprint.parts.length > 0 && taken !== words.length)
    warnings.push({
      field: 'blueprint.parts',
      says: `The parts of the introduction take ${taken} chapters, and there are ${words.length}.`,
    })
  for (const [at, { permission }] of quotes.entries()) {
    if (!permission)
      warnings.push({ field: `quotes.${at}.permission`, says: 'Who allowed this quotation is not noted.' })
  }
  return warnings
}

const usedPictures = sql`
  with books as (select document from book_draft union all select document from book_versions)
  select cover_id::text as id from products where cover_id is not null
  union select document->'cover'->>'id' from books
  union select notice.value->>'id' from settings,
    jsonb_each(case when jsonb_typeof(fields->'notices') = 'object' then fields->'notices' else '{}' end) notice
  where settings.name = 'shipping'
  union select document->'author'->'portrait'->>'id' from books`

export const sweepUnusedPictures = (services: BookShop) => sweepPictures(services, usedPictures)

// The draft's page is shown in a frame, which can send no header: its address is signed for the session that asked.

const timeoutMs = 5_000

type Address = { address: string; family: 4 | 6 }

/** The shop asks no machine of its own network on behalf of an admin. */
export async function findLinkFault(
  href: string,
  resolve: (name: string) => Promise<Address[]> = resolveName,
  readStatus = askForStatus,
): Promise<string | undefined> {
  const url = URL.parse(href)
  if (!url) return 'is no address'
  const addresses = await resolve(url.hostname.replaceAll(/[[\]]/g, ''))
  const [first] = addresses
  if (!first) return 'could not be reached'
  if (!addresses.every(({ address }) => isPublicAddress(address))) return 'leads into a network of its own'
  try {
    const status = await readStatus(url, first)
    return status === 404 || status === 410 ? 'leads to a page that does not exist' : undefined
  } catch {
    return 'does not respond'
  }
}

/** Asked by its own sockets: the system's resolver would occupy the threads that files need. */
async function resolveName(name: string): Promise<Address[]> {
  const family = isIP(name)
  if (family === 4 || family === 6) return [{ address: name, family }]
  const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 1 })
  const [v4, v6] = await Promise.all([
    resolver.resolve4(name).catch(() => []),
    resolver.resolve6(name).catch(() => []),
  ])
  return [
    ...v4.map((address) => ({ address, family: 4 as const })),
    ...v6.map((address) => ({ address, family: 6 as const })),
  ]
}

/** Connects to the address that was looked at, whatever the name leads to by now. */
function askForStatus(url: URL, { address, family }: Address): Promise<number> {
  const request = url.protocol === 'http:' ? requestHttp : requestHttps
  return new Promise((resolveStatus, reject) => {
    const asking = request(url, {
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
      headers: { 'user-agent': 'Lectern' },
      lookup: (_name, { all }, done) =>
        all ? done(null, [{ address, family }]) : done(null, address, family),
    })
    asking.on('error', reject)
    asking.on('response', (response) => {
      response.destroy()
      resolveStatus(response.statusCode ?? 0)
    })
    asking.end()
  })
}

export async function writeDraftLink(
  services: Pick<Services, 'secret' | 'clock'>,
  { id: user_id, session_id }: SignedInUser,
): Promise<string> {
  return `/api/drafts/${writeLink(services, 'drafts', { user_id, session_id }, {})}`
}

export async function requireDraftLink(services: AccountsShop, token: string): Promise<void> {
  const { holder } = await readLink(services, 'drafts', token, z.object({}))
  if (!holder.is_admin) throw platformProblem('access.forbidden')
}

// The chapters of the EPUBs that are stored, also of archived products, from which an author picks the preview.

const maxListed = 50

export async function listStoredEbooks(db: Services['db']): Promise<StoredEbook[]> {
  const { id, title, created_at, file_format } = product_files
  const rows = await db
    .select({ id, title, created_at })
    .from(product_files)
    .where(eq(file_format, 'epub'))
    .orderBy(desc(created_at), desc(id))
    .limit(maxListed)
  return rows.map((row) => ({ id: row.id, title: row.title, created_at: row.created_at.toISOString() }))
}

export async function listStoredChapters(services: BookShop, id: string): Promise<StoredChapter[]> {
  const { db, uploadReader } = services
  const request = openRequestReader(uploadReader)
  const [file] = await db.select().from(product_files).where(eq(product_files.id, id))
  if (file?.file_format !== 'epub') throw bookProblem('book.ebook_not_found')
  const { book } = await readStoredBook(services, request, file)
  return book.chapters.map((chapter) => Object.assign(previewOf(chapter), { kind: chapter.kind }))
}
