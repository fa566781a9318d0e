// What a file holds that is about to become the new edition of a product, beside the edition on sale.
import { stat } from 'node:fs/promises'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { comparable } from '#contract/normal-form.ts'
import { queryOne } from '#platform/db/query.ts'
import { Problem, platformProblem } from '#platform/problem.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import type { Services } from '#platform/services.ts'
import { checkEbook, readBookFile, type WithUploadReader } from '#domains/files/check.ts'
import type { ReadBook } from '#contract/files/read-book.ts'
import { withStoredFile } from '#domains/files/stored-file.ts'
import { countOrdered } from '#domains/orders/orders-of-product.ts'
import { getAdminProduct } from './admin-products.ts'
import type { EditionComparison } from '#contract/catalog/admin-products.ts'
import { isOnPaper } from '#contract/catalog/products.ts'
import { product_files } from '#tables/products.ts'

type Needs = Pick<Services, 'db' | 'config' | 'storage' | 'uploads' | 'log'> & WithUploadReader

/** The upload stays. Throws what an edition of this file would be refused with. */
export async function compareEdition(
  services: Needs,
  product_id: string,
  upload_id: string,
): Promise<EditionComparison> {
  const { db, uploads, uploadReader } = services
  const { format } = await getAdminProduct(db, product_id)
  if (isOnPaper(format)) throw catalogProblem('products.no_download')
  const upload = await uploads.find(upload_id)
  if (!upload) throw platformProblem('uploads.not_found')
  const { path, file_name } = upload
  const { file_format } = await checkEbook(uploadReader, path, file_name)
  const [book, before, { owners }] = await Promise.all([
    readSoftly(services, path, file_name),
    readOnSale(services, { product_id, file_format }),
    queryOne(
      db,
      z.object({ owners: z.number() }),
      sql`select ${countOrdered(sql`${product_id}::uuid`)} as owners`,
    ),
  ])
  return {
    title: book?.title ?? null,
    file_format,
    file_size: (await stat(path)).size,
    chapters: book ? countChapters(book) : 0,
    owners,
    warnings: book && before ? differences(book, before) : [],
  }
}

/** Undefined for a file that has no text to be read, as a book of pictures: it may be sold all the same. */
async function readSoftly({ uploadReader, log }: Needs, path: string, file_name: string) {
  try {
    return (await readBookFile(uploadReader, path, file_name)).book
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'uploads.busy') throw error
    log.info({ err: error }, 'the text of an ebook was not read')
    return undefined
  }
}

async function readOnSale(
  services: Needs,
  { product_id, file_format }: Pick<typeof product_files.$inferSelect, 'product_id' | 'file_format'>,
) {
  const { db, log } = services
  const isOfProduct = and(eq(product_files.product_id, product_id), isNull(product_files.lost_at))
  const [newest] = await db
    .select()
    .from(product_files)
    .where(isOfProduct)
    .orderBy(desc(eq(product_files.file_format, file_format)), desc(product_files.created_at))
    .limit(1)
  if (!newest) return undefined
  const read = (path: string) => readSoftly(services, path, `book.${newest.file_format}`)
  // Without it there is nothing to compare, and the new edition may be what puts it right.
  return withStoredFile(services, newest, read).catch((error: unknown) => {
    log.warn({ err: error, file_path: newest.file_path }, 'the edition on sale could not be read')
    return undefined
  })
}

/** Of a PDF, the entries of its contents. */
function countChapters({ chapters, contents }: ReadBook): number {
  const bodies = chapters.filter(({ kind }) => kind === 'body').length
  return bodies || contents.filter(({ depth }) => depth === 0).length
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
