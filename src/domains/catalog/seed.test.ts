// Rules of the first catalogue.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { giveProduct, giveProfiles } from '#test/factories.ts'
import { createTestDatabase } from '#test/database.ts'
import { openStorage } from '#platform/open-storage.ts'
import { openDatabase } from '#platform/db/client.ts'
import { seed } from './seed.ts'

async function openEmptyShop() {
  const place = await createTestDatabase()
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-seed-'))
  const storage = openStorage({ storageUrl: undefined, dataDir: folder.path })
  const database = openDatabase(place.url)
  return {
    ...database,
    /** As one more process does at its start. */
    async seed() {
      await using own = openDatabase(place.url)
      await seed({ db: own.db, storage, clock: () => new Date() })
    },
    files: () => readdir(join(folder.path, 'files/ebooks')).catch(() => []),
    async [Symbol.asyncDispose]() {
      await database.close()
      await place[Symbol.asyncDispose]()
      await folder.remove()
    },
  }
}

test('processes that start together make four products with the files they promise, once', async () => {
  await using shop = await openEmptyShop()
  await Promise.all([shop.seed(), shop.seed(), shop.seed()])
  await shop.seed()
  const { rows } = await shop.pool.query(`
    select format, price, is_digital, name, products.file_path is not null as has_file,
      array(select file_format from product_files where product_id = products.id order by file_format) as formats
    from products order by price`)
  const digital = { is_digital: true, has_file: true, formats: ['epub', 'pdf'] }
  const bonus = { is_digital: true, has_file: true, formats: ['pdf'] }
  const printed = { is_digital: false, has_file: false, formats: [] }
  expect(rows).toMatchObject([
    { format: 'digital', price: 14.99, ...digital },
    { format: 'paperback', price: 24.99, ...printed },
    { format: 'hardcover', price: 39.99, ...printed },
    { format: 'bundle', price: 49.97, ...bonus },
  ])
  const single = rows.slice(0, 3).reduce((sum, { price }) => sum + price, 0)
  expect(single.toFixed(2)).toBe('79.97')
  expect(await shop.files()).toHaveLength(3)
  for (const name of await shop.files())
    expect(name).toMatch(/^\d{13}-Nine-(P-s-that-Change-Everything|Prayers-and-Questions)\.(epub|pdf)$/)
})

test('a shop that has products or people is left as it is', async () => {
  await using shop = await openEmptyShop()
  await giveProfiles(shop.db, 1)
  await shop.seed()
  await shop.pool.query(`delete from profiles`)
  await giveProduct(shop.db, { name: 'Mine' })
  await shop.seed()
  expect((await shop.pool.query('select name from products')).rows).toEqual([{ name: 'Mine' }])
  expect(await shop.files()).toEqual([])
})
