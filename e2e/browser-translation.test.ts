// A page that the browser translates: every text node is another one, and each form and the purchase work all the same.
import { accountTexts } from '#words/account.ts'
import { goToPay, takeAsOwnBook } from './guests.ts'
import { payHere } from './paying.ts'
import { expect, refusals, test } from './shop.ts'
import { translate } from './translate.ts'
import { enter, fillSignUp, makeUser, someone } from './users.ts'

test.use({ shopName: 'the shop whose pages are translated', takesMoney: true })

test.beforeAll(({ shop }) => takeAsOwnBook(shop))
test.beforeEach(({ page }) => translate(page))

test('a message is refused, corrected and sent', async ({ page, complaints }) => {
  await page.goto('/')
  await expect(page.locator('font').first()).toBeAttached()
  const form = page
    .getByRole('form')
    .filter({ has: page.getByLabel('Message') })
    .or(page.locator('form:has(textarea)'))
  await form.getByLabel('Name').fill('Ruth')
  await form.getByLabel('Email').fill('nobody@nowhere')
  await form.getByLabel('Subject').fill('On the fourth word')
  await form.getByLabel('Message', { exact: true }).fill('Is protection a promise?')
  await form.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await form.getByLabel('Email').fill('ruth@example.com')
  await form.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Send Message' })).toBeEnabled()
  expect(refusals(complaints).length).toBeLessThanOrEqual(1)
})

test('who signs up, mistypes the password and signs in sees each outcome, and the account', async ({
  page,
  shop,
  complaints,
}) => {
  await page.goto('/auth')
  await fillSignUp(page, someone())
  await expect(page.getByText('Account Created!')).toBeVisible()
  const email = await makeUser(shop)
  await page.goto('/auth')
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill('a wrong password')
  await form.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Sign In Failed')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(/a link to a new password/)).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
  await enter(page, shop, email)
  await page.goto('/account')
  await page.getByLabel('Display name').fill('Ruth Brook')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('Name Saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' }).first()).toBeEnabled()
})

test('a stranger buys with an address only, downloads, and finds the purchase again', async ({ page }) => {
  await page.goto('/preview')
  await expect(page.getByRole('heading').first()).toBeVisible()
  const email = someone()
  await goToPay(page, email)
  await payHere(page)
  await page.waitForURL('**/purchase/*')
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  expect(file.suggestedFilename()).toContain('.')
  await page.goto('/find-purchase')
  await page.getByLabel('Your name').or(page.getByLabel('Name')).first().fill('Ruth')
  await page.getByLabel('Email').first().fill(email)
  await page.locator('form button[type=submit]').click()
  await expect(page.getByText(accountTexts.findPurchase.sent)).toBeVisible()
})
