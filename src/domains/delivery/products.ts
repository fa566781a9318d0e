// Products as the admin area lists them, and what the file of a new edition holds beside the edition on sale.
import { sql, and, desc, eq, isNull } from 'drizzle-orm'
import { catalogProblem } from '#domains/catalog/shop.ts'
import type { Db } from '#platform/db/client.ts'
import { isoTime, queryAll, queryOne } from '#platform/db/query.ts'
import { adminProduct, type AdminProduct, type EditionComparison } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { daySums } from '#domains/orders/day-sums.ts'
import { countOrdered, isOwned } from '#domains/orders/entitlements.ts'
import {
  cover,
  coverUrl,
  deliveryGap,
  isOnSale,
  isReleased,
  isSoldOut,
  partsOf,
  pendingRelease,
  releaseGap,
} from '#domains/catalog/product-sql.ts'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { comparable } from '#contract/comparable-text.ts'
import { Problem, platformProblem } from '#platform/problem.ts'
import type { BookFile } from '#domains/files/epub.ts'
import { checkEbook, readBookFile, readStoredBook } from '#domains/files/ebook-reader.ts'
import { openRequestReader, type RequestReader } from '#domains/files/request-reader.ts'
import type { ReadBook } from '#contract/files/read-book.ts'
import { product_files } from '#tables/catalog.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export function listAdminProducts(db: Db, only?: string): Promise<AdminProduct[]> {
  const query = sql`
    select products.id, products.name, products.description, products.price, products.format, products.is_digital,
      products.contents, ${isOnSale} as is_for_sale, not products.is_for_sale as is_hidden, products.archived_at,
      ${deliveryGap} as delivery_gap, ${releaseGap} as release_gap, products.release_on::text, ${isReleased} as is_released,
      ${pendingRelease} as pending_release, (case when ${isReleased} then 0 else ${countOrdered(sql`products.id`)} end) as preorders,
      (select count(*) from release_waitlist w
        where w.product_id = products.id and w.confirmed_at is not null) as awaited_by,
      ${coverUrl} as cover_url, ${cover} as cover,
      ${partsOf} as parts, products.created_at, products.updated_at,
      (select copies from stock where product_id = products.id) as copies, ${isSoldOut} as is_sold_out,
      (select count(*) from taken_copies t join purchases b on b.id = t.purchase_id
        where t.product_id = products.id and b.status = 'pending') as copies_reserved,
      sums.*, ${isOwned(sql`products.id`)} as is_owned,
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'title', f.title, 'file_format', f.file_format, 'file_size', f.file_size,
          'edition', f.edition, 'changes', f.changes, 'findings', f.findings, 'is_lost', f.lost_at is not null, 'created_at', f.created_at,
          'is_announced', exists (select from edition_announcements a where a.file_id = f.id)) order by f.created_at desc, f.id desc), '[]')
        from product_files f where f.product_id = products.id
      ) as editions
    from products, lateral (
      select ${daySums('sold', 'free', 'tests')} from sales_day s where s.product_id = products.id) sums
    where ${only ? sql`products.id = ${only}` : sql`true`}
    order by products.position nulls last, products.price, products.id`
  return queryAll(db, productRow, query)
}

const productRow = adminProduct.extend({
  created_at: isoTime,
  updated_at: isoTime,
  archived_at: isoTime.nullable(),
})

export async function getAdminProduct(db: Db, id: string): Promise<AdminProduct> {
  const [product] = await listAdminProducts(db, id)
  if (!product) throw catalogProblem('products.not_found')
  return product
}

/** The upload stays. Throws what an edition of this file would be refused with. */
export async function compareEdition(
  services: CommerceShop,
  product_id: string,
  upload_id: string,
): Promise<EditionComparison> {
  const { db, uploads } = services
  const request = openRequestReader(services.uploadReader)
  const { format } = await getAdminProduct(db, product_id)
  if (isOnPaper(format)) throw catalogProblem('products.no_download')
  const upload = await uploads.find(upload_id)
  if (!upload) throw platformProblem('uploads.not_found')
  const { path, file_name } = upload
  const { file_format } = await checkEbook(request, path, file_name)
  const [{ book, reading }, onSale, { owners }] = await Promise.all([
    readSoftly(services, readBookFile(request, path, file_name)),
    readOnSale(services, request, { product_id, file_format }),
    queryOne(
      db,
      z.object({ owners: z.number() }),
      sql`select ${countOrdered(sql`${product_id}::uuid`)} as owners`,
    ),
  ])
  return {
    reading,
    reading_on_sale: onSale?.reading ?? null,
    title: book?.title ?? null,
    file_format,
    file_size: (await stat(path)).size,
    chapters: book ? countChapters(book) : 0,
    listed_chapters: book && onSale?.book ? await staleList(services, book, onSale.book) : null,
    owners,
    warnings: book && onSale?.book ? differences(book, onSale.book) : [],
  }
}

type SoftlyRead = { book?: ReadBook; reading: EditionComparison['reading'] }

/** A file that has no text to be read, as a book of pictures, may be sold all the same. */
async function readSoftly({ log }: CommerceShop, file: Promise<BookFile>): Promise<SoftlyRead> {
  try {
    return { book: (await file).book, reading: 'read' }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'uploads.busy') throw error
    log.info({ err: error }, 'the text of an ebook was not read')
    return { reading: error.code === 'uploads.timed_out' ? 'timed_out' : 'unreadable' }
  }
}

/** Undefined where no edition is on sale. */
async function readOnSale(
  services: CommerceShop,
  request: RequestReader,
  { product_id, file_format }: Pick<typeof product_files.$inferSelect, 'product_id' | 'file_format'>,
): Promise<SoftlyRead | undefined> {
  const { db, log } = services
  const isOfProduct = and(eq(product_files.product_id, product_id), isNull(product_files.lost_at))
  const [newest] = await db
    .select()
    .from(product_files)
    .where(isOfProduct)
    .orderBy(desc(eq(product_files.file_format, file_format)), desc(product_files.created_at))
    .limit(1)
  if (!newest) return undefined
  try {
    return await readSoftly(services, readStoredBook(services, request, newest))
  } catch (error) {
    if (error instanceof Problem) throw error
    // The new edition may be what puts it right.
    log.warn({ err: error, file_path: newest.file_path }, 'the edition on sale could not be read')
    return { reading: 'unreadable' }
  }
}

/** A PDF counts the entries of its contents. */
function countChapters({ chapters, contents }: ReadBook): number {
  const bodies = chapters.filter(({ kind }) => kind === 'body').length
  return bodies || contents.filter(({ depth }) => depth === 0).length
}

/** The list of a page that never had the number of this product's chapters is of another book, or was chosen so. */
async function staleList(services: CommerceShop, book: ReadBook, before: ReadBook): Promise<number | null> {
  const { document } = await services.book.get()
  const listed = document.words.filter(({ is_part }) => !is_part).length
  const chapters = countChapters(book)
  return listed === countChapters(before) && listed > 0 && chapters > 0 && listed !== chapters ? listed : null
}

/** Spaces, signs and capitals make no other book. */
const plain = (title: string) =>
  comparable(title)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function differences(book: ReadBook, before: ReadBook): string[] {
  const warnings: string[] = []
  if (book.title && before.title && plain(book.title) !== plain(before.title))
    warnings.push(
      `The title of this file is “${book.title}”; that of the edition on sale is “${before.title}”.`,
    )
  if (book.isbn && before.isbn && book.isbn !== before.isbn)
    warnings.push(`The ISBN of this file is ${book.isbn}; that of the edition on sale is ${before.isbn}.`)
  return warnings
}
