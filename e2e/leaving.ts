// Leaving a page: for an address where no script runs, and for the sign-in, where the app leads who is signed out.
import { expect, type Page } from '@playwright/test'

/** The address has the shop's storage. A page that is just being led elsewhere interrupts the way there. */
export async function leaveScripts(page: Page): Promise<void> {
  await expect(() => page.goto('/robots.txt', { waitUntil: 'load' })).toPass()
}

/** As in another browser. */
export async function clearStorage(page: Page): Promise<void> {
  await leaveScripts(page)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

/** The app changes the address before it loads the page there. */
export async function expectSignInPage(page: Page, address: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
}
