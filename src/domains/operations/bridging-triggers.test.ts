// What the triggers for the version before write, this version writes itself: without them its rows are the same.
import { expect, test } from 'vitest'
import { someAddress } from '#test/addresses.ts'
import { makeBook } from '#test/epub.ts'
import { openProductsShop } from '#test/products.ts'
import { upload } from '#test/upload.ts'

test('country and code of a purchase, the number of an edition and a top role need no trigger', async () => {
  await using shop = await openProductsShop({ hasWorkers: false })
  const { pool } = shop.services.database
  await pool.query(`
    alter table shipments disable trigger country_of_shipment;
    alter table discount_uses disable trigger code_of_purchase;
    alter table product_files disable trigger number_edition;
    alter table user_roles disable trigger top_role_updated`)
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await admin.call('POST', '/api/admin/discounts', { body: { code: 'SPRING', percent: 10 } })
  const { id: product_id } = await shop.product('paperback')
  const body = { product_id, code: 'SPRING', address: someAddress }
  const bought = await reader.call('POST', '/api/purchases', { body })
  const { id } = (await bought.json()) as { id: string }
  const read = async () => {
    const { rows } = await pool.query<{ country: string; code: string }>(
      'select p.country, c.code from purchases p left join discount_codes c on c.id = p.code_id where p.id = $1',
      [id],
    )
    return rows
  }
  expect(await read()).toEqual([{ country: someAddress.country, code: 'SPRING' }])
  const address = { ...someAddress, state: 'ON', postal_code: 'K1A 0B1', country: 'CA' }
  await admin.call('PUT', `/api/admin/shipments/${id}/address`, { body: address })
  expect(await read()).toEqual([{ country: 'CA', code: 'SPRING' }])

  const digital = await shop.product('digital')
  const content = makeBook({ 'one.xhtml': '<p>One</p>' })
  const upload_id = await upload(shop, admin, content, 'book.epub')
  await admin.call('POST', `/api/admin/products/${digital.id}/editions`, { body: { upload_id } })
  const { rows: editions } = await pool.query(
    `select edition from product_files where product_id = $1 and file_format = 'epub' order by edition`,
    [digital.id],
  )
  expect(editions).toEqual([{ edition: 1 }, { edition: 2 }])

  const topRole = async () =>
    (await pool.query('select top_role from profiles where user_id = $1', [reader.id])).rows
  const role = `/api/admin/users/${reader.id}/roles/moderator`
  await admin.call('PUT', role, { body: {} })
  expect(await topRole()).toEqual([{ top_role: 'moderator' }])
  await admin.call('DELETE', role, { body: {} })
  expect(await topRole()).toEqual([{ top_role: 'user' }])
})
