// Payments that do not fit their purchase: what the buyer is told meanwhile, and the author's ways to see to them.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { beginCheckout, payHere, sessionOf } from './paying.ts'
import { enter, enterAdmin, makeUser } from './users.ts'
import { expect, test, type Shop } from './shop.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'

test.use({ shopName: 'the shop where payments do not fit', takesMoney: true })

const title = "Nine P's that Change Everything"

test('a held payment is accepted at what was really paid, and the buyer has the book', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await payWrong(page, shop, stripe, { amount_subtotal: 999, amount_total: 999 })
  await expect(bought(page)).toContainText('pending')
  await expect(bought(page)).toContainText('Your payment arrived but does not match this purchase.')
  await expect(page.getByRole('button', { name: 'Continue payment' })).toHaveCount(0)

  await enterAdmin(page, shop)
  await expect(page.getByRole('main')).toContainText('A payment does not match its purchase')
  await page.getByRole('link', { name: /^Needs attention/ }).click()
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  const need = waiting(page, email)
  await expect(need).toContainText('The payment is for $9.99, the purchase for $14.99.')
  await expectAccessible(page)
  await need.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Nothing has changed')).toBeVisible()

  await need.getByRole('button', { name: 'Accept as paid' }).click()
  const question = page.getByRole('dialog', { name: 'Accept $9.99?' })
  await expect(question).toContainText(`${email} gets the book and the receipt.`)
  await question.getByRole('button', { name: 'Accept as paid' }).click()
  await expect(page.getByText('Accepted as paid')).toBeVisible()
  await expect(need).toHaveCount(0)

  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('$9.99')
  await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(bought(page)).toContainText('completed')
  await expect(bought(page)).toContainText('$9.99')
  await expect(page.getByRole('button', { name: new RegExp(`^Download EPUB .*: ${title}$`) })).toBeVisible()
})

test('what is not in the shop’s currency is given back, and the buyer is told', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await payWrong(page, shop, stripe, { currency: 'eur' })
  await enterAdmin(page, shop, '/admin/payments')
  const need = waiting(page, email)
  await expect(need).toContainText('€14.99')
  await expect(need.getByRole('button', { name: 'Accept as paid' })).toHaveCount(0)
  await need.getByRole('button', { name: 'Refund the buyer' }).click()
  const question = page.getByRole('dialog', { name: 'Refund €14.99?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  expect(stripe.refunds.filter(({ payment_intent }) => payment_intent === intentOf(stripe, email))).toEqual(
    [],
  )

  await need.getByRole('button', { name: 'Refund the buyer' }).click()
  await question.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByText('Refund on its way')).toBeVisible()
  expect((await shop.mailbox.to(email, /refund/i)).text).toContain('€14.99')
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Needs attention', exact: true })).toBeVisible()
    await expect(need).toHaveCount(0, { timeout: 5_000 })
  }).toPass()
  expect(stripe.refunds).toContainEqual(
    expect.objectContaining({ payment_intent: intentOf(stripe, email), amount: 1499 }),
  )

  await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(bought(page)).toContainText('canceled')
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
})

test('what was settled elsewhere is dismissed with a note, and the note is kept', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await payWrong(page, shop, stripe, { amount_subtotal: 1999, amount_total: 1999 })
  await enterAdmin(page, shop, '/admin/payments')
  const need = waiting(page, email)
  await need.getByRole('button', { name: 'Dismiss' }).click()
  const question = page.getByRole('dialog', { name: 'Dismiss this?' })
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await expect(question.getByLabel('What you did about it')).toBeFocused()
  await expectAccessible(page)
  await question.getByLabel('What you did about it').fill('Sent the difference by hand')
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Dismissed', { exact: true })).toBeVisible()
  await expect(need).toHaveCount(0)

  await page.goto('/admin/audit')
  await page.getByText('Details').first().click()
  await expect(page.getByRole('main')).toContainText('Sent the difference by hand')
  await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(bought(page)).toContainText('This purchase was closed.')

  await enterAdmin(page, shop, '/admin/purchases')
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').first().click()
  await expect(page.getByRole('main')).toContainText('A payment of $19.99 was held')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Accept after all' }).click()
  const accepting = page.getByRole('dialog', { name: 'Accept $19.99 after all?' })
  await accepting.getByRole('button', { name: 'Accept as paid' }).click()
  await expect(page.getByText('Accepted as paid')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Accept after all' })).toHaveCount(0)
})

const bought = (page: Page) => page.getByRole('listitem').filter({ hasText: title })
const waiting = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email })
const intentOf = (stripe: StripeStandIn, email: string) => sessionOf(stripe, email).payment_intent

/** A buyer pays another amount than the shop asked for, and opens the dashboard. */
async function payWrong(page: Page, shop: Shop, stripe: StripeStandIn, wrong: object): Promise<string> {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await beginCheckout(page)
  Object.assign(sessionOf(stripe, email), wrong)
  await payHere(page, { isLost: true })
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeVisible()
  await expect(async () => {
    await page.goto('/dashboard')
    await expect(bought(page)).toContainText('does not match', { timeout: 5_000 })
  }).toPass()
  return email
}
