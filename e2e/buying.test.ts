// The main job: a visitor becomes a user with the book in hand.
import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import type { Page } from '@playwright/test'
import { buy as buyOverHttp, enter, fillSignUp, linksTo, makeUser, password } from './users.ts'
import { expect, test } from './shop.ts'

test('a visitor signs up, confirms by mail, buys, gets the mail, and saves a file that opens', async ({
  page,
  shop,
}) => {
  const email = 'new.user@example.com'
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
    "Nine P's that Change Everything",
  )

  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await expect(page.getByText('Please sign in to purchase this product')).toBeVisible()
  await expect(page).toHaveURL(/\/auth/)

  await fillSignUp(page, email)
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page.getByText('Please check your email to verify your account.')).toBeVisible()
  await page.goto((await linksTo(shop, email, /confirm/i))[0]!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/#book-sales`)
  expect(await sessionFields(page)).toEqual(
    expect.arrayContaining([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]),
  )

  const buy = page.locator('#book-sales').getByRole('button', { name: /digital/i })
  await buy.click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expect(
    page.getByText(
      "You have successfully purchased Nine P's that Change Everything. Check your email for download instructions.",
    ),
  ).toBeVisible()
  await page.waitForURL('**/dashboard')

  const receipt = await shop.mailbox.to(email, /receipt/i)
  expect(receipt.text).toContain('$14.99')
  expect(receipt.text).toContain(`${shop.url}/dashboard`)

  await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: "Nine P's that Change Everything" })
  await expect(row).toContainText('$14.99')
  await expect(row).toContainText('completed')

  const saved = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download EPUB \(\d+ kB\): Nine P's/ }).click()
  await expect(page.getByText("Downloading Nine P's that Change Everything...")).toBeVisible()
  const file = await saved
  expect(file.suggestedFilename()).toBe("Nine P's that Change Everything.epub")
  const epub = unzipSync(await readFile(await file.path()))
  expect(new TextDecoder().decode(epub['mimetype'])).toBe('application/epub+zip')

  const savedPdf = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download PDF/ }).click()
  const pdf = await readFile(await (await savedPdf).path())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

  const places: string[] = []
  page.on('framenavigated', (frame) => places.push(frame.url()))
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out')).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)
  expect(places).toEqual([`${shop.url}/`])
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('a second copy is asked about first, and a physical one is promised, not downloaded', async ({
  page,
  shop,
}) => {
  const email = 'gift.giver@example.com'
  await page.goto('/auth?next=%2F%23book-sales')
  await fillSignUp(page, email)
  await page.goto((await linksTo(shop, email, /confirm/i))[0]!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()

  const buy = page.locator('#book-sales').getByRole('button', { name: /paperback/i })
  await buy.click()
  await expect(page.getByText('We will process your order shortly.')).toBeVisible()
  await page.waitForURL('**/dashboard')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)

  await page.getByRole('link', { name: 'Back to Home' }).click()
  await buy.click()
  const question = page.getByRole('dialog', { name: 'You have this one already' })
  await question.getByRole('button', { name: 'Keep the one I have' }).click()
  await page.goto('/dashboard')
  await expect(page.getByRole('listitem')).toHaveCount(1)

  await page.goto('/')
  await buy.click()
  await question.getByRole('button', { name: 'Buy another' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('listitem')).toHaveCount(2)
})

test('what came in a bundle is asked about, too', async ({ page, shop }) => {
  await buyOverHttp(shop, await enter(page, shop, await makeUser(shop)), 'bundle')
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  const question = page.getByRole('dialog', { name: 'You have this one already' })
  await expect(question).toContainText('is part of what you bought.')
})

test('the good news stands for two seconds before the dashboard comes', async ({ page, shop }) => {
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  // By the page's own clock: seen from here, both ends would come late, and unevenly so.
  const stood = page.evaluate(async () => {
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
      return performance.now()
    }
    const notices = [...document.querySelectorAll('[role=status]')]
    const noticedAt = await until(() =>
      notices.some((each) => each.textContent.includes('Purchase Successful!')),
    )
    return (await until(() => location.pathname !== '/')) - noticedAt
  })
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await page.waitForURL('**/dashboard')
  // Less than two seconds: a busy page looks late for the notice.
  expect(await stood).toBeGreaterThan(1_500)
})

test('a user who presses Buy signed out is led back to the formats by the sign-in', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await page.goto('/')
  await page.getByRole('button', { name: 'Buy Paperback' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${shop.url}/#book-sales`)
  await expect(page.getByRole('button', { name: 'Buy Paperback' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Buy Paperback' })).toBeEnabled()
})

test('three quick clicks buy once', async ({ page, shop }) => {
  await enter(page, shop, await makeUser(shop))
  let posts = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/purchases')) posts += 1
  })
  await page.goto('/')
  const buy = page.locator('#book-sales').getByRole('button', { name: /digital/i })
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await buy.click({ clickCount: 3 })
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(posts).toBe(1)
})

function sessionFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const stored = Object.values(localStorage).find((value) => String(value).includes('access_token'))
    return Object.keys(JSON.parse(String(stored)) as object)
  })
}
