// The chapters of the EPUBs that are for sale, from which an author picks the preview.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { desc, eq } from 'drizzle-orm'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { readBookFile, type WithUploadReader } from '../ebooks/check.ts'
import type { Chapter } from '../ebooks/contract/read-book.ts'
import { product_files } from '../products/schema.ts'
import type { StoredChapter, StoredEbook } from './contract/stored-ebooks.ts'

const mostListed = 50

/** Newest first. */
export async function listStoredEbooks(db: Services['db']): Promise<StoredEbook[]> {
  const { id, title, created_at, file_format } = product_files
  const rows = await db
    .select({ id, title, created_at })
    .from(product_files)
    .where(eq(file_format, 'epub'))
    .orderBy(desc(created_at), desc(id))
    .limit(mostListed)
  return rows.map((row) => ({ id: row.id, title: row.title, created_at: row.created_at.toISOString() }))
}

type Needs = Pick<Services, 'db' | 'storage'> & WithUploadReader

/** Throws book.ebook_not_found; uploads.not_an_ebook, uploads.too_complex and uploads.busy as an upload does. */
export async function listStoredChapters(services: Needs, id: string): Promise<StoredChapter[]> {
  const chapters = await readChapters(services, id)
  return chapters.map(({ title, kind, markdown }, at) => ({ at, title, kind, length: markdown.length }))
}

/** As listStoredChapters does; book.ebook_not_found for a place without a chapter, too. */
export async function readStoredChapter(
  services: Needs,
  { id, at }: { id: string; at: number },
): Promise<{ title: string; text: string }> {
  const chapter = (await readChapters(services, id))[at]
  if (!chapter) throw new Problem('book.ebook_not_found')
  return { title: chapter.title, text: chapter.markdown }
}

async function readChapters({ db, storage, uploadReader }: Needs, id: string): Promise<Chapter[]> {
  const [file] = await db.select().from(product_files).where(eq(product_files.id, id))
  if (file?.file_format !== 'epub') throw new Problem('book.ebook_not_found')
  const folder = await mkdtemp(join(tmpdir(), 'lectern-'))
  const path = join(folder, 'book.epub')
  try {
    await pipeline(await storage.read(file.file_path), createWriteStream(path))
    return (await readBookFile(uploadReader, path, 'book.epub')).book.chapters
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
