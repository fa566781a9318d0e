// What pages say around the book: found by what one sees, changed, and seen by visitors once published.
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

test.use({ shopName: 'a shop whose author changes the texts' })

test('an author finds a text of the page, changes it, and visitors read it', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/book')
  await page
    .locator('summary')
    .filter({ hasText: /^Words of pages and emails$/ })
    .click()
  const search = page.getByRole('searchbox', { name: 'Find a text' })
  await search.fill('order your copy')
  await expect(page.getByRole('status').getByText(/^(One text|\d+ texts)$/)).toBeVisible()
  await page.getByLabel('Order Your Copy Today').fill('Take the book home')
  await expectAccessible(page)

  await search.fill('5 out of 5 stars')
  const rating = page.getByLabel('{stars} out of {best} stars')
  await rating.fill('{stars} of {most}')
  await expect(page.getByText('{most} is not known here.')).toBeVisible()
  await rating.fill('{stars} of {best} points')
  await expect(page.getByText('is not known here')).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to the standard text' }).click()
  await expect(rating).toHaveValue('')

  await search.fill('Get money back')
  await expect(page.getByText('This text cannot be changed').first()).toBeVisible()
  await search.fill('')
  await page.getByLabel('Changed texts only (1)').check()
  await expect(page.getByText('One text')).toBeVisible()
  await expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()
  expect(await (await page.request.get('/')).text()).not.toContain('Take the book home')

  await page
    .locator('summary')
    .filter({ hasText: /^Promises and rating$/ })
    .click()
  // The sample's rating has no source.
  await page.getByLabel('Show a rating').uncheck()
  await expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Take the book home' })).toBeVisible()
  await expect(page.getByText('Order Your Copy Today')).toHaveCount(0)
})
