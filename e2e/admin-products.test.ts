// The author's books: uploaded, checked, priced, hidden; and what users then have.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buy, enter, enterAdmin, makeUser, post, signIn } from './users.ts'
import { admin, expect, refusals, test } from './shop.ts'

test.use({ shopName: 'the shop whose products change' })

const sample = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))

test('an ebook is uploaded with its words and its price, and is for sale at once', async ({ page, shop }) => {
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
})

test('what is no ebook inside is refused in words, and nothing typed is lost', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/upload')
  await page.getByLabel('Title').fill('Not a book')
  await page.getByLabel('Price ($)').fill('1')
  await page
    .getByLabel('Ebook file')
    .setInputFiles({ name: 'fake.PDF', mimeType: 'application/pdf', buffer: Buffer.from('no') })
  await page.getByRole('button', { name: 'Upload Ebook' }).click()
  await expect(page.getByText('Upload Failed')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Not a book')
  expect(refusals(complaints)).toHaveLength(1)
})

test('a price is changed, a product hidden, and its owner keeps it', async ({ page, shop }) => {
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

test('what is typed of a product stays while its cover is set and another admin sets its price', async ({
  page,
  shop,
}) => {
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
})

test('an upload that is left goes on later where it stopped', async ({ page, shop }) => {
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

test('a new edition is what owners get from then on, also those of a bundle that holds it', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'bundle')
  const second = Buffer.concat([
    await readFile(sample.replace('.epub', '.pdf')),
    Buffer.from('\n%second\nstartxref\n0\n%%EOF'),
  ])
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name: "Nine P's that Change Everything", exact: true }).click()
  await page
    .getByLabel('Ebook file')
    .setInputFiles({ name: 'second.pdf', mimeType: 'application/pdf', buffer: second })
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByText('New edition', { exact: true })).toBeVisible()
  await expect(page.getByText('earlier')).toBeVisible()
  await enter(page, shop, email)
  await page.goto('/dashboard')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  expect((await readFile(await saved.path())).equals(second)).toBe(true)
})

test('a cover stands on the page, and a bundle says what it saves by what it holds', async ({
  page,
  shop,
}) => {
  const drawn = fileURLToPath(new URL('../src/web/generated/public/social.png', import.meta.url))
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name: "Nine P's that Change Everything (Bundle)", exact: true }).click()
  await page.getByLabel('Cover image').setInputFiles(sample)
  await expect(page.getByText('Invalid File Type')).toBeVisible()
  await page.getByLabel('Cover image').setInputFiles(drawn)
  await expect(page.getByText('Cover saved', { exact: true })).toBeVisible()
  await expect(page.getByAltText(/The cover of .*Bundle/)).toBeVisible()

  await page.getByLabel(/Hardcover/).uncheck()
  await page.getByLabel(/Paperback/).uncheck()
  await page.getByRole('button', { name: 'Save the bundle' }).click()
  await expect(page.getByText('Bundle saved', { exact: true })).toBeVisible()
  await page.goto('/#book-sales')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Bundle' }) })
  await expect(card.locator('img')).toHaveCount(1)
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
})

test('a purchase is found in the admin area, and its receipt sent again', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'paperback')
  await shop.mailbox.to(email, /receipt|purchase/i)
  await enterAdmin(page, shop, '/admin/purchases')
  await page.getByLabel('From').focus()
  await page.keyboard.type('01022026')
  await expect(page).toHaveURL(/from=2026-01-02$/)
  await page.getByRole('searchbox', { name: 'Search purchases' }).fill(email)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByLabel('Status').selectOption('refunded')
  await expect(page.getByText('No purchases found')).toBeVisible()
  await page.getByLabel('Status').selectOption('')
  await page
    .getByRole('row', { name: /Paperback/ })
    .getByRole('link')
    .first()
    .click()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText(
    'not sent: email was not set up',
  )
  await page.getByRole('button', { name: 'Send the receipt' }).click()
  await expect(page.getByText('Not sent again')).toBeVisible()
})

test('a product leads to those beside it in the list', async ({ page, shop }) => {
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
