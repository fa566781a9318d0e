// The book's document, made of what the author's file says. What it does not say is empty, and so unseen on the page.
import { requireReleaseDay } from '#domains/delivery/releases.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  maxDescription,
  maxWords,
  sectionNames,
  type BookDocument,
  type DraftState,
} from '#contract/book/book.ts'
import { bookDraft } from '#contract/book/checked-book.ts'
import { cutLine, emptyParts, noSpeaking, previewOf } from '#domains/book/show-book.ts'
import { isRecord } from '#domains/book/published-book.ts'
import { type ReadBook, readBook } from '#contract/files/read-book.ts'
import { wholeSentences } from '#domains/files/chapter-text.ts'
import { joinParagraphs } from '#domains/files/metadata.ts'
import {
  type Picture,
  type PictureColors,
  addedPicture,
  type AddedPicture,
} from '#contract/files/pictures.ts'
import { ne } from 'drizzle-orm'
import { z } from 'zod'
import { sampleBook } from '#content/sample-book.ts'
import { followLanguage, newLines } from '#content/standard-lines.ts'
import { toCents } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem, platformProblem } from '#platform/problem.ts'
import { type SetupShop, setupProblem } from './shop.ts'
import type { Services } from '#platform/services.ts'
import { readSettings } from '#platform/stored-settings.ts'
import type { Actor } from '#platform/audit-log.ts'
import { readDraft, saveDraft, saveDraftIn } from '#domains/book/drafts.ts'
import { checkEbook, readBookFile } from '#domains/files/ebook-reader.ts'
import type { BookFile } from '#domains/files/epub.ts'
import { openRequestReader, type RequestReader } from '#domains/files/request-reader.ts'
import { requirePayable } from '#domains/catalog/sale-mode.ts'
import { addPicture } from '#domains/files/pictures.ts'
import { describeSettings, saveSettings } from '#domains/settings/settings.ts'
import { offers, type BookSetup, type ChosenOffers } from '#contract/setup/setup.ts'
import { setupSteps, type SetupStep } from '#contract/setup/setup-steps.ts'
import { book_setup } from '#tables/setup.ts'
import { listAdminProducts } from '#domains/delivery/products.ts'
import { listSampleProducts } from '#domains/catalog/seed.ts'

/** `defaults` has the looks without a cover, the language and the templates of the legal pages. */
function createOwnBook(
  defaults: BookDocument,
  book: ReadBook,
  added: (Picture & { colors?: PictureColors | undefined }) | undefined,
): BookDocument {
  const title = cutLine(book.title ?? '', 300)
  const first = book.firstChapter === null ? undefined : book.chapters[book.firstChapter]
  const isbn = book.isbn?.length === 13 ? book.isbn : ''
  const document: BookDocument = {
    ...defaults,
    // `followLanguage` changes it in place.
    legal: structuredClone(defaults.legal),
    ...newLines(),
    title,
    product: '',
    subtitle: cutLine(book.subtitle ?? '', 300),
    description: descriptionOf(book),
    author: { name: cutLine(book.authors.join(', '), 300), biography: '', portrait: null, email: null },
    isbns: { digital: isbn, paperback: '', hardcover: '' },
    pages: { digital: book.pages ?? 0, paperback: 0, hardcover: 0 },
    publisher: cutLine(book.publisher ?? '', 120),
    published_on: book.published_on ?? '',
    // A cover without a description is called the cover of the title, also when the title changes.
    cover: added ? { id: added.id, width: added.width, height: added.height, alt: '' } : null,
    looks: added?.colors
      ? { ...defaults.looks, cover_colors: added.colors, uses_cover_colors: true }
      : defaults.looks,
    rating: null,
    refund_days: 0,
    ...emptyParts,
    words: wordsOf(book),
    words_have_own_numbers: true,
    preview: { chapters: first ? [previewOf(first)] : [], after: '' },
    contact: {
      lead: '',
      direct: { title: '', line: '' },
      speaking: noSpeaking,
      reply_time: '',
    },
    packing_slip: { thanks: '', questions: '' },
    sections: sectionNames.map((name) => ({ name, is_shown: true })),
  }
  followLanguage(document, book.language ?? defaults.language)
  return document
}

const fewSentences = 500

/** Returns as many whole sentences as a page's opening takes, and one at least, in their paragraphs. */
function descriptionOf({ description = '' }: ReadBook): string {
  const text = joinParagraphs(description)
  const sentences = wholeSentences(text, fewSentences) || wholeSentences(text, maxDescription)
  return sentences || cutLine(text, maxDescription)
}

/** The chapters and parts; where there are none, as in a PDF, what the contents list, without sections. */
function wordsOf({ chapters, contents }: ReadBook): BookDocument['words'] {
  const own = chapters.filter(({ kind }) => kind === 'body' || kind === 'part')
  const listed = own.length > 0 ? own : upperLevels(contents).map(({ title }) => ({ title, kind: 'body' }))
  return listed
    .map(({ title, kind }) => {
      const entry = { word: cutLine(title, 300), line: '' }
      return kind === 'part' ? Object.assign(entry, { is_part: true }) : entry
    })
    .filter(({ word }) => word !== '')
    .slice(0, maxWords)
}

const fewEntries = 3

/** Down to the level that names several: above it may stand the book, or its parts. */
function upperLevels(contents: ReadBook['contents']): ReadBook['contents'] {
  const depths = [...new Set(contents.map(({ depth }) => depth))].toSorted((a, b) => a - b)
  const upTo = (limit: number) => contents.filter(({ depth }) => depth <= limit)
  const level = depths.find((depth) => upTo(depth).length >= fewEntries)
  return level === undefined ? contents : upTo(level)
}

/**
 * What the author has changed since `before` stays; the rest becomes as `next` has it. Objects are compared field by
 * field, lists and pictures as a whole.
 */
function mergeBooks(draft: BookDocument, before: BookDocument, next: BookDocument): BookDocument {
  return bookDraft.parse(merge(draft, before, next))
}

function merge(draft: unknown, before: unknown, next: unknown): unknown {
  if (isDeepStrictEqual(draft, before)) return next
  if (!isRecord(draft) || !isRecord(before) || !isRecord(next) || 'id' in draft) return draft
  const keys = Object.keys({ ...draft, ...next })
  return Object.fromEntries(keys.map((key) => [key, merge(draft[key], before[key], next[key])]))
}

const storedFile = z.object({
  upload_id: z.string(),
  name: z.string(),
  book: readBook,
  cover: addedPicture.nullable(),
})
type StoredFile = z.infer<typeof storedFile>

const storedSetup = z.object({ step: z.enum(setupSteps), file: storedFile.nullable(), offers })
export type StoredSetup = z.infer<typeof storedSetup>

const notBegun: StoredSetup = { step: 'file', file: null, offers: [] }

export async function readStoredSetup(db: Db | Transaction): Promise<StoredSetup> {
  const [stored] = await db.select().from(book_setup)
  return stored ? storedSetup.parse(stored) : notBegun
}

export async function readSetup(services: SetupShop): Promise<BookSetup> {
  const { db, uploads } = services
  const { step, file, offers } = await readStoredSetup(db)
  const settings = await readShopSettings(services)
  if (!file) return { step, file, offers, ...settings }
  const { name, book, upload_id } = file
  const chapters = book.chapters.map(({ title, kind, markdown }) => ({
    title,
    kind,
    length: markdown.length,
  }))
  const is_stored = (await uploads.find(upload_id)) !== undefined
  return { step, file: { ...book, name, chapters, is_stored }, offers, ...settings }
}

async function readShopSettings(services: SetupShop): Promise<Pick<BookSetup, 'currency' | 'time_zone'>> {
  const { db, secret, settings } = services
  const { locked, variables } = await describeSettings(services, 'shop')
  const { fields } = (await readSettings(db, secret))('shop')
  const { currency: code, time_zone: name } = settings.get().shop
  const fixed = variables['currency'] ? `Set by ${variables['currency']} in the shop’s environment.` : null
  const variable = variables['time_zone'] ?? null
  return {
    currency: { code, locked: locked['currency'] ?? fixed },
    time_zone: { name, is_chosen: 'time_zone' in fields || variable !== null, variable },
  }
}

export async function changeSetup(
  db: Db | Transaction,
  clock: Services['clock'],
  change: Partial<StoredSetup>,
): Promise<void> {
  const set = { ...change, changed_at: clock() }
  const { rowCount } = await db
    .insert(book_setup)
    .values({ ...notBegun, ...set })
    .onConflictDoUpdate({ target: book_setup.id, set, setWhere: ne(book_setup.step, 'done') })
  if (!rowCount) throw setupProblem('setup.opened')
}

/**
 * Reads the author's book into the draft; what was changed there by hand stays. The upload is kept for the product that
 * is to have it.
 */
export async function takeBookFile(services: SetupShop, upload_id: string, actor: Actor): Promise<void> {
  const { db, clock } = services
  await requireUnopened(db)
  const request = openRequestReader(services.uploadReader)
  const read = await readUploaded(services, upload_id, request)
  // A picture that is ready too late has no owner, and is deleted a day later.
  const kept = read.cover && (await request.wait(saveCover(services, read.cover)))
  const findings = kept && 'finding' in kept ? [...read.book.findings, kept.finding] : read.book.findings
  const file = {
    upload_id,
    name: read.name,
    book: { ...read.book, findings },
    cover: kept && 'picture' in kept ? kept.picture : null,
  }
  await db.transaction(async (tx) => {
    const before = await readStoredSetup(tx)
    const { document, revision } = await readDraft(tx)
    const merged = mergeBooks(document, documentOf(before.file), documentOf(file))
    await saveDraftIn(tx, clock, { revision, document: merged }, actor)
    await changeSetup(tx, clock, { step: 'words', file })
  })
}

async function readUploaded({ uploads }: SetupShop, upload_id: string, request: RequestReader) {
  const upload = await uploads.find(upload_id)
  if (!upload) throw platformProblem('uploads.not_found')
  const { file_name: name, path } = upload
  // The check is that of the opening: what buyers could not get is refused now.
  const { file_format, findings } = await checkEbook(request, path, name)
  const read = file_format === 'mobi' ? unreadMobi : await readBookFile(request, path, name)
  return { name, cover: read.cover, book: { ...read.book, findings: [...findings, ...read.book.findings] } }
}

/** An author who has a MOBI alone types the page. */
const unreadMobi: BookFile = {
  book: {
    file_format: 'mobi',
    authors: [],
    contents: [],
    chapters: [],
    firstChapter: null,
    findings: [
      'The shop reads no words and no cover from a MOBI. Please type the title, the author and the rest of the page yourself, or choose the book’s EPUB or PDF.',
    ],
  },
  cover: undefined,
}

function documentOf(file: StoredFile | null) {
  return file ? createOwnBook(sampleBook, file.book, file.cover ?? undefined) : sampleBook
}

async function saveCover(
  services: SetupShop,
  cover: Uint8Array,
): Promise<{ picture: AddedPicture } | { finding: string }> {
  try {
    return { picture: await addPicture(services, cover, async () => undefined) }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'uploads.busy') throw error
    const isSlow = error.code === 'pictures.too_slow'
    return {
      finding: isSlow
        ? 'The cover in the file was not ready in time. Please choose the file again, or the picture itself.'
        : 'The cover in the file could not be opened. Please choose the picture itself.',
    }
  }
}

export async function chooseStep({ db, clock }: SetupShop, step: SetupStep): Promise<void> {
  await changeSetup(db, clock, { step })
}

/**
 * Currency and shipping act at once. They ask for no more proof than the prices do until the setup is finished, also in a
 * shop that has something for sale already: the currency is fixed from the first sale on.
 */
export async function chooseOffers(
  services: SetupShop,
  actor: Actor,
  { offers: chosen, currency, shipping }: ChosenOffers,
): Promise<void> {
  const { db, clock, settings } = services
  await requireUnopened(db)
  const inCurrency = currency ?? settings.get().shop.currency
  for (const [at, { price, release_on }] of chosen.entries()) {
    requirePayable(`offers.${at}.price`, toCents(price), inCurrency)
    await requireReleaseDay(db, release_on, `offers.${at}.release_on`)
  }
  const save = async (name: 'shop' | 'shipping', values: Record<string, unknown>) => {
    const { revision } = await describeSettings(services, name)
    await saveSettings(services, actor, name, { revision, values })
  }
  if (currency && currency !== settings.get().shop.currency) await save('shop', { currency })
  if (shipping) await save('shipping', shipping)
  await changeSetup(db, clock, { offers: chosen })
}

/** Asks for no more proof than the currency does, and as long. */
export async function chooseTimeZone(services: SetupShop, actor: Actor, time_zone: string): Promise<void> {
  await requireUnopened(services.db)
  const { revision } = await describeSettings(services, 'shop')
  await saveSettings(services, actor, 'shop', { revision, values: { time_zone } })
}

async function requireUnopened(db: Db | Transaction): Promise<void> {
  if ((await readStoredSetup(db)).step === 'done') throw setupProblem('setup.opened')
}

export async function choosePreview(
  services: SetupShop,
  { revision, chapters }: { revision: number; chapters: number[] },
  actor: Actor,
): Promise<DraftState> {
  const { file } = await readStoredSetup(services.db)
  const chosen = chapters.map((at) => file?.book.chapters[at]).filter((chapter) => chapter !== undefined)
  if (chosen.length < chapters.length) throw setupProblem('setup.chapter_not_found')
  const { document } = await readDraft(services.db)
  const preview = { ...document.preview, chapters: chosen.map(previewOf) }
  return saveDraft(services, { revision, document: { ...document, preview } }, actor)
}

/** Lists what the author has added before the setup was finished. */
export async function listOwnProducts(db: Db) {
  const samples = await listSampleProducts(db)
  return (await listAdminProducts(db)).filter(({ id, archived_at }) => !archived_at && !samples.includes(id))
}
