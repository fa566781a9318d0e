// Buying without scripts, from the home page to the file; and what the same addresses do where scripts run.
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { mailTo } from './mailing.ts'
import type { Shop } from './open-shop.ts'
import { part } from './part.ts'
import { addCode, payHere } from './paying.ts'
import { purchasesOf, refuseStorage } from './guests.ts'
import { clearStorage } from './leaving.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, makeUser, someone } from './users.ts'

test.use({ takesMoney: true, hasOwnBook: true })

const download = async (page: Page) => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  return (await (await file.createReadStream()).toArray()).length
}

async function goToPay(page: Page, email: string) {
  await page.goto('/', { waitUntil: 'load' })
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/pay/cs_test_*')
}

/** As an hour later. */
async function ageMails({ databaseUrl }: Shop, email: string) {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const query = `update mails set created_at = created_at - interval '1 hour' where recipient = $1`
  await database.pool.query(query, [email])
}

test.describe('without scripts', () => {
  test.use({ contextOptions: { javaScriptEnabled: false } })

  test('a visitor buys by address with a code, downloads, and gives it back @commit', async ({
    page,
    shop,
    complaints,
  }) => {
    await addCode(shop, 'NOSCRIPT')
    const email = someone()
    await page.goto('/purchases', { waitUntil: 'load' })
    await expect(page.locator('main').getByRole('link', { name: 'Find your purchase' })).toBeVisible()
    await page.goto('/?code=NOSCRIPT', { waitUntil: 'load' })
    await expect(page.locator('#book-sales noscript')).toBeVisible()
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /digital/i })
      .click()
    await page.waitForURL('**/buy/*')
    await page.getByText('Have a discount code?').click()
    await page.getByLabel('Discount code').fill('WRONG')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('This code is not valid, or not any more.')).toBeVisible()
    await page.getByLabel('Discount code').fill('noscript')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('NOSCRIPT is applied')).toBeVisible()
    await page.getByLabel('Email').fill('nobody@nowhere')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('nobody@nowhere')
    expect(refusals(complaints)).toHaveLength(1)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await page.waitForURL('**/purchase/*?session_id=cs_*')
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    expect(await download(page)).toBeGreaterThan(0)
    expect(await purchasesOf(shop, email)).toEqual(['completed'])

    await page
      .getByText('Refund', { exact: true })
      .or(page.getByText('Withdraw from contract here', { exact: true }))
      .first()
      .click()
    await page.getByRole('button', { name: /Confirm|Refund my purchase/ }).click()
    await expect(page.getByRole('heading', { name: 'You have withdrawn from this purchase' })).toBeVisible()
    await page.reload({ waitUntil: 'load' })
    await expect(page.getByRole('heading', { name: 'You have withdrawn from this purchase' })).toBeVisible()
  })

  test.describe('with a mail server', () => {
    test.use({ sendsMail: true })

    test('who cannot find a purchase has its receipt mailed, in place of a code', async ({
      page,
      shop,
      smtp,
    }) => {
      const email = someone()
      await page.goto('/buy/digital', { waitUntil: 'load' })
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Continue to payment' }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      await mailTo(smtp, email, /receipt/i)
      await ageMails(shop, email)
      await page.goto('/find-purchase', { waitUntil: 'load' })
      // Playwright reads no text of `noscript` itself.
      const without = page.locator('noscript:has(form)')
      await expect(without.locator('p').first()).toContainText('Signing in needs JavaScript')
      await expect(page.getByRole('link', { name: 'Email me a code' })).toBeHidden()
      await without.locator('input[type=email]').fill(email)
      await without.locator('button').click()
      await page.waitForURL('**/find-purchase/mailed')
      await expect(page.getByText('are on their way')).toBeVisible()
      const receipts = () =>
        smtp.emails.filter(
          ({ envelope, email: { subject } }) => envelope.to.includes(email) && /receipt/i.test(subject ?? ''),
        )
      await expect.poll(() => receipts().length).toBe(2)
    })
  })
})

test('a checkout’s id and the page of a product do what they should, in a browser that keeps nothing as well', async ({
  page,
  shop,
}) => {
  await part(
    page,
    'the id of the checkout leaves the address at once, and becomes the proof of a browser that has none',
    async () => {
      const email = someone()
      await goToPay(page, email)
      const payment = page.url()
      await clearStorage(page)
      await page.goto(payment, { waitUntil: 'load' })
      await payHere(page)
      await page.waitForURL(/\/purchase\/[\w-]+$/)
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      expect(await download(page)).toBeGreaterThan(0)
      await page.goto('/purchases', { waitUntil: 'load' })
      await expect(page.locator('main a[href^="/purchase/"]')).toBeVisible()
      expect(await purchasesOf(shop, email)).toEqual(['completed'])
    },
  )

  await part(
    page,
    'opening the page of a product buys nothing; its button buys into the account that is signed in',
    async () => {
      const email = await makeUser(shop)
      await page.goto('/buy/digital', { waitUntil: 'load' })
      const address = page.getByLabel('Email')
      await expect(address).toBeVisible()
      await expect(page.getByRole('button', { name: /^Buy for/ })).toBeHidden()
      const guest = someone()
      await address.fill(guest)
      await page.getByRole('button', { name: 'Continue to payment' }).click()
      await page.waitForURL('**/pay/cs_test_*')
      expect(await purchasesOf(shop, guest)).toEqual(['pending'])

      await enter(page, shop, email)
      await page.goto('/buy/digital', { waitUntil: 'load' })
      await expect(address).toBeHidden()
      await page.getByRole('button', { name: /^Buy for/ }).dblclick()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/dashboard*')
      await expect(page.getByText('Digital').first()).toBeVisible()
    },
  )

  await part(
    page,
    'a browser that keeps nothing opens its purchase as one without scripts does',
    async () => {
      await refuseStorage(page)
      await goToPay(page, someone())
      await payHere(page)
      await page.waitForURL('**/purchase/*')
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      expect(new URL(page.url()).search).toBe('')
      expect(await download(page)).toBeGreaterThan(0)
    },
  )
})
