// Strangers who buy with an address only, in a shop that has an own book.
import type { Locator, Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { expect, type Shop } from './shop.ts'

export async function openDialog(page: Page): Promise<Locator> {
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Email')).toBeFocused()
  return dialog
}

/** One click, one field, one key: then Stripe's page. */
export async function goToPay(page: Page, email: string): Promise<void> {
  const dialog = await openDialog(page)
  await dialog.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  // Who has bought it in this browser is asked first.
  const another = dialog.getByRole('button', { name: 'Buy another' })
  await expect(async () => {
    if (await another.isVisible()) await another.click()
    expect(page.url()).toContain('/pay/cs_test_')
  }).toPass()
}

/** Their statuses, oldest first. */
export async function purchasesOf({ databaseUrl }: Shop, email: string): Promise<string[]> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ status: string }>(
    'select status from purchases join guest_checkouts g on g.purchase_id = purchases.id where g.email = $1 order by number',
    [email],
  )
  return rows.map(({ status }) => status)
}

/** As a browser does whose user blocks cookies. */
export async function refuseStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: refuse, configurable: true })
  })
}
