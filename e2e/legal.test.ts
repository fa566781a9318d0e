// The legal pages and the consent of EU buyers: filled in by the author, met by a buyer.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { enter, enterAdmin, saveSession, makeUser } from './users.ts'

test.use({ shopName: 'a shop that sells to the EU' })

const isSaved = (page: Page) => expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true })

async function publish(page: Page) {
  await publishButton(page).click()
  const question = page.getByRole('dialog', { name: 'Publish these changes?' })
  await question.getByRole('button', { name: 'Publish' }).click()
}

test('an author shows legal pages; a buyer agrees to instant delivery, and finds it in the receipt', async ({
  page,
  shop,
}) => {
  const admin = await enterAdmin(page, shop, '/admin/book')
  await page.getByText('Promises and rating', { exact: true }).click()
  await page.getByLabel('Show a rating').uncheck()
  await page.getByText('Legal pages', { exact: true }).click()
  for (const name of ['Terms', 'Privacy', 'Imprint']) await page.getByLabel(`Show a page: ${name}`).check()
  await page.getByLabel('I sell to consumers in the EU: ask for their consent').check()
  await page.getByLabel('Name of the seller').fill('A Small Press')
  await page.getByLabel('Postal address').fill('1 Some Street\n12345 Town')
  await page.getByLabel('Email address for legal questions').fill('press@example.com')
  await page.getByLabel('Country whose law applies').fill('Ireland')
  await isSaved(page)
  await expect(page.getByText('Still to be filled in below: Who runs the server.')).toBeVisible()
  await page.getByText('Title and words of Imprint').click()
  await expectAccessible(page)
  await publishButton(page).click()
  await expect(page.getByText('Please fill this in: the page “Privacy” shows it.')).toBeVisible()
  await page.getByLabel('Who runs the server').fill('a host in Ireland')
  await page.getByRole('button', { name: 'Privacy', exact: true }).click()
  const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
  await expect(preview.getByText('The site and its data are kept by a host in Ireland.')).toBeVisible()
  await isSaved(page)
  await publish(page)
  await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()

  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible()
  await expect(page.getByText('The law of Ireland applies.')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible()
  await page.goto('/')

  const sales = page.locator('#book-sales')
  await expect(sales.getByText('Before you buy, please read:')).toBeVisible()
  await sales.getByRole('button', { name: /digital/i }).click()
  const question = page.getByRole('dialog', { name: 'Before you buy' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Agree and buy' }).click()
  await expect(question.getByText(/^Please tick the box/)).toBeVisible()
  await expect(question.getByRole('checkbox')).toBeFocused()
  await question.getByRole('checkbox', { name: /I lose my right of withdrawal/ }).check()
  await question.getByRole('button', { name: 'Agree and buy' }).click()
  await expect(page.getByText('Purchase Successful!')).toBeVisible()

  await page.getByRole('link', { name: /^Receipt for/ }).click()
  await expect(page.getByRole('article')).toContainText(/you agreed: “I want the digital content at once/)
  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('you agreed: “I want')

  const id = page.url().split('/').at(-1)!
  await saveSession(page, JSON.stringify(admin))
  await page.goto(`/admin/purchases/${id}/evidence`)
  await expect(page.getByRole('heading', { name: 'Consent to instant delivery' })).toBeVisible()
  await expect(page.getByText('I want the digital content at once')).toBeVisible()
})
