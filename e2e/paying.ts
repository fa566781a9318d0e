// What the journeys with money have in common: the way to the page to pay at, and what Stripe has of it.
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import type { Shop } from './open-shop.ts'
import { enter, makeUser } from './users.ts'

/** From the front page to the page to pay at; `code` takes 10 percent off. */
export async function beginCheckout(page: Page, code?: string, format = /digital/i): Promise<void> {
  await page.goto(code ? `/?code=${code}` : '/')
  if (code) await page.locator('#book-sales').getByText(`${code} is applied`).waitFor()
  await page.locator('#book-sales').getByRole('button', { name: format }).click()
  await page.waitForURL('**/pay/cs_test_*')
}

/** A code for 10 percent off. */
export async function addCode({ databaseUrl }: Shop, code: string): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query(
    'insert into discount_codes (id, code, percent) values (gen_random_uuid(), $1, 10)',
    [code],
  )
}

/** A new user at the page to pay at; gives the address. */
export async function userAtCheckout(page: Page, shop: Shop, code?: string): Promise<string> {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await beginCheckout(page, code)
  return email
}

type WebhookMoment = 'before the redirect' | 'after the redirect' | 'never'

export async function payHere(
  page: Page,
  { isLost = false, webhook }: { isLost?: boolean; webhook?: WebhookMoment } = {},
) {
  if (webhook) await page.getByLabel('The shop is told').selectOption(webhook)
  await page.getByRole('button', { name: isLost ? 'Pay and lose the tab' : /^Pay (?!and lose)/ }).click()
}

/** The latest checkout of this person. */
export function sessionOf(stripe: StripeStandIn, email: string) {
  const found = [...stripe.sessions.values()].findLast((each) => each.customer_email === email)
  if (!found) throw new Error(`${email} has no checkout`)
  return found
}

/** What went back to this person, in cents. */
export function refundsOf(stripe: StripeStandIn, email: string): number[] {
  const { payment_intent } = sessionOf(stripe, email)
  return stripe.refunds.filter((each) => each.payment_intent === payment_intent).map(({ amount }) => amount)
}
