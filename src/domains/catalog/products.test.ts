// Rules of the product list.
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { productList } from '#contract/catalog/products.ts'
import { changeProducts } from '#test/changes.ts'
import { openTestShop } from '#test/shop.ts'

test('products come lowest price first, and no response has the path of a file', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  const response = await shop.call('GET', '/api/products')
  const text = await response.text()
  const products = productList.parse(JSON.parse(text))
  expect(products.map(({ format, price }) => [format, price])).toEqual([
    ['digital', 14.99],
    ['paperback', 24.99],
    ['hardcover', 39.99],
    ['bundle', 49.97],
  ])
  expect(Object.keys(JSON.parse(text)[0])).toEqual([
    'id',
    'name',
    'description',
    'price',
    'format',
    'is_digital',
    'ships',
    'is_sold_out',
    'cover_url',
    'cover',
    'parts',
    'holds',
    'file_formats',
    'contents',
    'bonuses',
  ])

  const { rows } = await shop.services.database.pool.query<{ file_path: string }>(
    'select file_path from products where file_path is not null',
  )
  expect(rows).toHaveLength(2)
  const purchase = await user.buy(products[0]!.id)
  const responses = [
    text,
    JSON.stringify(purchase),
    await (await user.call('GET', '/api/purchases')).text(),
    await (await user.call('POST', `/api/purchases/${purchase.id}/download`, { body: {} })).text(),
    await (await shop.call('GET', '/api/openapi.json')).text(),
  ]
  for (const words of responses) {
    expect(words).not.toMatch(/file_path|ebooks\//)
    for (const { file_path } of rows) expect(words).not.toContain(file_path)
  }
})

test('a price changed in the database shows on the next request, and is what the next buyer pays', async () => {
  await using shop = await openTestShop()
  const { id } = await shop.product('paperback')
  const user = await shop.person()
  await changeProducts(shop.services.db, { price: 550n }, id)
  const cheapest = async () => productList.parse(await (await shop.call('GET', '/api/products')).json())[0]
  await expect.poll(cheapest).toMatchObject({ id, price: 5.5 })
  expect(await user.buy(id)).toMatchObject({ amount: 5.5 })
})

test('a product and a published book notify all processes that the shop changed, and those of the version before', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool, url } = shop.services.database
  const listener = new Client({ connectionString: url })
  await listener.connect()
  try {
    const channels: string[] = []
    listener.on('notification', ({ channel }) => channels.push(channel))
    await listener.query('listen shop_changed; listen catalogue')
    await pool.query('update products set position = position')
    await expect.poll(() => channels).toEqual(['shop_changed', 'catalogue'])
    await pool.query(`insert into book_versions (number, document, published_by) values (1, $1, 'author')`, [
      sampleBook,
    ])
    await expect.poll(() => channels).toEqual(['shop_changed', 'catalogue', 'shop_changed', 'catalogue'])
  } finally {
    await listener.end()
  }
})
