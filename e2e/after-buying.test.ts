// What the dashboard says and asks right after a purchase.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { buy as buyOverHttp, enter, makeUser } from './users.ts'
import { expect, test } from './shop.ts'

const greeting = (page: Page) => page.getByRole('region', { name: /^Thank you for buying/ })
const row = (page: Page) => page.getByRole('region', { name: 'Your Purchases' }).getByRole('listitem')

test('after a digital purchase the dashboard has the files, how to read them, and where the receipt is', async ({
  page,
  shop,
}) => {
  await enter(page, shop, await makeUser(shop))
  await buyHere(page, 'Buy Digital')
  await expect(greeting(page)).toContainText('You find the receipt here')
  for (const device of ['iPhone and iPad', 'Android phone and tablet', 'Kindle'])
    await expect(greeting(page).getByText(device, { exact: true })).toBeVisible()
  await expect(greeting(page).getByRole('link', { name: 'Send to Kindle' })).toHaveAttribute('href', /amazon/)
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await greeting(page)
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  expect((await saved).suggestedFilename()).toMatch(/\.epub$/)

  await page.reload()
  await expect(greeting(page)).toBeVisible()
  await greeting(page).getByRole('button', { name: 'Dismiss the greeting' }).click()
  await expect(greeting(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Your Purchases' })).toBeFocused()
  await page.reload()
  await expect(row(page)).toHaveCount(1)
  await expect(greeting(page)).toHaveCount(0)
})

test('the greeting is not shown to another user who signs in afterwards', async ({ page, shop }) => {
  await enter(page, shop, await makeUser(shop))
  await buyHere(page, 'Buy Digital')
  await expect(greeting(page)).toBeVisible()
  await enter(page, shop, await makeUser(shop))
  await page.goto('/dashboard')
  await expect(page.getByText('No purchases yet')).toBeVisible()
  await expect(greeting(page)).toHaveCount(0)
})

test('paper asks for its address at once, waits for it visibly, and offers the last one', async ({
  page,
  shop,
}) => {
  await enter(page, shop, await makeUser(shop))
  await buyHere(page, 'Buy Paperback')
  const question = page.getByRole('dialog', { name: 'Where shall we send it?' })
  await expect(question.getByLabel('Full name')).toBeFocused()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page)).toContainText('We need your address')

  // It is put off, not forgotten; and it does not open by itself again.
  await page.reload()
  await expect(row(page)).toContainText('We need your address')
  await expect(question).toHaveCount(0)
  await greeting(page)
    .getByRole('button', { name: /^Tell us where to send it/ })
    .click()
  await question.getByLabel('Full name').fill('Ruth of Moab')
  await question.getByLabel('Street and number').fill('7 Barley Road')
  await question.getByLabel('City').fill('Portland')
  await question.getByLabel('State').selectOption('Oregon')
  await question.getByLabel('ZIP code').fill('97201')
  for (const [label, token] of [
    ['Full name', 'shipping name'],
    ['Street and number', 'shipping address-line1'],
    ['State', 'shipping address-level1'],
    ['ZIP code', 'shipping postal-code'],
  ] as const)
    await expect(question.getByLabel(label)).toHaveAttribute('autocomplete', token)
  await question.getByRole('button', { name: 'Keep this address' }).click()
  await expect(row(page)).toContainText('We will ship it to Ruth of Moab, 7 Barley Road, Portland, OR 97201')
  await expect(greeting(page)).toContainText('We will ship it to Ruth of Moab')
  await expect(question).toHaveCount(0)

  await page.getByRole('link', { name: 'Back to Home' }).click()
  await buyHere(page, 'Buy Hardcover')
  await expect(question).toContainText('This is where your last book went')
  await expect(question.getByLabel('Full name')).toHaveValue('Ruth of Moab')
  await expect(question.getByLabel('State')).toHaveValue('OR')
  await question.getByRole('button', { name: 'Keep this address' }).click()
  await expect(row(page).first()).toContainText('We will ship it to Ruth of Moab')
})

test('a purchase made elsewhere says that its address is missing, and greets nobody', async ({
  page,
  shop,
}) => {
  await buyOverHttp(shop, await enter(page, shop, await makeUser(shop)), 'paperback')
  await page.goto('/dashboard')
  await expect(row(page)).toContainText('We need your address')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(greeting(page)).toHaveCount(0)
  await expectAccessible(page)
})

async function buyHere(page: Page, name: string) {
  await page.goto('/')
  await page.getByRole('button', { name }).click()
  await page.waitForURL('**/dashboard')
}
