// Pictures of products, and what a bundle holds: both set in the admin area, both seen by everybody at once.
import { expect, test } from 'vitest'
import type { Product, AdminProduct } from '#contract/catalog/products.ts'
import { loseFiles } from '#test/changes.ts'
import { paint } from '#test/pictures.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'

async function shown(shop: TestShop, id: string): Promise<Product | undefined> {
  const list = (await (await shop.call('GET', '/api/products')).json()) as Product[]
  return list.find((each) => each.id === id)
}

test('a cover is on the page at once, replaced by the next, and gone when it is removed', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('paperback')
  const path = `/api/admin/products/${id}/cover`
  const set = async (content: Buffer) =>
    admin.call('PUT', path, { body: { upload_id: await upload(shop, admin, content, 'cover.png') } })
  expect(await shown(shop, id)).toMatchObject({ cover_url: null, cover: null })

  expect((await set(await paint().png().toBuffer())).status).toBe(200)
  const { cover_url, cover } = (await shown(shop, id))!
  expect(cover).toEqual({ id: expect.any(String), width: 400, height: 600 })
  expect((await shop.call('GET', cover_url!)).headers.get('content-type')).toBe('image/webp')

  const second = (await (await set(await paint({ width: 500 }).webp().toBuffer())).json()) as AdminProduct
  expect(second.cover).toMatchObject({ width: 500 })
  const refused = await set(Buffer.from('<svg onload="alert(1)"/>'))
  expect(await refused.json()).toMatchObject({ code: 'uploads.not_a_picture' })
  expect((await shown(shop, id))!.cover).toEqual(second.cover)
  expect((await admin.call('DELETE', path)).status).toBe(200)
  expect((await shown(shop, id))!.cover).toBeNull()
})

test('a bundle’s owner has what it holds now: a part added, a part left out', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const bundle = await shop.product('bundle')
  const digital = await shop.product('digital')
  const paperback = await shop.product('paperback')
  const setParts = (id: string, ids: string[]) =>
    admin.call('PUT', `/api/admin/products/${id}/parts`, { body: { ids } })
  expect((await shown(shop, bundle.id))!.parts).toHaveLength(3)

  await loseFiles(shop.services.db, bundle.id)
  const { id } = await admin.buy(bundle.id)
  const download = () => admin.call('POST', `/api/purchases/${id}/download`, { body: {} })
  expect((await download()).status).toBe(200)
  expect((await setParts(bundle.id, [paperback.id, paperback.id])).status).toBe(200)
  expect((await shown(shop, bundle.id))!.parts).toEqual([paperback.id])
  expect((await download()).status).toBe(404)
  expect((await setParts(bundle.id, [digital.id, paperback.id])).status).toBe(200)
  expect((await download()).status).toBe(200)
})

test('only a bundle has parts, and no part is a bundle', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const bundle = await shop.product('bundle')
  const digital = await shop.product('digital')
  const codes = await Promise.all(
    [
      [digital.id, digital.id],
      [bundle.id, bundle.id],
      [bundle.id, crypto.randomUUID()],
    ].map(async ([id, part]) => {
      const response = await admin.call('PUT', `/api/admin/products/${id}/parts`, { body: { ids: [part] } })
      return ((await response.json()) as { code: string }).code
    }),
  )
  expect(new Set(codes)).toEqual(new Set(['products.not_a_bundle']))
  expect((await shown(shop, bundle.id))!.parts).toHaveLength(3)
})
