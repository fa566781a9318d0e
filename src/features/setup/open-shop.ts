// Opening the shop with the author's book: its products are put up for sale, the sample's put away, the words published.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryOne } from '#platform/db/query.ts'
import { readFieldProblems } from '#platform/contract/field-problems.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../audit/audit-log.ts'
import { bookDocument, fullTitle } from '../book/contract/book.ts'
import { publishDraft, readDraft } from '../book/drafts.ts'
import type { WithBook } from '../book/published-book.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import { addEdition, addProduct } from '../products/add-products.ts'
import { listAdminProducts } from '../products/admin-products.ts'
import { changeProduct, putOnSale, setArchived, setParts } from '../products/change-products.ts'
import type { WithCatalogue } from '../products/catalogue.ts'
import type { AdminProduct } from '../products/contract/admin-products.ts'
import { formatNames } from '../products/contract/format-names.ts'
import { formats } from '../products/contract/products.ts'
import { listSampleProducts } from '../products/seed.ts'
import { changeSetup, readStoredSetup, requireUnopened, type StoredSetup } from './book-setup.ts'

type Needs = Services & WithBook & WithUploadReader & WithCatalogue

/** Can be called again after a failure. Of several callers at once one opens the shop. */
export async function openWithOwnBook(services: Needs, revision: number, actor: Actor): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    // It waits while other connections store the author's file.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '15min'`)
    // A second caller is refused and does not wait: it would hold a connection, and the first needs another one.
    const query = sql`select pg_try_advisory_xact_lock(hashtext('lectern book setup')) as is_first`
    const { is_first } = await queryOne(tx, z.object({ is_first: z.boolean() }), query)
    if (!is_first) throw new Problem('setup.opening')
    await requireUnopened(tx)
    const setup = await readStoredSetup(tx)
    const { document, revision: newest } = await readDraft(tx)
    // Also asked when publishing. Before it, nothing is put up for sale.
    if (newest !== revision) throw new Problem('book.changed_elsewhere')
    const complete = bookDocument.safeParse(document)
    if (!complete.success) throw new Problem('book.unfinished', { fields: readFieldProblems(complete.error) })
    if (setup.offers.length === 0) throw new Problem('setup.nothing_for_sale')
    const samples = await listSampleProducts(db)
    const offered = await offer(services, actor, fullTitle(document), setup)
    for (const id of samples) await setArchived(services, actor, id, true)
    await publish(services, revision, actor)
    // With this step the book is the author's own, and sold as such: nobody gets it as the sample in between.
    await changeSetup(tx, clock, { step: 'done', file: null })
    await putOnSale(tx, offered)
  })
  await services.book.refresh()
  await services.catalogue.refresh()
}

/** It was published already when opening failed after it. */
async function publish(services: Needs, revision: number, actor: Actor): Promise<void> {
  try {
    await publishDraft(services, revision, actor)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'book.nothing_to_publish') throw error
  }
}

/**
 * Not for sale yet, with their ids. The bundle last: it holds the others. A format that has a product of the author's
 * already gets its price.
 */
async function offer(services: Needs, actor: Actor, title: string, setup: StoredSetup): Promise<string[]> {
  const made: string[] = []
  const samples = await listSampleProducts(services.db)
  const own = (await listAdminProducts(services.db)).filter(
    ({ id, archived_at }) => !archived_at && !samples.includes(id),
  )
  const file = setup.file && (await services.uploads.isThere(setup.file.upload_id)) ? setup.file : null
  for (const format of formats) {
    const chosen = setup.offers.find((each) => each.format === format)
    if (!chosen) continue
    const upload_id = format === 'digital' ? file?.upload_id : undefined
    const before = own.find((product) => product.format === format)
    const name = format === 'digital' ? title : `${title} (${formatNames[format]})`
    const id = before
      ? await renew(services, actor, before, { price: chosen.price, upload_id })
      : await addProduct(services, actor, {
          ...chosen,
          name,
          description: '',
          contents: [],
          is_for_sale: false,
          ...(upload_id && { upload_id }),
        })
    if (format === 'bundle') await setParts(services, actor, id, made)
    made.push(id)
  }
  return made
}

type Renewal = { price: number; upload_id: string | undefined }

async function renew(
  services: Needs,
  actor: Actor,
  { id, editions }: AdminProduct,
  { price, upload_id }: Renewal,
): Promise<string> {
  await changeProduct(services, actor, id, { price })
  if (upload_id && editions.length === 0) await addEdition(services, actor, id, { upload_id })
  return id
}
