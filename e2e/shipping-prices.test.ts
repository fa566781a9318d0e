// What shipping costs, from the settings to the receipt: the buyer knows the sum before the page to pay at opens.
import type { Page } from '@playwright/test'
import { legalPages } from '#content/legal-pages.ts'
import type { Call } from '#test/call.ts'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { expectAccessible } from './accessible.ts'
import { takeAsOwnBook } from './guests.ts'
import { payHere, sessionOf } from './paying.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, enterAdmin, makeUser, someone } from './users.ts'

test.use({ shopName: 'the shop that charges for shipping', takesMoney: true })
test.describe.configure({ mode: 'serial' })

const offers = (page: Page) => page.locator('#book-sales')
const buyButton = (page: Page) => offers(page).getByRole('button', { name: /paperback/i })
const question = (page: Page) => page.getByRole('dialog', { name: 'Where shall we send it?' })

test('the author sets prices by country; a wrong one stays in its field, and what was not added yet is saved, too', async ({
  page,
  shop,
}) => {
  await page.goto('/')
  await expect(offers(page).getByText('Ships free to your door')).toHaveCount(3)
  await expect(page.getByText('Free shipping for physical items')).toBeVisible()

  await enterAdmin(page, shop, '/admin/settings/shipping')
  const main = page.getByRole('main')
  const save = main.getByRole('button', { name: 'Save' })
  await main.getByRole('button', { name: 'Add the European Union' }).click()
  await main.getByLabel('Countries', { exact: true }).selectOption('Canada')
  await main.getByRole('button', { name: 'Add', exact: true }).click()
  const general = main.getByLabel('Shipping ($)')
  await general.fill('4,9999')
  await main.getByLabel('Another price for').selectOption('The European Union')
  await main.getByLabel('Price', { exact: true }).fill('9,000')
  await expect(main.getByRole('button', { name: 'Set price' })).toBeDisabled()
  await main.getByLabel('Price', { exact: true }).fill('USD 9')
  await page.keyboard.press('Enter')
  await expect(main.getByRole('list', { name: 'Countries of this price' })).toContainText('Sweden')
  await expect(main.getByLabel('27 countries')).toHaveValue('9.00')
  await main.getByLabel('Another price for').selectOption('Canada')
  await main.getByLabel('Price', { exact: true }).fill('12,5')
  await save.click()
  await expect(general).toBeFocused()
  await expect(general).toHaveAccessibleDescription(/Two decimals at most/)
  await general.fill('4.9')
  await save.click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(main.getByLabel('Canada', { exact: true })).toHaveValue('12.50')
  await main.getByRole('button', { name: 'Remove Sweden' }).click()
  await expect(main.getByText('Sweden: you do not ship there')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(main.getByLabel('27 countries')).toHaveValue('9.00')
  const terms = (await (await fetch(`${shop.url}/api/shipping`)).json()) as { country_prices: object }
  expect(terms).toMatchObject({ price: 4.9, country_prices: { CA: 12.5, SE: 9 }, takes_payments: true })
})

test('a visitor chooses Canada, sees the sum, and pays it; the receipt says the same', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/')
  await expect(offers(page).getByText('Plus shipping from $4.90')).toHaveCount(3)
  await expect(page.getByText('Free shipping for physical items')).toHaveCount(0)
  await buyButton(page).click()
  const dialog = question(page)
  await expect(dialog.getByLabel('Country')).toBeFocused()
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(dialog.getByLabel('Country')).toHaveAccessibleDescription('Please choose a country.')
  await dialog.getByLabel('Country').selectOption('United States')
  await expect(dialog.getByRole('status')).toContainText('$29.89')
  await dialog.getByLabel('Country').selectOption('Canada')
  await expect(dialog.getByRole('status')).toContainText('Shipping to Canada')
  await expect(dialog.getByRole('status')).toContainText('$37.49')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL('**/pay/cs_test_*')
  await expect(page.getByText('Shipping to Canada: $12.50')).toBeVisible()
  await expect(page.getByLabel('Country')).toHaveText('CA')
  await page.getByLabel('Name', { exact: true }).fill('Ruth')
  await page.getByLabel('Street').fill('7 Barley Road')
  await page.getByLabel('City').fill('Ottawa')
  await page.getByLabel('State').fill('ON')
  await page.getByLabel('Postal code').fill('K1A 0A1')
  await page.getByLabel('Phone').fill('555 0100')
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  expect(sessionOf(stripe, email)).toMatchObject({ amount_total: 3749, status: 'complete' })

  await page
    .getByRole('link', { name: /receipt/i })
    .first()
    .click()
  const paid = page.getByRole('table', { name: 'What was paid' })
  await expect(paid.getByRole('row', { name: 'Shipping to Canada' })).toContainText('$12.50')
  await expect(paid.getByRole('row', { name: 'Total paid' })).toContainText('$37.49')
  expect((await shop.mailbox.to(email, /receipt/i)).text).toMatch(/Shipping to Canada\s+\$12\.50/)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Correct address/ }).click()
  await expect(page.getByText('We ship within: Canada')).toBeVisible()
})

test('a price that changes while the question is open is shown before anything is bought', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  const { access_token } = await enterAdmin(page, shop, '/admin/settings/shipping')
  await enter(page, shop, email)
  await page.goto('/')
  await buyButton(page).click()
  const dialog = question(page)
  await dialog.getByLabel('Country').selectOption('Canada')
  const url = `${shop.url}/api/admin/settings/shipping`
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const { revision } = (await (await fetch(url, { headers })).json()) as { revision: number }
  const values = { country_prices: { CA: 15 } }
  const saved = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ revision, values }) })
  expect(saved.status).toBe(200)
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Shipping to Canada costs $15.00 now. Nothing was bought.',
  )
  await expect(dialog.getByLabel('Country')).toHaveValue('CA')
  await expect(dialog.getByRole('status')).toContainText('$39.99')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(buyButton(page)).toBeFocused()
  await buyButton(page).click()
  await dialog.getByLabel('Country').selectOption('Canada')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL('**/pay/cs_test_*')
  await expect(page.getByText('Shipping to Canada: $15.00')).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

test('a stranger is asked for address, country and consent in one place, and told what is missing', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  const { access_token } = await enterAdmin(page, shop)
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const call: Call = async (method, path, { body } = {}) =>
    fetch(shop.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const consent = { ...legalPages.consent, is_asked: true }
  const legal = filledLegal({ consent })
  expect((await publishLegal({ call }, legal)).status).toBe(200)
  await takeAsOwnBook(shop)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/')
  await offers(page)
    .getByRole('button', { name: /bundle/i })
    .click()
  const dialog = page.getByRole('dialog')
  const email = dialog.getByLabel('Email')
  const go = dialog.getByRole('button', { name: 'Continue to payment' })
  await expect(email).toBeFocused()
  await expectAccessible(page)
  await email.fill(someone())
  await go.click()
  await expect(dialog.getByLabel('Country')).toBeFocused()
  await expect(dialog.getByLabel('Country')).toHaveAccessibleDescription('Please choose a country.')
  await expectAccessible(page)
  await dialog.getByLabel('Country').selectOption('Canada')
  await expect(dialog.getByRole('status')).toContainText('Shipping to Canada')
  await go.click()
  await expect(dialog.getByRole('checkbox')).toBeFocused()
  await expect(dialog.getByText(/^Please tick the box/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('checkbox').check()
  stripe.faults.tooMany = 1
  await go.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(email).toHaveValue(/@/)
  await expectAccessible(page)
  stripe.faults.tooMany = 0
  expect(refusals(complaints)).toHaveLength(1)
  await go.click()
  await page.waitForURL('**/pay/cs_test_*')
})
