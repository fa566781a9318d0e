// A visitor who has to sign in first comes back to the chosen product.
import type { Page } from '@playwright/test'
import { part } from './part.ts'
import { expect, test, type Shop } from './shop.ts'
import { expectToast } from './toast.ts'
import { fillSignUp, linksTo, makeUser, password, someone } from './users.ts'

const marked = (page: Page) => page.locator('#book-sales li[data-chosen]')

test('sign-in, sign-up and links of emails lead back to the chosen product', async ({
  page,
  shop,
  chrome,
}) => {
  await part(
    page,
    'sign-in and sign-up name the chosen product, also after a reload; after the sign-in it is marked, its button focused, and nothing bought',
    async () => {
      const chosen = page.getByRole('region', { name: 'The product you chose' })
      await test.step('none is named that is not for sale', async () => {
        const next = `/?product=${crypto.randomUUID()}&price=1#book-sales`
        await page.goto(`/auth?next=${encodeURIComponent(next)}`)
        await expect(page.getByRole('tabpanel', { name: 'Sign In' })).toBeVisible()
        await expect(chosen).toBeHidden()
      })

      const email = await makeUser(shop)
      const purchases = countPurchases(page)
      await chooseBundle(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText("Nine P's that Change Everything")
      await expect(
        page.getByText('Sign in to access your purchases and downloads', { exact: true }),
      ).toBeVisible()
      await expect(page.getByRole('tab')).toHaveText(['Sign In', 'Sign Up'])
      await expect(chosen).toContainText('Bundle · $49.97')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expect(chosen).toContainText('Bundle · $49.97')
      await page.reload()
      await expect(chosen).toContainText('Bundle · $49.97')
      await page.getByRole('tab', { name: 'Sign In' }).click()
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await expect(chosen).toContainText('Bundle · $49.97')
      await page.getByRole('button', { name: 'Back to Sign In' }).click()

      await test.step('the sign-in leads back to it', async () => {
        const form = page.getByRole('tabpanel', { name: 'Sign In' })
        await form.getByLabel('Email').fill(email)
        await form.getByLabel('Password', { exact: true }).fill(password)
        await form.getByRole('button', { name: 'Sign In' }).click()
        await expectMarkedBundle(page, shop)
        expect(purchases()).toBe(0)
      })

      // It is told once: a reload shows the page as everyone has it.
      await page.reload()
      await expect(marked(page)).toHaveCount(0)
    },
  )

  await part(
    page,
    'after the sign-up the link in the mail leads back to the product, on another device too',
    async () => {
      const email = someone()
      await chooseBundle(page)
      await fillSignUp(page, email)
      await expect(page.getByRole('heading', { name: 'Your account is not confirmed yet' })).toBeVisible()
      await page.getByRole('button', { name: 'Write the email again' }).click()

      const links = await linksTo(shop, email, /confirm/i, 2)
      const device = await chrome.newContext({ baseURL: shop.url })
      const other = await device.newPage()
      const purchases = countPurchases(other)
      await other.goto(links[1]!)
      await other.getByRole('button', { name: 'Confirm my email and sign in' }).click()
      await expectMarkedBundle(other, shop)
      expect(purchases()).toBe(0)
      await device.close()
    },
  )

  await part(
    page,
    'a new password, and a mail about an account that exists, lead back to the product as well',
    async () => {
      const email = await makeUser(shop)
      await chooseBundle(page)
      await fillSignUp(page, email)
      const mail = await shop.mailbox.to(email, /already have an account/)
      await page.goto(mail.text!.match(/http\S+\/auth[^\s\]]*/)![0])
      await expect(page.getByRole('region', { name: 'The product you chose' })).toContainText('Bundle')

      await page.getByRole('button', { name: 'Forgot password?' }).click()
      // The field of the sign-in form may not be hidden yet.
      const forgotten = page.getByRole('form', { name: 'Forgot your password?' })
      await forgotten.getByLabel('Email').fill(email)
      await forgotten.getByRole('button', { name: 'Send the link' }).click()
      const [link] = await linksTo(shop, email, /password/i)
      await page.goto(link!)
      await page.getByRole('button', { name: 'Choose a new password' }).click()
      await page.getByRole('textbox', { name: 'New password' }).fill('nine better words')
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await expectMarkedBundle(page, shop)
    },
  )
})

async function chooseBundle(page: Page) {
  await page.goto('/')
  await page.getByRole('button', { name: 'Buy Bundle' }).click()
  await expectToast(page, 'Authentication Required', 'Please sign in to purchase this product')
  await expect(page).toHaveURL(/\/auth\?next=%2F%3Fproduct%3D[0-9a-f-]{36}%23book-sales$/)
}

async function expectMarkedBundle(page: Page, shop: Shop) {
  await expect(page).toHaveURL(`${shop.url}/#book-sales`)
  await expect(marked(page)).toHaveCount(1)
  await expect(marked(page)).toContainText('You chose this one.')
  const button = marked(page).getByRole('button', { name: 'Buy Bundle' })
  await expect(button).toBeFocused()
  await expect(button).toHaveAccessibleDescription(/You chose this one/)
  await expect(button).toBeInViewport()
}

function countPurchases(page: Page): () => number {
  let made = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/purchases')) made += 1
  })
  return () => made
}
