// The first catalogue: written once, into a database that has neither products nor people.
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { book } from '#content/book.ts'
import type { FileFormat } from '#contract/purchases.ts'
import { storedName } from '../stored-name.ts'
import type { Services } from '../services.ts'
import type { Db, Transaction } from './client.ts'
import { product_files, products, profiles } from './schema/shop.ts'

/** What a new shop sells until the author brings the book. */
export const sampleFiles: { file_format: FileFormat; source: string }[] = [
  { file_format: 'epub', source: fileURLToPath(import.meta.resolve('#content/edition/sample.epub')) },
  { file_format: 'pdf', source: fileURLToPath(import.meta.resolve('#content/edition/sample.pdf')) },
]

const catalogue = [
  {
    name: book.title,
    description: 'The whole book as EPUB and PDF, yours to keep and to read on every device.',
    price: 14.99,
    format: 'digital',
    is_digital: true,
  },
  {
    name: `${book.title} (Paperback)`,
    description: 'A soft-cover copy with room in the margins, sent to your door.',
    price: 24.99,
    format: 'paperback',
    is_digital: false,
  },
  {
    name: `${book.title} (Hardcover)`,
    description: 'A cloth-bound copy made to be read for years and handed on.',
    price: 39.99,
    format: 'hardcover',
    is_digital: false,
  },
  {
    name: `${book.title} (Bundle)`,
    description: 'Digital, paperback and hardcover together: one to read now, one to mark, one to give.',
    price: 49.97,
    format: 'bundle',
    is_digital: true,
  },
] as const

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
    for (const product of catalogue) {
      const id = uuidv7()
      const files = product.is_digital ? await storeFiles({ storage, clock }, product.name) : []
      await tx.insert(products).values({ id, ...product, file_path: files[0]?.file_path ?? null })
      await insertFiles(tx, id, files)
    }
    await tx.execute(sql`
      insert into bundle_items (bundle_id, product_id)
      select bundle.id, part.id from products bundle join products part on part.format <> 'bundle'
      where bundle.format = 'bundle'`)
  })
}

async function isInUse(db: Db | Transaction): Promise<boolean> {
  const { rows } = await db.execute<{ is_used: boolean }>(
    sql`select exists (select from ${products}) or exists (select from ${profiles}) as is_used`,
  )
  return rows[0]!.is_used
}

type Stored = { file_path: string; file_format: FileFormat }

async function storeFiles(
  { storage, clock }: Pick<Services, 'storage' | 'clock'>,
  title: string,
): Promise<Stored[]> {
  return Promise.all(
    sampleFiles.map(async ({ file_format, source }) => {
      const file_path = storedName(clock(), title, file_format)
      await storage.write(file_path, createReadStream(source))
      return { file_path, file_format }
    }),
  )
}

async function insertFiles(tx: Transaction, product_id: string, files: Stored[]): Promise<void> {
  if (files.length === 0) return
  await tx
    .insert(product_files)
    .values(files.map((file) => ({ id: uuidv7(), product_id, title: book.title, ...file })))
}
