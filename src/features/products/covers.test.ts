// Pictures of products, and what a bundle holds: both set in the admin area, both seen by everybody at once.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Product } from './contract/products.ts'
import type { AdminProduct } from './contract/admin-products.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'
import { sweepFiles } from '../ebooks/file-import.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const webp = Buffer.concat([Buffer.from('RIFF....WEBPVP8 ', 'latin1'), Buffer.alloc(20)])

async function shown(shop: TestShop, id: string): Promise<Product | undefined> {
  const list = (await (await shop.call('GET', '/api/products')).json()) as Product[]
  return list.find((each) => each.id === id)
}

const stored = ({ services }: TestShop) =>
  readdir(join(services.config.dataDir, 'files/covers')).catch(() => [])

test('a cover is on the page at once, replaced by the next, and gone when it is removed', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('paperback')
  const path = `/api/admin/products/${id}/cover`
  const set = async (content: Buffer, name: string) =>
    admin.call('PUT', path, { body: { upload_id: await upload(shop, admin, content, name) } })
  expect((await shown(shop, id))!.cover_url).toBeNull()

  expect((await set(png, 'cover.png')).status).toBe(200)
  const { cover_url } = (await shown(shop, id))!
  const picture = await shop.call('GET', cover_url!)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(picture.headers.get('cache-control')).toContain('immutable')
  expect(Buffer.from(await picture.arrayBuffer()).equals(png)).toBe(true)
  expect((await shop.call('HEAD', cover_url!)).headers.get('content-length')).toBe(String(png.length))

  const second = (await (await set(webp, 'cover.jpg')).json()) as AdminProduct
  expect(second.cover_url).toMatch(/\.webp$/)
  expect(await stored(shop)).toHaveLength(2)
  expect((await admin.call('DELETE', path)).status).toBe(200)
  expect((await shown(shop, id))!.cover_url).toBeNull()
  now = new Date(now.getTime() + 25 * 3_600_000)
  await sweepFiles(shop.services)
  expect(await stored(shop)).toEqual([])
})

test('what is no picture, or too large a one, is refused; no name leads out of the folder', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('paperback')
  const refusals = [Buffer.from('<svg onload="alert(1)"/>'), Buffer.concat([png, Buffer.alloc(6_000_000)])]
  for (const content of refusals) {
    const upload_id = await upload(shop, admin, content, 'cover.png')
    const refused = await admin.call('PUT', `/api/admin/products/${id}/cover`, { body: { upload_id } })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      422,
      'uploads.not_a_picture',
    ])
  }
  expect(await stored(shop)).toEqual([])
  for (const name of ['..%2Fsecret', '%2e%2e%2febooks%2fx.png', 'x.png', `${id}.png`, `${id}.svg`])
    expect((await shop.call('GET', `/api/covers/${name}`)).status).toBe(404)
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

  await shop.services.database.pool.query('delete from product_files where product_id = $1', [bundle.id])
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
