// A new edition: uploaded, told to its owners by email, read beside the earlier one, and the emails turned off.
import { fileURLToPath } from 'node:url'
import { makeBook } from '#test/epub.ts'
import { expectAccessible } from './accessible.ts'
import { mailTo, test } from './mailing.ts'
import { expect } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, signIn } from './users.ts'

test.use({ shopName: 'the shop with a second edition' })

const sample = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))

test('a new edition reaches its owner, who keeps the earlier one and turns the emails off', async ({
  page,
  shop,
  smtp,
  chrome,
}) => {
  const email = await makeUser(shop)
  const { name } = await buy(shop, await signIn(shop, { email, password }), 'digital')
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('What changed (optional)').fill('A new chapter about hope.')
  await page.getByLabel('Ebook file').setInputFiles(sample)
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  const question = page.getByRole('dialog', { name: 'Make this the new edition?' })
  await expect(question).toContainText(
    /Title.*Nine P's that Change Everything.*EPUB, .* kB.*Chapters.*Owners/s,
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('What changed (optional)')).toHaveValue('A new chapter about hope.')
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  await question.getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByText('A new chapter about hope.')).toBeVisible()
  await page.getByRole('link', { name: 'Tell its owners: EPUB, edition 2' }).click()
  await expect(page.getByText(`One reader bought ${name}`)).toBeVisible()
  await expect(page.getByText('A new edition of your book')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Tell its owners' }).click()
  await page.getByRole('button', { name: 'Send 1 email', exact: true }).click()
  await expect(page.getByText('Finished.')).toBeVisible()
  await expect(page.getByText('1 of 1')).toBeVisible()
  await expectAccessible(page)

  const mail = await mailTo(smtp, email, /^A new edition/)
  expect(mail.text).toContain('A new chapter about hope.')
  await using reader = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
  reader.setDefaultTimeout(30_000)
  const tab = await reader.newPage()
  await enter(tab, shop, email)
  await tab.goto('/dashboard')
  await tab.getByText('All editions').click()
  await expect(tab.getByText('A new chapter about hope.')).toBeVisible()
  await expectAccessible(tab)
  const [file] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('button', { name: 'Download Edition 1, EPUB' }).click(),
  ])
  expect(await file.failure()).toBe(null)

  const link = /https?:\/\/\S+\/emails\/\S+/.exec(mail.text!)![0]
  await tab.goto(link)
  await expect(tab.getByText('You get an email when there is a new edition')).toBeVisible()
  await expectAccessible(tab)
  await tab.getByRole('button', { name: 'No more of these emails' }).click()
  await expect(tab.getByText('You get no emails about new editions any more.')).toBeVisible()
  await tab.goto('/account')
  const choice = tab.getByLabel('Tell me about new editions of books that I own')
  await expect(choice).not.toBeChecked()
  await choice.click()
  await expect(choice).toBeChecked()
  await tab.goto(link)
  await expect(tab.getByRole('button', { name: 'No more of these emails' })).toBeVisible()
})

test('a file of another book is warned of; the edition before is downloaded, and made current again', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name: "Nine P's that Change Everything", exact: true }).first().click()
  const other = makeBook(
    { 'a.xhtml': '<h1>Bread</h1><p>Flour and water.</p>' },
    { metadata: '<dc:title>A Cookbook</dc:title>' },
  )
  await page
    .getByLabel('Ebook file')
    .setInputFiles({ name: 'bread.epub', mimeType: 'application/epub+zip', buffer: other })
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  const question = page.getByRole('dialog', { name: 'Make this the new edition?' })
  await expect(question).toContainText('The title of this file is “A Cookbook”')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByText('Edition 3')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download EPUB, edition 1' }).click(),
  ])
  expect(file.suggestedFilename()).toContain('edition 1.epub')
  await page.getByRole('button', { name: 'Make it current again: EPUB, edition 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make it current' }).click()
  await expect(page.getByText('Edition 4')).toBeVisible()
  await expect(page.getByText('Edition 3')).toBeVisible()
  await expectAccessible(page)
})
