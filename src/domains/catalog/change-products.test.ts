// Products that are copied, put into the archive and brought back.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { Product } from '#contract/catalog/products.ts'
import { openTestShop } from '#test/shop.ts'

test('a copy has the words, the price and the parts, and is hidden', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const copy = async (id: string) =>
    (await (await admin.call('POST', `/api/admin/products/${id}/copies`)).json()) as AdminProduct
  const bundle = await shop.product('bundle')
  const source = (await (await admin.call('GET', `/api/admin/products/${bundle.id}`)).json()) as AdminProduct
  const { description, price, format, contents, parts } = source
  const copied = await copy(bundle.id)
  const same = { description, price, format, contents, parts, is_digital: true }
  expect(copied).toMatchObject({ ...same, is_hidden: true, is_for_sale: false, editions: [], sold: 0 })
  expect(copied.name).toBe(`${bundle.name} (copy)`)
  expect(await copy((await shop.product('digital')).id)).toMatchObject({ delivery_gap: 'no_file' })
  const long = { name: 'x'.repeat(200), price: 1, format: 'paperback' }
  const made = await admin.call('POST', '/api/admin/products', { body: long })
  const { id } = (await made.json()) as AdminProduct
  expect((await copy(id)).name).toBe(`${'x'.repeat(193)} (copy)`)
  expect((await admin.call('POST', `/api/admin/products/${randomUUID()}/copies`)).status).toBe(404)
})

test('what is archived is not sold, nor shown from there, and stays with its owners', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('digital')
  const bought = await user.buy(id)
  const archive = (is_archived: boolean) =>
    admin.call('PUT', `/api/admin/products/${id}/archived`, { body: { is_archived } })
  const change = (body: object) => admin.call('PATCH', `/api/admin/products/${id}`, { body })
  const listed = async () => {
    const products = (await (await shop.call('GET', '/api/products')).json()) as Product[]
    return products.some((product) => product.id === id)
  }
  const archived = (await (await archive(true)).json()) as AdminProduct
  expect(archived).toMatchObject({ is_for_sale: false, archived_at: expect.any(String) })
  expect((await archive(true)).status).toBe(200)
  expect(await listed()).toBe(false)
  expect((await user.call('POST', '/api/purchases', { body: { product_id: id } })).status).toBe(404)
  expect(await (await change({ is_for_sale: true })).json()).toMatchObject({ code: 'products.archived' })
  expect((await change({ description: 'Out of print.' })).status).toBe(200)
  const download = await user.call('POST', `/api/purchases/${bought.id}/download`, { body: {} })
  expect(download.status).toBe(200)

  expect(await (await archive(false)).json()).toMatchObject({ is_hidden: true, archived_at: null })
  expect((await change({ is_for_sale: true })).status).toBe(200)
  expect(await listed()).toBe(true)
  const { rows } = await shop.services.database.pool.query(
    `select action from audit_log where action like '%archived' order by id`,
  )
  expect(rows).toEqual([{ action: 'products.archived' }, { action: 'products.unarchived' }])
})
