// An author opens the shop with the book's own file, and a reader buys it.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { payHere } from './paying.ts'
import { expect, type Shop } from './shop.ts'
import { fillSignUp, linksTo, someone } from './users.ts'

export const book = 'songs-of-the-road.epub'
const title = 'Songs of the Road'

/** From the first step of the setup to the open shop. */
export async function openWithOwnBook(page: Page, file = book, name = title) {
  const next = () => page.getByRole('button', { name: 'Continue' }).click()
  const heading = (name: string) => expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
  await heading('Bring your book')
  await page
    .getByLabel('Your book', { exact: true })
    .setInputFiles(fileURLToPath(new URL(`../test/books/${file}`, import.meta.url)))
  await expect(page.getByLabel('Title', { exact: true }).first()).toHaveValue(name)
  const description = page.getByLabel('Description', { exact: true })
  if ((await description.inputValue()) === '') await description.fill('Readings for the road.')
  await next()
  await heading('Formats and prices')
  await page.getByRole('checkbox', { name: 'Digital' }).check()
  await page.getByLabel('Digital price').fill('7')
  await next()
  await heading('Mail, payments, time zone')
  await next()
  await heading('Open your shop')
  await page.getByRole('button', { name: /^Open (the shop|all the same)$/ }).click()
  await heading('Your shop is open')
}

/** From the sign-up to the dashboard, paid at Stripe. */
export async function buyOwnBook(page: Page, shop: Shop) {
  const email = someone()
  await page.goto('/auth?next=%2F%23book-sales')
  await fillSignUp(page, email)
  await page.goto((await linksTo(shop, email, /confirm/i))[0]!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await page.waitForURL('**/pay/cs_test_*')
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('completed')
  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('7.00')
}
