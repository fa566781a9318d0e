// Rules of the link to a bought file: who gets one, how long it works, and what is saved of its use.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { openProductsShop } from '#test/products.ts'

test('a link works for a quarter of an hour, and only as it was written', async () => {
  let now = Date.now()
  await using shop = await openProductsShop({ clock: () => new Date(now) })
  const { url } = await shop.link()
  const other = await shop.link('pdf')
  const [payload, signature] = url.split('/').at(-1)!.split('.')
  const [otherPayload, otherSignature] = other.url.split('/').at(-1)!.split('.')
  const claim = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as { expires: number }
  const later = Buffer.from(JSON.stringify({ ...claim, expires: claim.expires + 1 })).toString('base64url')
  const forged = [
    `${later}.${signature}`,
    `${otherPayload}.${signature}`,
    `${payload}.${otherSignature}`,
    `${payload}.${signature}A`,
    `${payload}.${signature}.`,
    `${payload}.`,
    `${payload}`,
    '..',
    '%00',
    '%2e%2e%2f%2e%2e%2fsecret',
    'x'.repeat(4_000),
  ]
  for (const token of forged) expect(await shop.codeAt(`/api/files/${token}`)).toBe('request.not_found')

  now += 14 * 60_000
  expect((await shop.fetchFile(url)).status).toBe(200)
  now += 2 * 60_000
  const late = await shop.fetchFile(url)
  expect(late.status).toBe(410)
  expect(late.headers.get('cache-control')).toBe('no-store')
  expect(await late.json()).toMatchObject({ code: 'downloads.link_expired' })
})

test('only a completed digital purchase of one’s own gives a file, also when the link is already out', async () => {
  await using shop = await openProductsShop()
  const other = await shop.person()
  const path = `/api/purchases/${shop.purchase.id}/download`
  expect((await other.call('POST', path, { body: {} })).status).toBe(404)
  const paperback = await shop.user.buy((await shop.product('paperback')).id)
  const printed = await shop.user.call('POST', `/api/purchases/${paperback.id}/download`, { body: {} })
  expect(await printed.json()).toMatchObject({ status: 404, code: 'downloads.unavailable' })

  const { url } = await shop.link()
  for (const status of ['pending', 'refunded', 'canceled', 'disputed'] as const) {
    await shop.setStatus(status)
    expect(await shop.codeAt(url)).toBe('purchases.not_completed')
    const asked = await shop.user.call('POST', path, { body: {} })
    expect(await asked.json()).toMatchObject({ status: 409, code: 'purchases.not_completed' })
  }
  await shop.setStatus('completed')
  expect((await shop.fetchFile(url)).status).toBe(200)
})

test('a file that is stored elsewhere comes from there, and the download is saved', async () => {
  await using shop = await openProductsShop({ env: { TRUST_PROXY: '1' } })
  const { pool } = shop.services.database
  const elsewhere = 'https://files.example/book.epub'
  await pool.query('delete from product_files')
  await pool.query('update products set file_path = null, download_url = $1', [elsewhere])
  const own = async () =>
    ((await (await shop.user.call('GET', '/api/purchases')).json()) as OwnPurchases).items[0]!
  expect((await own()).product.download_url).toBe(`/api/purchases/${shop.purchase.id}/download`)
  const headers = { 'x-forwarded-for': '192.0.2.7', 'user-agent': 'Reader/1.0' }
  const path = `/api/purchases/${shop.purchase.id}/download`
  const link = await shop.user.call('POST', path, { body: {}, headers })
  expect(await link.json()).toMatchObject({ url: elsewhere })
  const admin = await shop.person({ role: 'admin' })
  const order = await admin.call('GET', `/api/admin/purchases/${shop.purchase.id}`)
  const recorded = { file_name: 'book.epub', ip: '192.0.2.7', user_agent: 'Reader/1.0' }
  expect(await order.json()).toMatchObject({ downloads: [recorded] })
  await pool.query('update products set download_url = null')
  expect((await own()).product).toMatchObject({ download_url: null, files: [] })
})

test('a file that storage has lost is refused, before and after the link was given', async () => {
  await using shop = await openProductsShop()
  const file_path = await shop.store(randomBytes(10), 'Lost')
  const { url } = await shop.link()
  await shop.services.storage.remove(file_path)
  expect(await shop.codeAt(url)).toBe('downloads.unavailable')
  const asked = await shop.user.call('POST', `/api/purchases/${shop.purchase.id}/download`, { body: {} })
  expect(await asked.json()).toMatchObject({ status: 404, code: 'downloads.unavailable' })
})

test('each link is one download, saved with the caller of its first use', async () => {
  await using shop = await openProductsShop({ env: { TRUST_PROXY: '1' } })
  const { url } = await shop.link()
  await shop.link('pdf')
  const caller = (ip: string, agent: string) => ({ 'x-forwarded-for': `6.6.6.6, ${ip}`, 'user-agent': agent })
  await Promise.all([1, 2, 3].map(() => shop.fetchFile(url, caller('192.0.2.7', 'Reader/1.0'))))
  await shop.fetchFile(url, { ...caller('192.0.2.8', 'Other/2.0'), range: 'bytes=10-' })

  const { rows } = await shop.services.database.pool.query(
    'select purchase_id, ip, user_agent, started_at is not null as is_started from downloads order by created_at, id',
  )
  const { id: purchase_id } = shop.purchase
  expect(rows).toEqual([
    { purchase_id, ip: '192.0.2.7', user_agent: 'Reader/1.0', is_started: true },
    { purchase_id, ip: null, user_agent: null, is_started: false },
  ])
})

test('one account gets sixty links in ten minutes at most', async () => {
  await using shop = await openProductsShop({ hasWorkers: false })
  const request = () => shop.user.call('POST', `/api/purchases/${shop.purchase.id}/download`, { body: {} })
  const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await request()).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  const refused = await request()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
