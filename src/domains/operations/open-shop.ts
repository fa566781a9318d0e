// Opening the shop with the author's book: its products go on sale, the sample's are archived, its words are published.
import type { Pool } from 'pg'
import { readFieldProblems } from '#contract/field-rules.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem } from '#platform/problem.ts'
import { bookProblem } from '#domains/book/problem.ts'
import { operationProblem } from './problem.ts'
import type { Actor } from '#platform/audit-log.ts'
import { bookDocument, fullTitle, type BookDocument } from '#contract/book/book.ts'
import { publishDraft, readDraft } from '#domains/book/drafts.ts'
import { saveFile } from '#domains/files/file-import.ts'
import { addProduct, ebookImport, saveEdition, type StoredEdition } from '#domains/catalog/products.ts'
import { changeProduct, putOnSale, setArchived, setParts } from '#domains/catalog/change-products.ts'
import { formatsTexts } from '#words/formats.ts'
import { withTexts } from '#words/with-texts.ts'
import { wordingOf } from '#words/wording.ts'
import { formats, type Format, isOnPaper, type Product, asListed } from '#contract/catalog/products.ts'
import { listSampleProducts } from '#domains/catalog/seed.ts'
import { stopCountingSample } from './sums-settings.ts'
import { changeSetup, readStoredSetup, listOwnProducts, type StoredSetup } from './book-setup.ts'
import { saleModeOf } from '#domains/catalog/sale-mode.ts'
import type { OperationsShop } from './shop.ts'

/**
 * First the author's file is stored, which may take minutes; then one transaction does the rest. Killed at any moment,
 * the shop is as before or open, and the upload is there for the next call.
 */
export async function openWithOwnBook(
  services: OperationsShop,
  revision: number,
  actor: Actor,
): Promise<void> {
  const { db, database, uploads } = services
  await using _opening = await lockOpening(database.pool)
  const { title, setup } = await requireReady(db, revision)
  const open = (tx: Transaction, file?: StoredEdition) => openIn(tx, services, { revision, actor, file })
  const upload_id = setup.file && (await needsFile(db, setup.offers)) ? setup.file.upload_id : undefined
  const upload = upload_id && (await uploads.find(upload_id))
  if (upload) await saveFile(services, upload, ebookImport(services, title, open))
  else await db.transaction((tx) => open(tx))
  // What cannot be removed now is swept later.
  if (upload)
    await uploads.claim(upload_id).then(
      (claimed) => claimed.remove(),
      () => undefined,
    )
  await services.book.refresh()
  await services.catalogue.refresh()
}

/** A second caller is refused in every process. The lock ends with the connection, and so with a killed process. */
async function lockOpening(pool: Pool): Promise<AsyncDisposable> {
  const client = await pool.connect()
  const key = `hashtext('lectern book setup')`
  const { rowCount } = await client.query(
    `select from (select pg_try_advisory_lock(${key}) as is_taken) lock where is_taken`,
  )
  if (!rowCount) {
    client.release()
    throw operationProblem('setup.opening')
  }
  return {
    async [Symbol.asyncDispose]() {
      const isFree = await client.query(`select pg_advisory_unlock(${key})`).catch(() => undefined)
      client.release(isFree === undefined)
    },
  }
}

async function requireReady(db: Db | Transaction, revision: number) {
  const setup = await readStoredSetup(db)
  if (setup.step === 'done') throw operationProblem('setup.opened')
  const { document, revision: newest } = await readDraft(db)
  if (newest !== revision) throw bookProblem('book.changed_elsewhere')
  const complete = bookDocument.safeParse(document)
  if (!complete.success) throw bookProblem('book.unfinished', { fields: readFieldProblems(complete.error) })
  if (setup.offers.length === 0) throw operationProblem('setup.nothing_for_sale')
  return { setup, title: fullTitle(document), wording: wordingOf(document) }
}

async function needsFile(db: Db, offers: readonly { format: string }[]): Promise<boolean> {
  const own = (await listOwnProducts(db)).find(({ format }) => format === 'digital')
  return offers.some(({ format }) => format === 'digital') && !own?.editions.length
}

type Opening = { revision: number; actor: Actor; file: StoredEdition | undefined }

async function openIn(
  tx: Transaction,
  outer: OperationsShop,
  { revision, actor, file }: Opening,
): Promise<void> {
  // The transactions of the calls below are parts (savepoints) of this one; nobody sees their changes before its commit.
  const unchanged = { refresh: () => Promise.resolve() }
  const services = {
    ...outer,
    db: tx,
    book: { ...outer.book, ...unchanged },
    catalogue: { ...outer.catalogue, ...unchanged },
  }
  const { title, setup, wording } = await requireReady(tx, revision)
  const samples = await listSampleProducts(tx)
  const own = await listOwnProducts(tx)
  const offered: string[] = []
  // The bundle is the last format: it holds the others.
  for (const format of formats) {
    const chosen = setup.offers.find((each) => each.format === format)
    if (!chosen) continue
    const edition = format === 'digital' ? file : undefined
    const before = own.find((product) => product.format === format)
    const name = withTexts(wording, () => offerName(title, format))
    const added = { ...chosen, name, description: '', contents: [], is_for_sale: false }
    const id = before?.id ?? (await addProduct(services, actor, added, edition))
    if (before) {
      await changeProduct(services, actor, id, { price: chosen.price })
      if (edition) await saveEdition(tx, services, actor, before, edition)
    }
    if (format === 'bundle') await setParts(services, actor, id, offered)
    offered.push(id)
  }
  for (const id of samples) await setArchived(services, actor, id, true)
  await stopCountingSample(tx)
  await publish(services, revision, actor)
  await changeSetup(tx, services.clock, { step: 'done', file: null })
  await putOnSale(tx, offered)
}

function offerName(title: string, format: Format): string {
  return format === 'digital' ? title : `${title} (${formatsTexts.names[format]})`
}

/** The author may have published the book before. */
async function publish(services: OperationsShop, revision: number, actor: Actor): Promise<void> {
  try {
    await publishDraft(services, revision, actor, stopCountingSample)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'book.nothing_to_publish') throw error
  }
}

// What the preview of the draft offers while the setup is under way: the author's own choice, nothing of the sample.

/** Undefined where no setup is under way: the preview then shows what the shop sells. */
export async function listPreviewProducts(services: OperationsShop): Promise<Product[] | undefined> {
  const setup = await readStoredSetup(services.db)
  if (setup.step === 'done' || (!setup.file && setup.offers.length === 0)) return undefined
  const { document } = await readDraft(services.db)
  const mode = saleModeOf(services, true)
  return withTexts(wordingOf(document), () =>
    setup.offers.map((offer) => asListed(toProduct(offer, setup, fullTitle(document)), mode)),
  )
}

/** Until something is chosen, the preview has no section that would say that nothing is for sale. */
export function hideEmptySection(document: BookDocument, products: Product[] | undefined): BookDocument {
  if (products?.length !== 0) return document
  const sections = document.sections.map((section) =>
    section.name === 'purchase' ? { ...section, is_shown: false } : section,
  )
  return { ...document, sections }
}

type Offer = StoredSetup['offers'][number]

function toProduct({ format, price }: Offer, { offers, file }: StoredSetup, title: string): Product {
  const parts =
    format === 'bundle' ? offers.flatMap((each) => (each.format === 'bundle' ? [] : [each.format])) : []
  const held = format === 'bundle' ? parts : [format]
  const is_digital = held.includes('digital')
  return {
    id: format,
    name: offerName(title, format),
    description: '',
    price,
    format,
    is_digital,
    ships: held.some(isOnPaper),
    is_sold_out: false,
    cover_url: null,
    cover: null,
    parts,
    holds: parts,
    file_formats: is_digital && file ? [file.book.file_format] : [],
    contents: [],
    bonuses: [],
  }
}
