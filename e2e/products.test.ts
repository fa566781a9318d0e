// The author’s products: added, uploaded, priced, counted, released in editions; and what users then have.
import { createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { paint } from '#test/pictures.ts'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { part } from './part.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { buy, enter, enterAdmin, makeUser, password, post, signIn } from './users.ts'

const sample = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))

const middleOf = (place: Locator) =>
  place.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect()
    return (left + right) / 2
  })

const savedPrice = (page: Page): Locator => page.getByLabel(/^Price \(/)

/** A proxy that refuses large bodies, as nginx does. */
async function openFront(shopUrl: string) {
  const front = { url: '', maxBytes: 1_048_576, taken: [] as number[], refused: [] as number[] }
  const server = createServer((incoming, response) => {
    const size = Number(incoming.headers['content-length'] ?? 0)
    if (size > front.maxBytes) {
      front.refused.push(size)
      incoming.resume().on('end', () => {
        response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
      })
      return
    }
    if (incoming.method === 'PATCH') front.taken.push(size)
    const { method, headers, url } = incoming
    const passed = request(shopUrl + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  front.url = `http://127.0.0.1:${address.port}`
  return Object.assign(front, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}

test.use({ shopName: 'the shop whose products change' })
test.describe.configure({ mode: 'serial' })

test('a digital product is uploaded, in one go and in two, and for sale with its file @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'a digital product without a file says why it is not for sale, and is once its file is uploaded',
    async () => {
      const name = 'A Study Guide'
      const reason = 'Not for sale: it has no file yet'
      await enterAdmin(page, shop, '/admin/products/new')
      const format = page.getByLabel('Format')
      await expect(format).toHaveAccessibleDescription(/nothing to download/)
      await expect(page.getByRole('radio', { name: 'Not for sale yet' })).toBeChecked()
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Price ($)').fill('4.00')
      await format.selectOption('digital')
      await expect(format).toHaveAccessibleDescription(/Its buyers download its file/)
      await page.getByRole('radio', { name: 'For sale now' }).check()
      await page.getByLabel('What is in it').fill('Nine weeks for a group\n\n  A page for notes  ')
      await page.getByRole('button', { name: 'Add the product' }).click()
      await expect(page.getByText('Product added')).toBeVisible()
      await expect(page.locator('#main').getByText(reason)).toBeVisible()
      await expect(page.getByLabel('What is in it')).toHaveValue('Nine weeks for a group\nA page for notes')

      // As a pre-order it lacks nothing until its day.
      await page.getByRole('radio', { name: 'Pre-order' }).check()
      await page
        .getByLabel('Day', { exact: true })
        .fill(new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10))
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.locator('#main').getByText(reason)).toHaveCount(0)
      const now = page.getByRole('radio', { name: 'For sale now' })
      await expect(now).toHaveAccessibleDescription('Everybody can buy it as soon as nothing is missing.')
      await now.check()
      const preview = page.getByRole('region', { name: 'As buyers see it' })
      await expect(preview).toContainText('Nine weeks for a group')
      await expect(preview).not.toContainText('Instant download')
      await expect(preview).toContainText('Not on the page: it has no file yet.')
      await expect(preview).not.toContainText('Available soon')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.locator('#main').getByText(reason)).toBeVisible()
      await page.goto('/admin/products')
      const row = page.getByRole('listitem').filter({ hasText: name })
      await expect(row).toContainText(reason)
      await page.goto('/#book-sales')
      await expect(page.getByRole('heading', { name: 'Get Your Copy Today' })).toBeVisible()
      await expect(page.getByText(name)).toHaveCount(0)

      await page.goto('/admin/upload')
      await expect(page.getByRole('radio', { name: 'A new product' })).toBeChecked()
      await page.getByLabel(`The file of ${name}`).check()
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
      await expect(page.getByText('Missing Information')).toBeVisible()
      await page.getByLabel('Ebook file').setInputFiles(sample)
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
      await expect(page.getByText('File added', { exact: true })).toBeVisible()
      await expect(page.getByText('It is for sale from now on.')).toBeVisible()
      await expect(page).toHaveURL('/admin')
      await page.goto('/#book-sales')
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
      await expect(card).toContainText('A page for notes')
      // The fifth: alone in the second row, in its middle.
      await page.setViewportSize({ width: 1360, height: 900 })
      const list = page.locator('#book-sales ul').first()
      expect(await middleOf(list.locator('> li:last-child'))).toBeCloseTo(await middleOf(list), 0)
      await expect(card).toContainText('EPUB for your reading device')
      await expect(card).not.toContainText('PDF')
    },
  )

  await part(
    page,
    'an ebook is uploaded with its words and its price, and is for sale at once; what is wrong is said, and nothing typed is lost',
    async () => {
      await enterAdmin(page, shop, '/admin/upload')
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
      await expect(page.getByText('Missing Information')).toBeVisible()
      await expect(page.getByText('Please fill in all fields and select a file.')).toBeVisible()
      await page
        .getByLabel('Ebook file')
        .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
      await expect(page.getByText('Invalid File Type')).toBeVisible()

      await page.getByLabel('Title').fill('A Workbook')
      await page.getByLabel('Description (optional)').fill('Questions for every chapter.')
      expect(await page.getByLabel('Description (optional)').getAttribute('rows')).toBe('3')
      await page.getByLabel('Price ($)').fill('7.50')
      const forPaper = page.getByText('Buyers of a book on paper do not receive this file.')
      await page.getByLabel('Format').selectOption('hardcover')
      await expect(forPaper.getByRole('link', { name: 'Add a product' })).toBeVisible()
      await page.getByLabel('Format').selectOption('digital')
      await expect(forPaper).toHaveCount(0)
      await page.getByLabel('Ebook file').setInputFiles(sample)
      await expect(page.getByText(/sample\.epub \(\d+\.\d\d MB\)/)).toBeVisible()
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
      await expect(page.getByText('Upload Successful')).toBeVisible()
      await expect(page.getByText('Ebook has been uploaded and added to the store.')).toBeVisible()
      await expect(page).toHaveURL('/admin')
      await page.goto('/#book-sales')
      await expect(page.getByText('A Workbook', { exact: true })).toBeVisible()
      await page.goto('/admin/upload')
      await page.getByLabel('Title').fill('Not a book')
      await page.getByLabel('Price ($)').fill('1')
      await page
        .getByLabel('Ebook file')
        .setInputFiles({ name: 'fake.PDF', mimeType: 'application/pdf', buffer: Buffer.from('no') })
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
      await expect(page.getByText('Upload Failed')).toBeVisible()
      await expect(page.getByLabel('Title')).toHaveValue('Not a book')
      expect(refusals(complaints)).toHaveLength(1)
      await page.route('**/api/admin/products', (route) => route.abort())
      await page
        .getByLabel('Ebook file')
        .setInputFiles({ name: 'chapter.PDF', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
      await expectToast(page, 'Upload Failed', 'An unexpected error occurred.')
      expect(refusals(complaints)).toHaveLength(1)
    },
  )

  await part(page, 'a server in front with a limit of its own gets smaller pieces, or is named', async () => {
    await using front = await openFront(shop.url)
    await page.route('**/api/admin/uploads/*', (route) => {
      const { pathname } = new URL(route.request().url())
      return route.continue({ url: front.url + pathname })
    })
    const file = { name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(3_000_000, '%PDF-') }
    const upload = async () => {
      await enterAdmin(page, shop, '/admin/upload')
      await page.getByLabel('Title').fill('Behind nginx')
      await page.getByLabel('Price ($)').fill('3')
      await page.getByLabel('Ebook file').setInputFiles(file)
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
    }
    // All of it comes through, and no product is added.
    await page.route('**/api/admin/products', (route) => route.abort())
    await upload()
    await expectToast(page, 'Upload Failed', 'An unexpected error occurred.')
    expect(front.taken.reduce((sum, size) => sum + size, 0)).toBe(3_000_000)
    expect(Math.max(...front.taken)).toBe(1_048_576)

    front.maxBytes = 200_000
    await upload()
    await expect(page.getByText('A server in front of the shop (as nginx or Cloudflare)')).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue('Behind nginx')
    expect(front.refused.at(-1)).toBe(262_144)
    await page.unrouteAll()
    expect(refusals(complaints).length).toBeGreaterThan(front.refused.length)
  })

  await part(page, 'an upload that is left goes on later where it stopped', async () => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/admin/uploads')) sent.push(request.method())
    })
    const begin = async () => {
      await page.getByLabel('Title').fill('A Long Book')
      await page.getByLabel('Price ($)').fill('3')
      await page.getByLabel('Ebook file').setInputFiles(sample)
      await page.getByRole('button', { name: 'Upload Ebook' }).click()
    }
    await enterAdmin(page, shop, '/admin/upload')
    // Its bytes do not come through, until the author has left.
    await page.route('**/api/admin/uploads/*', () => {})
    await begin()
    await expect(page.getByText('Uploading...')).toBeVisible()
    await expect(page.getByRole('radio', { name: 'A new product' })).toBeDisabled()
    await expect.poll(() => sent).toContain('PATCH')
    await page.getByRole('link', { name: 'View Dashboard' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page.getByText('Upload stopped')).toBeVisible()
    await page.unroute('**/api/admin/uploads/*')
    await page.getByRole('link', { name: 'Upload Ebook' }).click()
    await begin()
    await expect(page.getByText('Upload Successful')).toBeVisible()
    expect(sent.filter((method) => method === 'POST')).toHaveLength(1)
  })
})

test('a product is priced, hidden, covered, bundled, and left for those beside it', async ({
  page,
  shop,
}) => {
  await part(page, 'a price is typed in any notation, a product hidden, and its owner keeps it', async () => {
    await enterAdmin(page, shop, '/admin/products/new')
    await page.getByLabel('Name').fill('For collectors')
    await page.getByLabel('Price ($)').pressSequentially('1,200')
    const both = 'Do you mean 1200.00 or 1.20? Please type one of the two.'
    await expect(page.getByRole('status').getByText(both)).toBeVisible()
    await expect(page.getByLabel('Price ($)')).not.toHaveAttribute('aria-invalid')
    await page.getByRole('button', { name: 'Add the product' }).click()
    await expect(page.getByLabel('Price ($)')).toHaveAccessibleDescription(both)
    await expect(page.getByLabel('Price ($)')).toBeFocused()
    await addProduct(page, 'For collectors', '1.200,00', '$1,200.00')
    await expect(savedPrice(page)).toHaveValue('1200.00')

    const email = await makeUser(shop)
    const session = await enter(page, shop, email)
    await buy(shop, session, 'paperback')
    await enterAdmin(page, shop, '/admin/products')
    await page.getByRole('link', { name: "Nine P's that Change Everything (Paperback)", exact: true }).click()
    await page.getByLabel('Price ($)').fill('26.25')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Product saved')).toBeVisible()
    await page.goto('/')
    await expect(page.locator('#book-sales')).toContainText('$26.25')
    await page.goto('/admin/products')
    await page
      .getByRole('button', { name: "Hide Nine P's that Change Everything (Paperback)", exact: true })
      .click()
    await expect(
      page.getByRole('button', { name: "Show Nine P's that Change Everything (Paperback)", exact: true }),
    ).toBeVisible()
    await page.goto('/')
    await expect(page.locator('#book-sales')).not.toContainText('$26.25')
    await enter(page, shop, email)
    await page.goto('/dashboard')
    await expect(page.getByRole('listitem')).toContainText('$24.99')

    await enterAdmin(page, shop, '/admin/products')
    await page
      .getByRole('button', { name: "Show Nine P's that Change Everything (Paperback)", exact: true })
      .click()
    await expect(
      page.getByRole('button', { name: "Hide Nine P's that Change Everything (Paperback)", exact: true }),
    ).toBeVisible()
  })

  await part(
    page,
    'what is typed of a product stays while its cover is set and another admin sets its price',
    async () => {
      const { access_token } = await signIn(shop, admin)
      const poster = { name: 'A Poster', price: 90, format: 'hardcover', is_digital: false }
      const { id } = await post<{ id: string }>(shop, '/api/admin/products', poster, access_token)
      await enterAdmin(page, shop, `/admin/products/${id}`)
      await page.getByLabel('Description').fill('Cloth, with a ribbon.')
      const picture = fileURLToPath(new URL('../src/web/generated/public/social.png', import.meta.url))
      await page.getByLabel('Cover image').setInputFiles(picture)
      await expect(page.getByText('Cover saved', { exact: true })).toBeVisible()
      await expect(page.getByLabel('Description')).toHaveValue('Cloth, with a ribbon.')
      const response = await fetch(`${shop.url}/api/admin/products/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
        body: JSON.stringify({ price: 91.5, is_for_sale: false }),
      })
      expect(response.status).toBe(200)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Product saved')).toBeVisible()
      await expect(page.getByLabel('Price ($)')).toHaveValue('91.50')
      await expect(page.getByLabel('Description')).toHaveValue('Cloth, with a ribbon.')
    },
  )

  await part(
    page,
    'a cover stands on the page, and a bundle says what it saves by what it holds',
    async () => {
      const buffer = await paint({ width: 800, height: 1200 }).png().toBuffer()
      await enterAdmin(page, shop, '/admin/products')
      await page.getByRole('link', { name: "Nine P's that Change Everything (Bundle)", exact: true }).click()
      await page.getByLabel('Cover image').setInputFiles(sample)
      await expect(page.getByText('Invalid File Type')).toBeVisible()
      await page.getByLabel('Cover image').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer })
      await expect(page.getByText('Cover saved', { exact: true })).toBeVisible()
      await expect(page.getByAltText(/The cover of .*Bundle/)).toBeVisible()

      await page.getByLabel(/Hardcover/).uncheck()
      await page.getByLabel(/Paperback/).uncheck()
      await page.getByRole('button', { name: 'Save the bundle' }).click()
      await expect(page.getByText('Bundle saved', { exact: true })).toBeVisible()
      await page.goto('/#book-sales')
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Bundle' }) })
      await expect(card.locator('img')).toHaveCount(1)
      const height = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().height)
      expect(await height(card.locator('img'))).toBeLessThan(await height(card.locator('.product-picture')))
      await expect(card).not.toContainText('Save $')
      await expect(card).toContainText('Nothing to ship')
      await page.goBack()
      await page.getByLabel(/Hardcover/).check()
      await page.getByLabel(/Paperback/).check()
      await page.getByRole('button', { name: 'Save the bundle' }).click()
      await expect(page.getByText('Bundle saved', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByText('Cover removed', { exact: true })).toBeVisible()
      await page.goto('/#book-sales')
      await expect(card).toContainText(/Save \$3[01]/)
      // Each format that it holds, drawn around the book's cover.
      await expect(card.locator('img')).toHaveCount(3)
    },
  )

  await part(page, 'a product leads to those beside it in the list', async () => {
    await enterAdmin(page, shop, '/admin/products')
    const rows = page.getByRole('main').getByRole('listitem').getByRole('link')
    await expect(rows.nth(3)).toBeVisible()
    const names = await rows.allInnerTexts()
    await page.getByRole('link', { name: names[0]!, exact: true }).click()
    const beside = page.getByRole('navigation', { name: 'Products' })
    await expect(beside.getByRole('link', { name: 'Previous' })).toHaveCount(0)
    for (const name of names.slice(1)) {
      await beside.getByRole('link', { name: 'Next' }).click()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
    }
    await expect(beside.getByRole('link', { name: 'Next' })).toHaveCount(0)
    await beside.getByRole('link', { name: 'Previous' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(names.at(-2)!)
  })
})

test('a checklist leads to a product that can be sold, and its last copy makes the page say so', async ({
  page,
  shop,
  complaints,
}) => {
  const session = await enterAdmin(page, shop, '/admin/products/new')
  const beside = page.getByRole('complementary', { name: 'On the page' })
  const step = (name: string) => beside.getByRole('listitem').filter({ hasText: name })
  await expect(beside).toContainText('2 steps left')
  await expect(step('A book on paper')).toContainText('done')
  await page.getByLabel('Name').fill('A Numbered Print')
  await expect(step('A name')).toContainText('done')
  await expect(beside).toContainText('1 step left')
  await page.getByLabel('Format').selectOption('digital')
  await expect(step('A file')).toContainText('missing')
  await page.getByLabel('Format').selectOption('hardcover')
  await page.getByLabel('Price ($)').fill('120')
  await expect(beside).toContainText('not saved yet')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByText('Product added')).toBeVisible()
  await expect(beside).toContainText('not for sale')
  await expect(step('A description')).toContainText('worth having')
  await page.getByRole('radio', { name: 'For sale now' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Product saved')).toBeVisible()
  await expect(beside).not.toContainText('not for sale')

  await page.getByLabel('Copies to sell').fill('2')
  await page.getByRole('button', { name: 'Count copies' }).click()
  await expect(page.getByText('2 left', { exact: true })).toBeVisible()

  const id = page.url().split('/').at(-1)!
  const { access_token } = await signIn(shop, { email: await makeUser(shop), password })
  await post(shop, '/api/purchases', { product_id: id }, access_token)
  // The sale is not undone, neither by the first try nor by a second.
  await page.getByLabel('Copies to sell').fill('20')
  await page.getByRole('button', { name: 'Save the number' }).click()
  await expect(page.getByText('Please look at the number again', { exact: false })).toBeVisible()
  await expect(page.getByLabel('Copies to sell')).toHaveValue('1')
  expect(refusals(complaints)).toHaveLength(1)
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  const card = page.locator('#book-sales').getByRole('listitem').filter({ hasText: 'A Numbered Print' })
  await card.getByRole('button', { name: 'Buy' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/')
  await expect(card.getByRole('button', { name: 'Sold out' })).toBeDisabled()

  await enterAdmin(page, shop, '/admin/products')
  const row = page.getByRole('listitem').filter({ hasText: 'A Numbered Print' })
  await expect(row).toContainText('sold out')
  await page.getByRole('link', { name: 'A Numbered Print' }).click()
  await expect(beside).toContainText('sold out')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page.getByText('Product duplicated')).toBeVisible()
  await expect(beside).toContainText('not for sale')
  await page.getByRole('radio', { name: 'For sale now' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(beside).not.toContainText('not for sale')
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await expect(beside).toContainText('in the archive')
  await page.goto('/admin/products')
  await page.getByText('Archive (1)').click()
  await expect(page.getByRole('link', { name: 'A Numbered Print (copy)' })).toBeVisible()
  const response = await fetch(`${shop.url}/api/admin/products/${id}`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  expect((await response.json()) as AdminProduct).toMatchObject({ copies: 0, sold: 2, is_sold_out: true })
})

async function addProduct(page: Page, name: string, price: string, understood: string): Promise<void> {
  await page.goto('/admin/products/new')
  await page.getByLabel('Name').fill(name)
  const field = page.getByLabel(/^Price \(/)
  await field.fill(price)
  await expect(page.getByRole('status').getByText(understood, { exact: true })).toBeVisible()
  await expect(field).toHaveValue(price)
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}
