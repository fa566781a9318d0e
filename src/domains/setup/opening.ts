// Opens the shop with the author’s book: its products go on sale, the sample’s are removed, its words are published.
import { setRelease } from '#domains/delivery/releases.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { Actor } from '#platform/audit-log.ts'
import { type SetupShop, setupProblem } from './shop.ts'
import { formats, type Format } from '#contract/catalog/formats.ts'
import { Problem } from '#platform/problem.ts'
import { readStoredSetup, listOwnProducts, changeSetup } from './book-setup.ts'
import type { Pool } from 'pg'
import { readFieldProblems } from '#contract/field-rules.ts'
import { bookProblem } from '#domains/book/problem.ts'
import { fullTitle } from '#contract/book/book.ts'
import { bookDocument } from '#contract/book/checked-book.ts'
import { publishDraft, readDraft } from '#domains/book/drafts.ts'
import { removeUnsettled, saveFile } from '#domains/files/file-import.ts'
import { addProduct, ebookImport, saveEdition, type StoredEdition } from '#domains/catalog/products.ts'
import { changeProduct, putOnSale, setParts } from '#domains/catalog/change-products.ts'
import { formatsTexts } from '#words/buying.ts'
import { loadWording, withTexts } from '#words/wording.ts'
import { removeSamples } from './sample-removal.ts'
import { stopCountingSample } from '#domains/settings/sums-settings.ts'

/**
 * First the author's file is stored, which may take minutes; then one transaction does the rest. Killed at any moment,
 * the shop is as before or open, and the upload is there for the next call.
 */
export async function openWithOwnBook(services: SetupShop, revision: number, actor: Actor): Promise<void> {
  const { db, database, uploads } = services
  await using _opening = await lockOpening(database.pool)
  const { title, setup } = await requireReady(db, revision)
  let removed: string[] = []
  const open = async (tx: Transaction, file?: StoredEdition) => {
    removed = await openIn(tx, services, { revision, actor, file })
  }
  const upload_id = setup.file && (await needsFile(db, setup.offers)) ? setup.file.upload_id : undefined
  const upload = upload_id && (await uploads.find(upload_id))
  if (upload) await saveFile(services, upload, ebookImport(services, title, open))
  else await db.transaction((tx) => open(tx))
  // A sweep removes later what cannot be removed now.
  if (upload)
    await uploads.claim(upload_id).then(
      (claimed) => claimed.remove(),
      () => undefined,
    )
  await removeUnsettled(services, removed)
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
    throw setupProblem('setup.opening')
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
  if (setup.step === 'done') throw setupProblem('setup.opened')
  const { document, revision: newest } = await readDraft(db)
  if (newest !== revision) throw bookProblem('book.changed_elsewhere')
  const complete = bookDocument.safeParse(document)
  if (!complete.success) throw bookProblem('book.unfinished', { fields: readFieldProblems(complete.error) })
  if (setup.offers.length === 0) throw setupProblem('setup.nothing_for_sale')
  return { setup, title: fullTitle(document), wording: await loadWording(document) }
}

async function needsFile(db: Db, offers: readonly { format: string }[]): Promise<boolean> {
  const own = (await listOwnProducts(db)).find(({ format }) => format === 'digital')
  return offers.some(({ format }) => format === 'digital') && !own?.editions.length
}

type Opening = { revision: number; actor: Actor; file: StoredEdition | undefined }

/** Returns the files of the sample’s products that it has deleted. */
async function openIn(
  tx: Transaction,
  outer: SetupShop,
  { revision, actor, file }: Opening,
): Promise<string[]> {
  // The transactions of the calls below are parts (savepoints) of this one; nobody sees their changes before its commit.
  const unchanged = { refresh: () => Promise.resolve() }
  const services = {
    ...outer,
    db: tx,
    book: { ...outer.book, ...unchanged },
    catalogue: { ...outer.catalogue, ...unchanged },
  }
  const { title, setup, wording } = await requireReady(tx, revision)
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
      const { price, release_on } = chosen
      await changeProduct(services, actor, id, { price })
      if (release_on !== null) await setRelease(tx, services, actor, { id, release_on })
      if (edition) await saveEdition(tx, services, actor, before, edition)
    }
    if (format === 'bundle') await setParts(services, actor, id, offered)
    offered.push(id)
  }
  const removed = await removeSamples(tx, services, actor)
  await stopCountingSample(tx)
  await publish(services, revision, actor)
  await changeSetup(tx, services.clock, { step: 'done', file: null })
  await putOnSale(tx, offered)
  return removed
}

export function offerName(title: string, format: Format): string {
  return format === 'digital' ? title : `${title} (${formatsTexts.names[format]})`
}

/** The author may have published the book before. */
async function publish(services: SetupShop, revision: number, actor: Actor): Promise<void> {
  try {
    await publishDraft(services, revision, actor, stopCountingSample)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'book.nothing_to_publish') throw error
  }
}
