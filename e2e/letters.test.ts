// The author's letters: the box at a purchase and its button in the receipt, the page of the letters, and leaving them.
import type { Page } from '@playwright/test'
import { mailTo } from './mailing.ts'
import { offerLetters } from './offered-letters.ts'
import { part } from './part.ts'
import { payHere } from './paying.ts'
import { expect, test } from './shop.ts'
import { enter, makeUser, saveSettings, someone } from './users.ts'

test.use({ takesMoney: true, hasOwnBook: true, sendsMail: true })

const words = /^Send me letters by email from Anna Miller: news of my books, once a month/

const linkIn = (text = '') => /https?:\/\/\S+\/letters#[\w-]+/.exec(text)?.[0] ?? ''

async function confirm(page: Page, link: string) {
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Do you want these letters?' })).toBeVisible()
  await expect(page.getByText('They are sent with Letterbox')).toBeVisible()
  await page.getByRole('button', { name: 'Yes, send me letters' }).click()
  await expect(page.getByRole('heading', { name: 'You get the letters' })).toBeVisible()
}

test('a buyer asks for letters and confirms in the receipt; a visitor asks on their page and leaves', async ({
  page,
  shop,
  smtp,
}) => {
  await offerLetters(shop, 'Letterbox')
  await part(page, 'the box at a purchase is not ticked, and its button stands in the receipt', async () => {
    const email = someone()
    await page.goto('/')
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /digital/i })
      .click()
    const dialog = page.getByRole('dialog')
    const box = dialog.getByRole('checkbox', { name: words })
    await expect(box).not.toBeChecked()
    await box.check()
    await dialog.getByLabel('Email', { exact: true }).fill(email)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    const receipt = await mailTo(smtp, email, /receipt/)
    await confirm(page, linkIn(receipt.text))
    await page.reload()
    await page.getByRole('button', { name: 'Leave the list' }).click()
    await expect(page.getByRole('heading', { name: 'You have left the list' })).toBeVisible()
  })
  await part(page, 'the page mails a question, and to an address on the list the link to leave', async () => {
    const email = someone()
    const ask = async () => {
      await page.goto('/')
      await page.getByRole('contentinfo').getByRole('link', { name: 'Letters by email' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send me letters' }).click()
      await expect(page.getByRole('heading', { name: 'Please look into your mailbox' })).toBeVisible()
      await expect(page.getByText(`The email goes to ${email}.`)).toBeVisible()
    }
    await ask()
    const asked = await mailTo(smtp, email, /letters by email\?/)
    await confirm(page, linkIn(asked.text))
    await ask()
    const { text = '' } = await mailTo(smtp, email, /You get letters by email/)
    await page.goto(/https?:\/\/\S+\/emails\/[\w-]+/.exec(text)?.[0] ?? '')
    await expect(page.getByText(words)).toBeVisible()
    await page.getByRole('button', { name: 'Leave the list' }).click()
    await expect(page.getByRole('heading', { name: 'You have left the list' })).toBeVisible()
    await page.getByRole('button', { name: 'Delete my address' }).click()
    await expect(page.getByRole('heading', { name: 'Your address is deleted' })).toBeVisible()
  })
})

test('a signed-in buyer of a book on paper finds the box beside the country, and is on the list with the payment', async ({
  page,
  shop,
}) => {
  await offerLetters(shop, 'Letterbox')
  await saveSettings(shop, 'shipping', { countries: ['US', 'CA'], price: 4.9, country_prices: { CA: 15 } })
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /paperback/i })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Where shall we send it?' })
  const box = dialog.getByRole('checkbox', { name: words })
  await expect(box).not.toBeChecked()
  await box.check()
  await dialog.getByLabel('Country').selectOption('United States')
  await dialog.getByRole('button', { name: /^Continue/ }).click()
  await page.waitForURL('**/pay/cs_test_*')
  await page.getByLabel('Name', { exact: true }).fill('Ruth')
  await page.getByLabel('Street').fill('7 Barley Road')
  await page.getByLabel('City').fill('Springfield')
  await page.getByLabel('State').fill('IL')
  await page.getByLabel('Postal code').fill('62701')
  await page.getByLabel('Phone').fill('555 0100')
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await page.goto('/account')
  await expect(page.getByRole('checkbox', { name: words })).toBeChecked()
})

test.describe('without scripts', () => {
  test.use({ contextOptions: { javaScriptEnabled: false } })

  test('an address is entered, and its letters are left', async ({ page, shop, smtp }) => {
    await offerLetters(shop, 'Letterbox')
    const email = someone()
    await page.goto('/letters')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send me letters' }).click()
    await expect(page.getByRole('heading', { name: 'Please look into your mailbox' })).toBeVisible()
    await mailTo(smtp, email, /letters by email/)
  })
})
