// A payment that does not fit its purchase: the buyer pays another amount than the shop asked for.
import { expect, type Page } from '@playwright/test'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import type { Shop } from './open-shop.ts'
import { beginCheckout, payHere, sessionOf } from './paying.ts'
import { enter, makeUser } from './users.ts'

/** The address of the buyer, whose dashboard is open then. */
export async function payWrong(
  page: Page,
  shop: Shop,
  stripe: StripeStandIn,
  wrong: object,
): Promise<string> {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await beginCheckout(page)
  Object.assign(sessionOf(stripe, email), wrong)
  await payHere(page, { isLost: true })
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeVisible()
  await expect(async () => {
    await page.goto('/dashboard')
    await expect(
      page.getByRole('listitem').filter({ hasText: "Nine P's that Change Everything" }),
    ).toContainText('does not match', { timeout: 5_000 })
  }).toPass()
  return email
}
