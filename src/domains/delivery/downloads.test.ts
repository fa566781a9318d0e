// Rules of the link to a bought file: who gets one, how long it works, and what is saved of its use.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { refusalsTexts, responsesTexts } from '#words/refusals.ts'
import { openProductsShop } from '#test/products.ts'
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { strFromU8, unzipSync } from 'fflate'
import { downloads } from '#tables/delivery.ts'

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
    const detail =
      status === 'refunded' ? responsesTexts.downloadEnded : refusalsTexts['purchases.not_completed']
    expect(await asked.json()).toMatchObject({ status: 409, code: 'purchases.not_completed', detail })
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

// Rules of a bought file's bytes: whole, in part, once more, and under what name.

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

test('the saved EPUB is the seeded file and opens; the PDF is had from the same purchase', async () => {
  await using shop = await openProductsShop()
  const epub = await shop.link()
  expect(epub).toMatchObject({ file_name: "Nine P's that Change Everything.epub", expires_in: 900 })
  const saved = await shop.fetchFile(epub.url)
  expect(saved.status).toBe(200)
  expect(Object.fromEntries(saved.headers)).toMatchObject({
    'content-type': 'application/epub+zip',
    'content-length': String(epub.file_size),
    'content-disposition': `attachment; filename="Nine P's that Change Everything.epub"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const bytes = await bytesOf(saved)
  const original = new URL(import.meta.resolve('#content/edition/sample.epub'))
  expect(bytes.equals(await readFile(original))).toBe(true)
  const pages = unzipSync(bytes)
  expect(strFromU8(pages['mimetype']!)).toBe('application/epub+zip')
  const [, packageFile] = /full-path="([^"]+)"/.exec(strFromU8(pages['META-INF/container.xml']!))!
  expect(strFromU8(pages[packageFile!]!)).toContain("Nine P's that Change Everything")

  const pdf = await shop.fetchFile((await shop.link('pdf')).url)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect((await bytesOf(pdf)).subarray(0, 5).toString()).toBe('%PDF-')

  const none = { body: { file_format: 'mobi' } }
  const refused = await shop.user.call('POST', `/api/purchases/${shop.purchase.id}/download`, none)
  expect(await refused.json()).toMatchObject({ status: 404, code: 'downloads.unavailable' })
})

test('a part is sent for one range; many, unknown or broken ranges get the whole file', async () => {
  await using shop = await openProductsShop()
  const content = randomBytes(1_000_003)
  const size = content.length
  await shop.store(content, 'Ranges')
  const { url } = await shop.link()

  const parts: [range: string, first: number, last: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=500000-500099', 500_000, 500_099],
    ['bytes=999999-', 999_999, size - 1],
    ['bytes=0-', 0, size - 1],
    ['bytes=-10', size - 10, size - 1],
    ['bytes=-99999999', 0, size - 1],
    ['bytes=10-99999999', 10, size - 1],
  ]
  for (const [range, first, last] of parts) {
    const part = await shop.fetchFile(url, { range })
    expect([range, part.status]).toEqual([range, 206])
    expect(part.headers.get('content-range')).toBe(`bytes ${first}-${last}/${size}`)
    expect(part.headers.get('content-length')).toBe(String(last - first + 1))
    expect((await bytesOf(part)).equals(content.subarray(first, last + 1))).toBe(true)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${size + 5}-${size + 9}`]) {
    const refused = await shop.fetchFile(url, { range })
    expect([range, refused.status]).toEqual([range, 416])
    expect(refused.headers.get('content-range')).toBe(`bytes */${size}`)
  }
  for (const range of ['bytes=0-9,20-29', 'lines=1-2', 'bytes=9-1', 'bytes=a-b', 'bytes=-', 'bytes']) {
    const whole = await shop.fetchFile(url, { range })
    expect([range, whole.status]).toEqual([range, 200])
    expect((await bytesOf(whole)).length).toBe(size)
  }
})

test('a client that has the file gets 304, and a range never continues another edition', async () => {
  await using shop = await openProductsShop()
  const { url, file_size } = await shop.link()
  const head = await shop.fetchFile(url, {}, 'HEAD')
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(String(file_size))
  expect(await head.text()).toBe('')
  const etag = head.headers.get('etag')!
  const modified = head.headers.get('last-modified')!
  expect(etag).toMatch(/^"[^"]+"$/)

  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await shop.fetchFile(url, { 'if-none-match': known })
    expect([known, response.status]).toEqual([known, 304])
    expect(response.headers.get('etag')).toBe(etag)
    expect(await response.text()).toBe('')
  }
  expect((await shop.fetchFile(url, { 'if-none-match': '"other"' })).status).toBe(200)

  const range = 'bytes=5-9'
  const cases = { [etag]: 206, [modified]: 206, '"other"': 200, [`W/${etag}`]: 200, yesterday: 200 }
  for (const [known, status] of Object.entries(cases)) {
    const response = await shop.fetchFile(url, { range, 'if-range': known })
    expect([known, response.status]).toEqual([known, status])
    await response.arrayBuffer()
  }
})

test('a broken transfer is resumed to the same bytes, and counts as finished only then', async () => {
  await using shop = await openProductsShop()
  const state = async () => {
    const [found] = await shop.services.db.select().from(downloads)
    return { isBegun: (found?.sent_bytes ?? 0) > 0, isFinished: found?.finished_at !== null }
  }
  const content = randomBytes(6_000_000)
  await shop.store(content, 'Long')
  const { url } = await shop.link()

  const { got, etag } = await breakOff(`${shop.url}${url}`, 700_000)
  expect(got.length).toBeLessThan(content.length)
  await expect.poll(state).toEqual({ isBegun: true, isFinished: false })
  const rest = await shop.fetchFile(url, { range: `bytes=${got.length}-`, 'if-range': etag })
  expect(rest.status).toBe(206)
  expect(Buffer.concat([got, await bytesOf(rest)]).equals(content)).toBe(true)
  await expect.poll(state).toEqual({ isBegun: true, isFinished: true })
})

/** Reads at least `enough` bytes, then tears the connection. */
function breakOff(url: string, enough: number): Promise<{ got: Buffer; etag: string }> {
  return new Promise((resolve, reject) => {
    const request = get(url, (response) => {
      let got = Buffer.alloc(0)
      response.on('error', () => undefined)
      response.on('data', (chunk: Buffer) => {
        got = Buffer.concat([got, chunk])
        if (got.length < enough) return
        request.destroy()
        resolve({ got, etag: response.headers.etag! })
      })
    })
    request.on('error', reject)
  })
}

test('a file is saved under its title in any script, and no title writes a header of its own', async () => {
  await using shop = await openProductsShop()
  const titles = [
    "Nine P's",
    'Neun „Wörter“ – Größe',
    '恵みの書',
    'Ωμέγα; filename="x.exe"',
    'a\r\nSet-Cookie: b',
  ]
  for (const title of titles) {
    await shop.store(randomBytes(10), title, 'pdf')
    const response = await shop.fetchFile((await shop.link('pdf')).url)
    expect(response.headers.get('set-cookie')).toBeNull()
    const disposition = response.headers.get('content-disposition')!
    expect(disposition).toMatch(
      /^attachment; filename=("(?:[^"\\]|\\.)*"|[\w.-]+)(; filename\*=UTF-8''[\w.%!#$&+^`|~-]+)?$/,
    )
    const [, extended] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
    const [, plain] = /filename="?(.*?)"?$/.exec(disposition) ?? []
    expect(extended ? decodeURIComponent(extended) : plain).toBe(`${title}.pdf`)
  }
})
