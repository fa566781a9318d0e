// Pictures from their upload to the public page, and what is no picture.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { age } from '#test/changes.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { paint } from '#test/pictures.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'
import type { Person } from '#test/users.ts'
import { discardDraft, readDraft, saveDraft } from '#domains/book/drafts.ts'
import { sweepUnusedPictures } from '#domains/book/unused-pictures.ts'
import { book_draft } from '#tables/book.ts'
import { sweepStoredFiles } from '#domains/catalog/products.ts'
import { addPicture, lockPictures, drawnPicture, openPictureReader, readRenditions } from './pictures.ts'
import { hourMs } from '#contract/durations.ts'
import type { Picture } from '#contract/files/pictures.ts'
import { pictureUrl, type Rendition } from '#contract/files/renditions.ts'
import { toOklch } from '#contract/book/oklch.ts'
import { findColors } from './picture-colors.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

const bring = async (shop: TestShop, admin: Person, content: Buffer, name = 'cover.png') =>
  admin.call('POST', '/api/admin/pictures', { body: { upload_id: await upload(shop, admin, content, name) } })

async function fetchRendition(shop: TestShop, id: string, rendition: Rendition) {
  const response = await shop.call('GET', pictureUrl(id, rendition))
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const stored = ({ services }: TestShop) =>
  readdir(join(services.config.dataDir, 'files/pictures')).catch(() => [])

test('a picture is stored upright, in every size, without what the camera wrote into it', async () => {
  const admin = await shop.person({ role: 'admin' })
  const photo = await paint({ width: 900, height: 600 })
    .withExif({ IFD0: { Artist: 'somebody', Copyright: 'at home' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const made = await bring(shop, admin, photo, 'photo.jpg')
  expect(made.status).toBe(201)
  const picture = (await made.json()) as Picture
  const color = expect.stringMatching(/^#[0-9a-f]{6}$/)
  const colors = { main: color, accent: color }
  expect(picture).toEqual({ id: expect.any(String), width: 600, height: 900, colors })

  const sizes: [Rendition, number, number, string][] = [
    ['320.webp', 320, 480, 'image/webp'],
    ['640.jpg', 600, 900, 'image/jpeg'],
    ['mark.webp', 72, 108, 'image/webp'],
    ['maskable.png', 512, 512, 'image/png'],
    ['1280.webp', 600, 900, 'image/webp'],
    ['social.jpg', 1200, 630, 'image/jpeg'],
    ['icon-192.png', 192, 192, 'image/png'],
  ]
  for (const [rendition, width, height, type] of sizes) {
    const { response, bytes } = await fetchRendition(shop, picture.id, rendition)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toContain('immutable')
    const about = await sharp(bytes).metadata()
    expect([about.width, about.height], rendition).toEqual([width, height])
    expect([about.exif, about.icc, about.xmp, about.orientation]).toEqual(Array(4).fill(undefined))
  }
  const head = await shop.call('HEAD', pictureUrl(picture.id, '320.webp'))
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
})

test('what follows a picture in its file is not stored', async () => {
  const admin = await shop.person({ role: 'admin' })
  const script = '<script>alert(1)</script>'
  const polyglot = Buffer.concat([await paint().png().toBuffer(), Buffer.from(`PK\u0003\u0004${script}`)])
  const { id } = (await (await bring(shop, admin, polyglot)).json()) as Picture
  for (const rendition of ['320.webp', '320.jpg', 'icon-32.png'] as const)
    expect((await fetchRendition(shop, id, rendition)).bytes.includes(script)).toBe(false)
})

test('what is no picture, or too large a one, is refused in words, and nothing of it stays', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const jpeg = await paint({ width: 1200, height: 1200 }).jpeg().toBuffer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const huge = paint({ width: 9000, height: 9000 }).png({ compressionLevel: 9 })
  const hostile: [Buffer, RegExp][] = [
    [Buffer.from(svg), /choose a JPEG, PNG or WebP/],
    [Buffer.from(`\u0089PNG\r\n\u001a\n${svg}`, 'latin1'), /choose a JPEG, PNG or WebP|damaged/],
    [Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;', 'latin1'), /choose a JPEG/],
    [Buffer.from('%PDF-1.7 not a picture'), /choose a JPEG/],
    [jpeg.subarray(0, jpeg.length / 2), /damaged/],
    [await huge.toBuffer(), /more.* pixels|more than the shop can open/],
    [await paint({ width: 3000, height: 100 }).png().toBuffer(), /3000 × 100 pixels.*too narrow/],
    [Buffer.concat([jpeg, Buffer.alloc(20 * 1024 * 1024)]), /20 MB at most/],
  ]
  for (const [content, words] of hostile) {
    const refused = await bring(shop, admin, content)
    const { code, detail } = (await refused.json()) as { code: string; detail: string }
    expect([refused.status, code]).toEqual([422, 'uploads.not_a_picture'])
    expect(detail).toMatch(words)
  }
  expect(await stored(shop)).toEqual([])
  for (const path of ['..%2f..%2fsecret/320.webp', `${crypto.randomUUID()}/..%2f320.webp`, 'x/320.webp'])
    expect((await shop.call('GET', `/pictures/${path}`)).status).toBe(404)
})

test('a picture that takes too long may be sent again, and a visitor’s error names no file', async () => {
  await using pictureReader = new AsyncDisposableStack()
  const hasty = pictureReader.adopt(openPictureReader({ taskMs: 1 }), (reader) => reader.close())
  const read = readRenditions({ pictureReader: hasty }, await paint().png().toBuffer())
  await expect(read).rejects.toMatchObject({
    code: 'pictures.too_slow',
    message: expect.stringMatching(/try again.*as a JPEG/),
  })
  const drawn = drawnPicture({ pictureReader: hasty }, { svg: '<svg/>', texts: [], fonts: [], kind: 'png' })
  await expect(drawn).rejects.toMatchObject({
    code: 'pictures.too_slow',
    message: expect.not.stringContaining('JPEG'),
  })
})

test('a picture that nothing shows goes after a day, unless something comes to show it', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const { services } = shop
  const passDay = async () => {
    await sweepUnusedPictures(services)
    now = new Date(now.getTime() + 25 * hourMs)
    await sweepUnusedPictures(services)
  }
  const picture = await addPicture(services, await paint().png().toBuffer(), async () => undefined)
  const { id } = picture
  const someone = { id: null, email: 'author@example.com', ip: null }
  await services.db.transaction((tx) => lockPictures(tx, [id]))
  const { id: product_id } = await shop.product('paperback')
  const setCover = (cover_id: string | null) =>
    services.database.pool.query('update products set cover_id = $1 where id = $2', [cover_id, product_id])
  await sweepUnusedPictures(services)
  await setCover(id)
  await passDay()
  expect(await stored(shop)).toEqual([id])

  await setCover(null)
  const { document, revision } = await readDraft(services.db)
  const draft = { document: { ...document, cover: { ...picture, alt: '' } }, revision }
  await saveDraft(services, draft, someone)
  await passDay()
  await passDay()
  expect(await stored(shop)).toEqual([id])

  await discardDraft(services, revision + 1, someone)
  await passDay()
  expect(await stored(shop)).toEqual([id])
  const held = services.db.transaction((tx) => lockPictures(tx, [id]))
  await expect(held).rejects.toMatchObject({ code: 'pictures.not_found' })
  const late = saveDraft(services, { ...draft, revision: revision + 2 }, someone)
  await expect(late).rejects.toMatchObject({ code: 'pictures.not_found' })
  await age(services.database, 'unsettled_files.created_at', '2 days')
  await sweepStoredFiles(services)
  expect(await readdir(join(services.config.dataDir, 'files/pictures', id))).toEqual([])
})

test('a picture stays that a draft comes to show while it is swept', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const { services } = shop
  const picture = await addPicture(services, await paint().png().toBuffer(), async () => undefined)
  await sweepUnusedPictures(services)
  now = new Date(now.getTime() + 25 * hourMs)
  const sweeping = await services.db.transaction(async (tx) => {
    await lockPictures(tx, [picture.id])
    const begun = sweepUnusedPictures(services)
    await untilWaiting(services.database, 1)
    const { document } = await readDraft(tx)
    const draft = { ...document, cover: { ...picture, alt: '' } }
    await tx.insert(book_draft).values({ document: draft, revision: 1, saved_at: now, saved_by: 'author' })
    return { begun }
  })
  await sweeping.begun
  const { rows } = await services.database.pool.query('select id from pictures')
  expect(rows).toEqual([{ id: picture.id }])
})

// The colors that a cover gives to its page.

type Part = [color: string, part: number]

const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

function pixelsOf(parts: Part[]): Uint8Array {
  const whole = 400
  return new Uint8Array(
    parts.flatMap(([color, part]) =>
      Array.from({ length: Math.round(whole * part) }, () => channelsOf(color)).flat(),
    ),
  )
}

function expectNear(found: string, wanted: string) {
  for (const [at, channel] of channelsOf(found).entries())
    expect(Math.abs(channel - (channelsOf(wanted)[at] ?? 0)), `${found}, ${wanted}`).toBeLessThanOrEqual(2)
}

test('the main color is that of the largest part, the accent the most vivid that is seen', () => {
  const cases: { parts: Part[]; main: string; accent: string }[] = [
    { parts: [['#1e3a5f', 1]], main: '#1e3a5f', accent: '#1e3a5f' },
    {
      parts: [
        ['#f4efe4', 0.8],
        ['#b02a30', 0.2],
      ],
      main: '#f4efe4',
      accent: '#b02a30',
    },
    // A stamp of half a percent is no accent.
    {
      parts: [
        ['#404040', 0.995],
        ['#ff0000', 0.005],
      ],
      main: '#404040',
      accent: '#404040',
    },
    {
      parts: [
        ['#14324a', 0.7],
        ['#e8a020', 0.1],
        ['#ffffff', 0.2],
      ],
      main: '#14324a',
      accent: '#e8a020',
    },
    {
      parts: [
        ['#808080', 0.5],
        ['#000000', 0.5],
      ],
      main: '#808080',
      accent: '#808080',
    },
  ]
  for (const { parts, main, accent } of cases) {
    const found = findColors(pixelsOf(parts))
    expectNear(found.main, main)
    expectNear(found.accent, accent)
    expect(findColors(pixelsOf(parts))).toEqual(found)
  }
})

test('the light is the brightest vivid part of another hue than the main color, where there is one', () => {
  const lightOf = (...parts: Part[]) => findColors(pixelsOf(parts)).light
  expectNear(lightOf(['#1f4e57', 0.8], ['#f2b98b', 0.1], ['#7a1f1f', 0.1]) ?? '', '#f2b98b')
  expectNear(lightOf(['#404040', 0.9], ['#b02a30', 0.1]) ?? '', '#b02a30')
  expect(lightOf(['#1f4e57', 0.6], ['#3c7a80', 0.4])).toBeUndefined()
  expect(lightOf(['#1f4e57', 0.995], ['#f2b98b', 0.005])).toBeUndefined()
  expect(lightOf(['#ffffff', 0.5], ['#000000', 0.5])).toBeUndefined()
})

test('colors of all hues come back as they were, and white and black have none', () => {
  for (let hue = 0; hue < 4096; hue += 37) {
    const color = `#${hue.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`
    expectNear(findColors(pixelsOf([[color, 1]])).main, color)
  }
  for (const gray of [0, 255]) expect(toOklch(gray, gray, gray).chroma).toBeLessThan(0.001)
  expect(findColors(new Uint8Array())).toEqual({ main: '#808080', accent: '#808080' })
})
