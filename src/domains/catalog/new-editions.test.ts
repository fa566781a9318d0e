// A new edition is a decision: what its file holds is shown first, each edition can be downloaded, and made current again.
import { expect, test } from 'vitest'
import { makeBook } from '#test/epub.ts'
import { openProductsShop } from '#test/products.ts'
import { upload } from '#test/upload.ts'
import type { Person } from '#test/users.ts'
import type { AdminProduct, EditionComparison } from '#contract/catalog/admin-products.ts'

const pages = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [
      `c${nth}.xhtml`,
      `<h1>Chapter ${nth + 1}</h1><p>${'Words of this chapter. '.repeat(40)}</p>`,
    ]),
  )

const book = (title: string, isbn: string, chapters = 3) =>
  makeBook(pages(chapters), {
    metadata: `<dc:title>${title}</dc:title><dc:identifier>urn:isbn:${isbn}</dc:identifier><dc:language>en</dc:language>`,
  })

const one = '9780306406157'
const another = '9783161484100'

async function openEditionsShop() {
  const shop = await openProductsShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const send = (content: Buffer) => upload(shop, admin, content, 'book.epub')
  const add = async (content: Buffer) => {
    const body = { upload_id: await send(content) }
    return (await (
      await admin.call('POST', `/api/admin/products/${id}/editions`, { body })
    ).json()) as AdminProduct
  }
  const check = async (upload_id: string) =>
    admin.call('POST', `/api/admin/products/${id}/editions/check`, { body: { upload_id } })
  const restore = (file_id: string) =>
    admin.call('POST', `/api/admin/products/${id}/editions/${file_id}/current`)
  const link = (person: Person, file_id: string) => person.call('POST', `/api/admin/editions/${file_id}/link`)
  return { ...shop, admin, id, send, add, check, restore, download: link }
}

test('the file is described beside the edition on sale, and another book is warned of', async () => {
  await using shop = await openEditionsShop()
  await shop.add(book('The Sons of Sceva', one))
  const compare = async (content: Buffer) =>
    (await (await shop.check(await shop.send(content))).json()) as EditionComparison
  expect(await compare(book('The Sons of Sceva!', one, 4))).toMatchObject({
    title: 'The Sons of Sceva!',
    file_format: 'epub',
    chapters: 4,
    owners: 1,
    warnings: [],
  })
  const { warnings } = await compare(book('A Cookbook', another))
  expect(warnings).toEqual([
    'The title of this file is “A Cookbook”; that of the edition on sale is “The Sons of Sceva”.',
    `The ISBN of this file is ${another}; that of the edition on sale is ${one}.`,
  ])
  // It is refused as the edition would be, and the upload stays for the edition.
  expect((await shop.check(await shop.send(Buffer.from('no ebook')))).status).toBe(422)
  const upload_id = await shop.send(book('The Sons of Sceva', one))
  expect((await shop.check(upload_id)).status).toBe(200)
  const body = { upload_id }
  expect((await shop.admin.call('POST', `/api/admin/products/${shop.id}/editions`, { body })).status).toBe(
    201,
  )
})

test('an earlier edition is made current again under a number of its own, emails nobody, and its file is the same', async () => {
  await using shop = await openEditionsShop()
  const first = book('The Sons of Sceva', one)
  await shop.add(first)
  const { editions } = await shop.add(book('A Cookbook', another))
  const [wrong, right] = editions
  const made = await shop.restore(right!.id)
  expect(made.status).toBe(201)
  const { editions: now } = (await made.json()) as AdminProduct
  expect(now.slice(0, 3).map(({ edition }) => edition)).toEqual([
    wrong!.edition + 1,
    wrong!.edition,
    right!.edition,
  ])
  const { url } = await shop.link('epub')
  const file = await shop.fetchFile(url)
  expect(Buffer.from(await file.arrayBuffer()).equals(first)).toBe(true)
  const { rows } = await shop.services.database.pool.query('select from edition_mails')
  expect(rows).toEqual([])
  expect((await shop.restore(shop.purchase.id)).status).toBe(404)
})

test('the author downloads each edition, for as long as the session and the role last', async () => {
  await using shop = await openEditionsShop()
  const first = book('The Sons of Sceva', one)
  await shop.add(first)
  const { editions } = await shop.add(book('The Sons of Sceva', one, 5))
  const earlier = editions[1]!
  const linked = await shop.download(shop.admin, earlier.id)
  const { url } = (await linked.json()) as { url: string }
  const file = await shop.fetchFile(url, { range: 'bytes=0-9' })
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    206,
    expect.stringContaining(`edition ${earlier.edition}.epub`),
  ])
  expect(Buffer.from(await (await shop.fetchFile(url)).arrayBuffer()).equals(first)).toBe(true)
  expect((await shop.download(shop.user, earlier.id)).status).toBe(403)
  // Of a reader's link and an author's, neither is the other.
  expect((await shop.fetchFile(url.replace('edition-files', 'files'))).status).toBe(404)
  await shop.services.database.pool.query(`delete from user_roles where user_id = $1`, [shop.admin.id])
  expect((await shop.fetchFile(url)).status).toBe(403)
})
