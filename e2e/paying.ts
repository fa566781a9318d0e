// What the journeys with money have in common: the way to the page to pay at, and sums beside Stripe's.
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import type { Sales } from '#contract/operations/sales.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import { enter, makeUser, signIn } from './users.ts'
import { admin, type Shop } from './shop.ts'

/** From the front page to the page to pay at; `code` takes 10 percent off. */
export async function beginCheckout(page: Page, code?: string, format = /digital/i): Promise<void> {
  await page.goto(code ? `/?code=${code}` : '/')
  if (code) await page.getByText(`${code} takes 10% off`).waitFor()
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

/** Money that has come and stayed, and for how many checkouts some have. */
export function standInTotals({ sessions, refunds }: StripeStandIn) {
  const paid = [...sessions.values()].filter(({ status }) => status === 'complete')
  const kept = paid.map(({ payment_intent, amount_total }) => {
    const back = refunds.filter((each) => each.payment_intent === payment_intent)
    return amount_total - back.reduce((sum, { amount }) => sum + amount, 0)
  })
  const revenue = kept.reduce((sum, cents) => sum + cents, 0) / 100
  return { revenue, completed: kept.filter((cents) => cents > 0).length }
}

export async function adminTotals(shop: Shop): Promise<Sales['totals']> {
  const { access_token } = await signIn(shop, admin)
  const headers = { authorization: `Bearer ${access_token}` }
  return ((await (await fetch(`${shop.url}/api/admin/sales`, { headers })).json()) as Sales).totals
}

/** What went back to this person, in cents. */
export function refundsOf(stripe: StripeStandIn, email: string): number[] {
  const { payment_intent } = sessionOf(stripe, email)
  return stripe.refunds.filter((each) => each.payment_intent === payment_intent).map(({ amount }) => amount)
}
