// The EPUBs that are stored, also of archived products, and their chapters, from which an author picks the preview.
import { desc, eq } from 'drizzle-orm'
import { bookProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { StoredChapter, StoredEbook } from '#contract/book/book.ts'
import type { CommerceShop } from './shop.ts'
import { readStoredBook } from '#domains/files/ebook-reader.ts'
import { openRequestReader } from '#domains/files/request-reader.ts'
import { product_files } from '#tables/catalog.ts'
import { previewOf } from './show-book.ts'

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

export async function listStoredChapters(services: CommerceShop, id: string): Promise<StoredChapter[]> {
  const { db, uploadReader } = services
  const request = openRequestReader(uploadReader)
  const [file] = await db.select().from(product_files).where(eq(product_files.id, id))
  if (file?.file_format !== 'epub') throw bookProblem('book.ebook_not_found')
  const { book } = await readStoredBook(services, request, file)
  return book.chapters.map((chapter) => Object.assign(previewOf(chapter), { kind: chapter.kind }))
}
