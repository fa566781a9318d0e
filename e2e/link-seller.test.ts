// Link as the seller of files: the setting, what buyers read before they pay, the receipt, the order and the sales.
import type { Locator } from '@playwright/test'
import { setTimeout } from 'node:timers/promises'
import { part } from './part.ts'
import { payHere, sessionOf } from './paying.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, enterAdmin, makeUser, saveSettings, someone } from './users.ts'

// The choice of the tax in the prices is not taken back.
test.use({ shopName: 'the shop where Link sells', takesMoney: true, hasOwnBook: true, sendsMail: true })

const ofLink = /Link, a company of Stripe/
const ofAuthor = /We refund you|Paid after refunds|\bby Nicky/

async function expectSeller(shown: Locator): Promise<void> {
  await expect(shown.getByText(ofLink).first()).toBeVisible()
  await expect(shown.getByText(ofAuthor)).toHaveCount(0)
}

test('the author has Link sell files; buyers read it before they pay, and the order keeps it', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  await part(page, 'the setting says what it means, and Stripe’s refusal in its words', async () => {
    stripe.managedPayments.isAvailable = false
    await enterAdmin(page, shop, '/admin/settings/tax')
    await page.getByLabel('Tax in your prices').selectOption('included')
    await page.getByLabel('Who sells files (beta)').selectOption('stripe')
    const meaning = page.getByRole('status', { name: 'What it means that Link sells' })
    for (const said of ['more than 80 countries', '60 days', 'VAT ID', '3.5 %', 'No real account has sold'])
      await expect(meaning).toContainText(said)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('You must accept the Managed Payments terms of service')).toBeVisible()
    expect(refusals(complaints)).toHaveLength(1)
    stripe.managedPayments.isAvailable = true
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
  })

  await part(page, 'a guest reads it in the dialog and on the page of the file', async () => {
    await page.goto('/')
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /digital/i })
      .click()
    await expectSeller(page.getByRole('dialog'))
    await page.goto('/buy/digital')
    await expectSeller(page.getByRole('main'))
    await page.goto('/buy/paperback')
    await expect(page.getByRole('main').getByText(ofLink)).toHaveCount(0)
    await page.goto('/buy/digital')
    await page.getByLabel('Email', { exact: true }).fill(someone())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cs_test_*')
    await expect(page.getByText('Sold through Link')).toBeVisible()
  })

  await part(
    page,
    'who is signed in reads it, and the receipt, the order and the sales keep it',
    async () => {
      const email = await makeUser(shop)
      await enter(page, shop, email)
      await page.goto('/')
      const cards = page.locator('#book-sales')
      await expect(cards.getByText('Sold by Link, a company of Stripe')).toHaveCount(1)
      await cards.getByRole('button', { name: /digital/i }).click()
      await page.waitForURL('**/pay/cs_test_*')
      const asked = page.waitForRequest('**/receipt')
      const confirmed = page.waitForResponse('**/settle')
      // The payment is confirmed while the receipt is on its way.
      await page.route('**/settle', async (route) => {
        await asked
        await route.continue()
      })
      await page.route('**/receipt', async (route) => {
        await confirmed
        await setTimeout(300)
        await route.continue()
      })
      await payHere(page)
      await page.waitForURL('**/dashboard*')
      await saveSettings(shop, 'tax', { digital_seller: 'author' })
      const session = sessionOf(stripe, email)
      expect(session.managed_payments).toEqual({ enabled: true })
      await page
        .getByRole('link', { name: /receipt/i })
        .first()
        .click()
      await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
      await expectSeller(page.getByRole('article'))
      await expect(page.getByText('Link has sent you its receipt and the invoice by email.')).toBeVisible()
      await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
      await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
      await expectSeller(page.getByRole('main'))
      await expect(page.getByText(/of this, Link’s tax: \$1\.11; without it \$13\.88/)).toBeVisible()
      await page.goto('/admin/sales')
      await expect(page.getByText(/Of this revenue, Link’s tax: \$/)).toBeVisible()
    },
  )
})
