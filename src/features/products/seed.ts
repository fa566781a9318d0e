// The first catalogue: written once, into a database that has neither products nor accounts.
import { z } from 'zod'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { bonusTitle } from '#content/bonus.ts'
import { book } from '#content/book.ts'
import type { FileFormat } from './contract/file-formats.ts'
import { storedName } from '#platform/stored-name.ts'
import type { Services } from '../../services.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { profiles } from '../accounts/schema.ts'
import { product_files, products } from './schema.ts'

type SampleFile = { title: string; file_format: FileFormat; source: string }

const sourceOf = (path: string) => fileURLToPath(import.meta.resolve(`#content/${path}`))

const bookFiles: SampleFile[] = [
  { title: book.title, file_format: 'epub', source: sourceOf('edition/sample.epub') },
  { title: book.title, file_format: 'pdf', source: sourceOf('edition/sample.pdf') },
]

/** The bundle's own; its parts bring theirs. */
const bonusFiles: SampleFile[] = [
  { title: bonusTitle, file_format: 'pdf', source: sourceOf('bonus/bonus.pdf') },
]

/** What a new shop sells until the author brings the book. */
export const sampleFiles = [...bookFiles, ...bonusFiles]

const catalogue = [
  {
    name: book.title,
    description: 'The whole book as EPUB and PDF, yours to keep and to read on every device.',
    price: 14.99,
    format: 'digital',
    is_digital: true,
    contents: ['Lifetime access'],
    files: bookFiles,
  },
  {
    name: `${book.title} (Paperback)`,
    description: 'A soft-cover copy with room in the margins, sent to your door.',
    price: 24.99,
    format: 'paperback',
    is_digital: false,
    contents: ['Soft cover', 'Room in the margins'],
    files: [],
  },
  {
    name: `${book.title} (Hardcover)`,
    description: 'A cloth-bound copy made to be read for years and handed on.',
    price: 39.99,
    format: 'hardcover',
    is_digital: false,
    contents: ['Cloth-bound', 'Made to be handed on'],
    files: [],
  },
  {
    name: `${book.title} (Bundle)`,
    description: 'Digital, paperback and hardcover together: one to read now, one to mark, one to give.',
    price: 49.97,
    format: 'bundle',
    is_digital: true,
    contents: ['Lifetime access'],
    files: bonusFiles,
  },
] satisfies (Omit<typeof products.$inferInsert, 'id'> & { files: SampleFile[] })[]

/** Safe to call from several processes at once, and again at every start. */
export async function seed({
  db,
  storage,
  clock,
}: Pick<Services, 'db' | 'storage' | 'clock'>): Promise<void> {
  if (await isInUse(db)) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern seed'))`)
    if (await isInUse(tx)) return
    for (const { files, ...product } of catalogue) {
      const id = uuidv7()
      const stored = await storeFiles({ storage, clock }, files)
      await tx.insert(products).values({ id, ...product, file_path: stored[0]?.file_path ?? null })
      await insertFiles(tx, id, stored)
    }
    await tx.execute(sql`
      insert into bundle_items (bundle_id, product_id)
      select bundle.id, part.id from products bundle join products part on part.format <> 'bundle'
      where bundle.format = 'bundle'`)
  })
}

async function isInUse(db: Db | Transaction): Promise<boolean> {
  const query = sql`select exists (select from ${products}) or exists (select from ${profiles}) as is_used`
  const { is_used } = await queryOne(db, z.object({ is_used: z.boolean() }), query)
  return is_used
}

/** For the row of products around it: the author has given it neither another name nor a file, and nobody added it. */
export const isSampleProduct = sql<boolean>`(products.name in ${catalogue.map(({ name }) => name)}
  and not exists (
    select from product_files where product_id = products.id and product_files.created_at <> products.created_at)
  and not exists (select from audit_log where action = 'products.added' and subject_id = products.id::text))`

export async function listSampleProducts(db: Db): Promise<string[]> {
  const query = sql`select id from products where ${isSampleProduct}`
  return (await queryAll(db, z.object({ id: z.uuid() }), query)).map(({ id }) => id)
}

type Stored = Omit<SampleFile, 'source'> & { file_path: string; file_size: number }

async function storeFiles(
  { storage, clock }: Pick<Services, 'storage' | 'clock'>,
  files: readonly SampleFile[],
): Promise<Stored[]> {
  return Promise.all(
    files.map(async ({ title, file_format, source }) => {
      const file_path = storedName(clock(), title, file_format)
      await storage.write(file_path, createReadStream(source))
      return { title, file_format, file_path, file_size: (await stat(source)).size }
    }),
  )
}

async function insertFiles(tx: Transaction, product_id: string, files: Stored[]): Promise<void> {
  if (files.length === 0) return
  await tx.insert(product_files).values(files.map((file) => ({ id: uuidv7(), product_id, ...file })))
}
