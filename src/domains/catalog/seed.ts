// The sample products and files of a new shop, and how their prices fit a currency without decimals.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { fromCents, type Cents } from '#contract/money.ts'
import { bonusTitle } from '#content/bonus.ts'
import { book } from '#content/book.ts'
import type { Services } from '#platform/services.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { storedName } from '#platform/storage.ts'
import { profiles } from '#tables/accounts.ts'
import type { FileFormat } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { product_files, products } from '#tables/catalog.ts'

type SampleFile = { title: string; file_format: FileFormat; source: string }

const sourceOf = (path: string) => fileURLToPath(import.meta.resolve(`#content/${path}`))

const bookFiles: SampleFile[] = [
  { title: book.title, file_format: 'epub', source: sourceOf('edition/sample.epub') },
  { title: book.title, file_format: 'pdf', source: sourceOf('edition/sample.pdf') },
]

const bonusFiles: SampleFile[] = [
  { title: bonusTitle, file_format: 'pdf', source: sourceOf('bonus/bonus.pdf') },
]

export const sampleFiles = [...bookFiles, ...bonusFiles]

const sampleProducts = [
  {
    name: book.title,
    description: 'The whole book as EPUB and PDF, yours to keep and to read on every device.',
    price: 1499n,
    format: 'digital',
    contents: ['Lifetime access'],
    files: bookFiles,
  },
  {
    name: `${book.title} (Paperback)`,
    description: 'A soft-cover copy with room in the margins, sent to your door.',
    price: 2499n,
    format: 'paperback',
    contents: ['Soft cover', 'Room in the margins'],
    files: [],
  },
  {
    name: `${book.title} (Hardcover)`,
    description: 'A cloth-bound copy made to be read for years and handed on.',
    price: 3999n,
    format: 'hardcover',
    contents: ['Cloth-bound', 'Made to be handed on'],
    files: [],
  },
  {
    name: `${book.title} (Bundle)`,
    description: 'Digital, paperback and hardcover together: one to read now, one to mark, one to give.',
    price: 4997n,
    format: 'bundle',
    contents: ['Lifetime access'],
    files: bonusFiles,
  },
] satisfies (Omit<typeof products.$inferInsert, 'id'> & { files: SampleFile[] })[]

type Dependencies = Pick<Services, 'db' | 'storage' | 'clock'>

export async function seed(services: Dependencies): Promise<void> {
  const { db } = services
  if (await isInUse(db)) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern seed'))`)
    if (await isInUse(tx)) return
    for (const { files, ...product } of sampleProducts) {
      const id = uuidv7()
      const stored = await Promise.all(files.map((file) => saveFile(services, file)))
      const is_digital = !isOnPaper(product.format)
      await tx
        .insert(products)
        .values({ id, ...product, is_digital, file_path: stored[0]?.file_path ?? null })
      for (const file of stored)
        await tx.insert(product_files).values({ id: uuidv7(), product_id: id, edition: 1, ...file })
    }
    await tx.execute(sql`
      insert into bundle_items (bundle_id, product_id)
      select bundle.id, part.id from products bundle join products part on part.format <> 'bundle'
      where bundle.format = 'bundle'`)
  })
}

async function isInUse(db: Db | Transaction) {
  const query = sql`select exists (select from ${products}) or exists (select from ${profiles}) as is_used`
  return (await queryOne(db, z.object({ is_used: z.boolean() }), query)).is_used
}

async function saveFile({ storage, clock }: Dependencies, { title, file_format, source }: SampleFile) {
  const file_path = storedName(clock(), title, file_format)
  await storage.write(file_path, createReadStream(source))
  return { title, file_format, file_path, file_size: (await stat(source)).size }
}

type LeftFile = { name: string; size: number; modified: Date }

/**
 * Lists files that no row names any more: after a restore by screen, those of the new shop. They are the sample's alone, by
 * their titles: nothing says what another file without a row is.
 */
export async function listLeftSampleFiles({ db, storage }: Omit<Dependencies, 'clock'>): Promise<LeftFile[]> {
  const names: string[] = []
  for await (const name of storage.list('ebooks')) if (isSampleFile(name)) names.push(name)
  const query = sql`
    select file_path from unnest(${sql.param(names)}::text[]) stored (file_path)
    where not exists (select from product_files f where f.file_path = stored.file_path)
      and not exists (select from products p where p.file_path = stored.file_path)`
  const left = await queryAll(db, z.object({ file_path: z.string() }), query)
  const files = await Promise.all(
    left.map(async ({ file_path: name }) => {
      const file = await storage.stat(name)
      return file ? [{ name, size: file.size, modified: file.modified }] : []
    }),
  )
  return files.flat()
}

function isSampleFile(name: string): boolean {
  const at = Number(/\/(\d+)-/.exec(name)?.[1])
  return sampleFiles.some(({ title, file_format }) => name === storedName(new Date(at), title, file_format))
}

/** Takes a row of products: the author has given it neither another name nor a file, and nobody added it. */
const isSampleProduct = sql<boolean>`(products.name in ${sampleProducts.map(({ name }) => name)}
  and not exists (
    select from product_files where product_id = products.id and product_files.created_at <> products.created_at)
  and not exists (select from audit_log where action = 'products.added' and subject_id = products.id::text))`

export async function listSampleProducts(db: Db): Promise<string[]> {
  const query = sql`select id from products where ${isSampleProduct}`
  return (await queryAll(db, z.object({ id: z.uuid() }), query)).map(({ id }) => id)
}

/** Rounds for a currency without decimals. A price that the author has given a product of the sample stays. */
export async function priceSampleWhole(db: Db | Transaction): Promise<void> {
  const { price } = products
  const own = sampleProducts.map((sample) => fromCents(sample.price))
  const set = { price: sql`round(${price})` }
  await db
    .update(products)
    .set(set)
    .where(sql`${isSampleProduct} and ${price} in ${own}`)
}

export async function listFractionalPrices(db: Db | Transaction): Promise<{ name: string; price: Cents }[]> {
  const { name, price } = products
  return db
    .select({ name, price })
    .from(products)
    .where(sql`${price} <> round(${price})`)
    .orderBy(name)
}
