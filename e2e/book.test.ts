// The author's own words: typed beside the real page, published, and taken back.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { enterAdmin } from './users.ts'

test.use({ shopName: 'a shop whose author edits the book' })

const isSaved = (page: Page) => expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()
const title = (page: Page) => page.getByLabel('Title', { exact: true }).first()
const publishButton = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true })

async function openPart(page: Page, name: string) {
  await page
    .locator('summary')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .click()
}

async function publish(page: Page) {
  await publishButton(page).click()
  const question = page.getByRole('dialog', { name: 'Publish these changes?' })
  await expect(question.getByText(/You may want to look at this first|no fault was found/)).toBeVisible()
  await question.getByRole('button', { name: 'Publish' }).click()
}

test('an author edits the book beside its page, publishes it, and restores an earlier version', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/book')
  await expect(page.getByText('Visitors see the sample.')).toBeVisible()
  const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText(/Nine P’s/)
  await expectAccessible(page)

  await title(page).fill('The Long Road Home')
  await isSaved(page)
  await expect(preview.getByRole('heading', { level: 1, name: 'The Long Road Home' })).toBeVisible()
  await page.reload()
  await expect(title(page)).toHaveValue('The Long Road Home')
  expect(await (await page.request.get('/')).text()).not.toContain('The Long Road Home')

  await openPart(page, 'Preview')
  await page.getByRole('button', { name: 'Import a chapter from your EPUB' }).click()
  const chapters = page.getByRole('dialog').getByRole('list', { name: 'Chapters' })
  await expectAccessible(page)
  await chapters.getByRole('button', { name: /^Praise/ }).click()
  const shownTitles = page.getByLabel('Title', { exact: true }).filter({ visible: true })
  await expect(shownTitles.nth(3)).toHaveValue(/Praise/)
  await isSaved(page)

  // The sample's rating has no source.
  await publishButton(page).click()
  await expect(page.getByText('Please correct: Source of the rating.')).toBeVisible()
  await expect(page.getByLabel('Source')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Show a rating').uncheck()
  await isSaved(page)
  await publish(page)
  await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()
  const published = await (await page.request.get('/')).text()
  expect(published).toContain('The Long Road Home')
  expect(published).not.toContain('out of 5 stars')

  await title(page).fill('Another Road')
  await isSaved(page)
  await publish(page)
  await expect(page.getByText('Visitors see version 2 now.')).toBeVisible()
  await openPart(page, 'Versions')
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(title(page)).toHaveValue('The Long Road Home')
  await publish(page)
  await expect(page.getByText('Visitors see version 3 now.')).toBeVisible()
  expect(await (await page.request.get('/')).text()).toContain('The Long Road Home')
})

test('a dead link is found before publishing, and shown where it stands', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/book')
  await openPart(page, 'Author and invitation')
  const text = page.getByLabel('Invitation', { exact: true })
  await text.fill('Come [in](http://127.0.0.1/nowhere).')
  await page.getByLabel('Show a rating').uncheck()
  await isSaved(page)
  await openPart(page, 'Author and invitation')
  await publishButton(page).click()
  const says = 'The link http://127.0.0.1/nowhere in the invitation leads into a network of its own.'
  await expect(page.getByText(says).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Show in the form: ${says}` }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(text).toBeFocused()
  await expect(text).toHaveAccessibleDescription(says)
})

test('two admins do not overwrite each other, and a lost connection loses nothing that was typed', async ({
  page,
  shop,
  chrome,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/book')
  const context = await chrome.newContext({ baseURL: shop.url })
  const other = await context.newPage()
  await enterAdmin(other, shop, '/admin/book')

  await page.getByLabel('Subtitle').fill('Mine')
  await isSaved(page)
  await other.getByLabel('Subtitle').fill('Of the other one')
  await expect(other.getByRole('alert')).toContainText('What you typed is still here.')
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Load the other version' }).click()
  await expect(other.getByLabel('Subtitle')).toHaveValue('Mine')
  await other.getByLabel('Subtitle').fill('Of both')
  await isSaved(other)
  await context.close()

  await page.context().setOffline(true)
  await page.getByLabel('Subtitle').fill('Typed without a connection')
  await expect(page.getByText(/^Not saved yet: You are offline/)).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again now' }).click()
  await page.getByRole('button', { name: 'Replace it with my version' }).click()
  await isSaved(page)
  await page.reload()
  await expect(page.getByLabel('Subtitle')).toHaveValue('Typed without a connection')
  expect(refusals(complaints).length).toBeGreaterThan(1)
})
