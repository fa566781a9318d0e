import { ne } from 'drizzle-orm'
import { z } from 'zod'
import { sampleBook } from '#content/sample-book.ts'
import { toCents } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem, platformProblem } from '#platform/problem.ts'
import { operationProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import type { DraftState } from '#contract/book/drafts.ts'
import { readDraft, saveDraft, saveDraftIn } from '#domains/book/drafts.ts'
import { checkEbook, readBookFile, type WithUploadReader } from '#domains/files/check.ts'
import { readBook } from '#contract/files/read-book.ts'
import { requirePayable } from '#domains/catalog/require-payable.ts'
import { addPicture } from '#domains/files/pictures.ts'
import { addedPicture, type AddedPicture } from '#contract/files/pictures.ts'
import type { WithPictureReader } from '#domains/files/picture-reader.ts'
import { describeSettings } from './describe-settings.ts'
import { saveSettings } from './save-settings.ts'
import {
  offers,
  setupSteps,
  type BookSetup,
  type ChosenOffers,
  type SetupStep,
} from '#contract/operations/book-setup.ts'
import { createOwnBook, mergeBooks } from './own-book.ts'
import { previewOf } from '#domains/book/preview-chapter.ts'
import { book_setup } from '#tables/setup.ts'

const storedFile = z.object({
  upload_id: z.string(),
  name: z.string(),
  book: readBook,
  /** What an earlier version has read has no colors. */
  cover: addedPicture.partial({ colors: true }).nullable(),
})
type StoredFile = z.infer<typeof storedFile>

const storedSetup = z.object({ step: z.enum(setupSteps), file: storedFile.nullable(), offers })
export type StoredSetup = z.infer<typeof storedSetup>

const notBegun: StoredSetup = { step: 'file', file: null, offers: [] }

export async function readStoredSetup(db: Db | Transaction): Promise<StoredSetup> {
  const [stored] = await db.select().from(book_setup)
  return stored ? storedSetup.parse(stored) : notBegun
}

export async function readSetup(
  services: Pick<Services, 'db' | 'uploads' | 'config' | 'secrets' | 'settings'>,
): Promise<BookSetup> {
  const { db, uploads } = services
  const { step, file, offers } = await readStoredSetup(db)
  const currency = await readCurrency(services)
  if (!file) return { step, file, offers, currency }
  const { name, book, upload_id } = file
  const chapters = book.chapters.map(({ title, kind, markdown }) => ({
    title,
    kind,
    length: markdown.length,
  }))
  const is_stored = (await uploads.find(upload_id)) !== undefined
  return { step, file: { ...book, name, chapters, is_stored }, offers, currency }
}

async function readCurrency(
  services: Pick<Services, 'db' | 'config' | 'secrets' | 'settings'>,
): Promise<BookSetup['currency']> {
  const { locked, variables } = await describeSettings(services, 'shop')
  const variable = variables['currency']
  const fixed = variable ? `Set by ${variable} in the shop’s environment.` : null
  return { code: services.settings.get().shop.currency, locked: locked['currency'] ?? fixed }
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
  if (!rowCount) throw operationProblem('setup.opened')
}

type Reading = Pick<Services, 'db' | 'clock' | 'storage' | 'uploads'> & WithUploadReader & WithPictureReader

/**
 * Reads the author's book into the draft; what was changed there by hand stays. The upload is kept for the product that
 * is to have it.
 */
export async function takeBookFile(services: Reading, upload_id: string, actor: Actor): Promise<void> {
  const { db, clock } = services
  await requireUnopened(db)
  const read = await readUploaded(services, upload_id)
  const kept = read.cover && (await saveCover(services, read.cover))
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

async function readUploaded({ uploads, uploadReader }: Reading, upload_id: string) {
  const upload = await uploads.find(upload_id)
  if (!upload) throw platformProblem('uploads.not_found')
  const { file_name: name, path } = upload
  const read = await readBookFile(uploadReader, path, name)
  // As when the shop opens: what buyers could not get is refused now.
  const { findings } = await checkEbook(uploadReader, path, name)
  return { name, cover: read.cover, book: { ...read.book, findings: [...findings, ...read.book.findings] } }
}

function documentOf(file: StoredFile | null) {
  return file ? createOwnBook(sampleBook, file.book, file.cover ?? undefined) : sampleBook
}

async function saveCover(
  services: Reading,
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

export async function chooseStep(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  step: SetupStep,
): Promise<void> {
  await changeSetup(db, clock, { step })
}

type Choosing = Parameters<typeof saveSettings>[0] & Pick<Services, 'db'>

/**
 * Currency and shipping act at once. They ask for no more proof than the prices do until the setup is finished, also in a
 * shop that has something for sale already: the currency is fixed from the first sale on.
 */
export async function chooseOffers(
  services: Choosing,
  actor: Actor,
  { offers: chosen, currency, shipping }: ChosenOffers,
): Promise<void> {
  const { db, clock, settings } = services
  await requireUnopened(db)
  const inCurrency = currency ?? settings.get().shop.currency
  for (const [at, { price }] of chosen.entries())
    requirePayable(`offers.${at}.price`, toCents(price), inCurrency)
  const save = async (name: 'shop' | 'shipping', values: Record<string, unknown>) => {
    const { revision } = await describeSettings(services, name)
    await saveSettings(services, actor, name, { revision, values })
  }
  if (currency && currency !== settings.get().shop.currency) await save('shop', { currency })
  if (shipping) await save('shipping', shipping)
  await changeSetup(db, clock, { offers: chosen })
}

async function requireUnopened(db: Db | Transaction): Promise<void> {
  if ((await readStoredSetup(db)).step === 'done') throw operationProblem('setup.opened')
}

export async function choosePreview(
  services: Pick<Services, 'db' | 'clock'>,
  { revision, chapters }: { revision: number; chapters: number[] },
  actor: Actor,
): Promise<DraftState> {
  const { file } = await readStoredSetup(services.db)
  const chosen = chapters.map((at) => file?.book.chapters[at]).filter((chapter) => chapter !== undefined)
  if (chosen.length < chapters.length) throw operationProblem('setup.chapter_not_found')
  const { document } = await readDraft(services.db)
  const preview = { ...document.preview, chapters: chosen.map(previewOf) }
  return saveDraft(services, { revision, document: { ...document, preview } }, actor)
}
