// What visitors see who buy an own book by address alone: dialogs, the page of the order, withdrawals.
import { filledLegal, publishBook } from '#test/legal.ts'
import { legalPages } from '#content/legal-pages.ts'
import type { Page } from '@playwright/test'
import { goToPay, openDialog, refuseStorage } from './guests.ts'
import { clearStorage } from './leaving.ts'
import { mailTo, signInByCode } from './mailing.ts'
import { payHere, sessionOf } from './paying.ts'
import { giveFactorTo } from './factors.ts'
import { testScreenStates } from './screen-states.ts'
import { expect, test, visitHydrated } from './shop.ts'
import { ageProof, callAsAdmin, enter, enterAdmin, makeUser, saveSettings, someone } from './users.ts'

test.use({ takesMoney: true, hasOwnBook: true })

async function buyAsGuest(page: Page): Promise<string> {
  const email = someone()
  await goToPay(page, email)
  await payHere(page)
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  return email
}

const label = 'Withdraw from contract here'

testScreenStates('buying by address @commit', {
  'buying by address': async function* ({ page }) {
    const dialog = await openDialog(page)
    await dialog.getByLabel('Email').fill('nobody@nowhere')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible()
    yield 'a wrong address'
    await dialog.getByLabel('Email').fill('ruth@gmial.com')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Did you mean ruth@gmail.com?')).toBeVisible()
    yield 'a likely typo'
    await dialog.getByLabel('Email').fill(someone())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    yield 'the page of the order'
    await page.getByRole('button', { name: 'Make a link' }).click()
    await expect(page.getByLabel('Link to your order')).toBeFocused()
    yield 'a link for other devices'
    await page.goto('/purchases')
    await expect(page.getByRole('heading', { name: 'Your purchases' })).toBeVisible()
    yield 'the purchases of this browser'
    await page.goto('/withdraw')
    await expect(page.getByRole('heading', { name: 'Bought in this browser' })).toBeVisible()
    yield 'what can be withdrawn from in this browser'
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click()
    await page.getByRole('button', { name: label }).click()
    await expect(page.getByRole('dialog', { name: 'Withdraw from the contract?' })).toBeVisible()
    yield 'withdraw from the contract?'
  },
})

testScreenStates('buying by address, on paper and where payments are held', {
  'a book on paper for the European Union': async function* ({ page, shop }) {
    await saveSettings(shop, 'shipping', {
      countries: ['DE', 'AT'],
      price: 4,
      country_prices: { AT: 6 },
      delivery_days_min: 3,
      delivery_days_max: 5,
    })
    await enterAdmin(page, shop, '/admin')
    const lack = page
      .getByRole('listitem')
      .filter({ hasText: 'The notice on the legal guarantee is missing' })
    await lack.getByRole('link', { name: 'Add it' }).click()
    await expect(page.getByRole('heading', { name: 'Notice on the legal guarantee' })).toBeVisible()
    const drawn =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842"><rect width="595" height="150" fill="#0b4f9e"/></svg>'
    const bring = (content: string) =>
      page
        .getByLabel('The notice in English', { exact: true })
        .setInputFiles({ name: 'notice.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(content) })
    await bring('%PDF-1.7')
    await expect(page.getByRole('alert').filter({ hasText: 'This is a PDF' })).toBeVisible()
    yield 'a file that is not the notice'
    await bring(drawn)
    await expect(page.getByRole('img', { name: 'The notice in English' })).toBeVisible()
    yield 'the notice among the settings'
    await clearStorage(page)
    const notice = 'The European Union’s notice on the legal guarantee of conformity'
    await page.goto('/buy/paperback')
    const shown = page.getByRole('img', { name: notice })
    await expect(shown).toBeVisible()
    expect(await shown.evaluate((image) => image.clientWidth)).toBeGreaterThanOrEqual(280)
    await expect(page.getByText(/^Delivered in 3.–.5 working days$/)).toBeVisible()
    yield 'the page of a book on paper'
    await page.goto('/')
    const sales = page.locator('#book-sales')
    await sales.getByRole('button', { name: /paperback/i }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('img', { name: notice })).toBeVisible()
    yield 'the dialog of a book on paper'
    await page.goto('/')
    await sales.getByText(notice).click()
    await expect(sales.getByRole('img', { name: notice })).toBeVisible()
    yield 'the notice beneath the cards'
    await enterAdmin(page, shop, '/admin/settings/shipping')
    await page.getByRole('button', { name: 'Remove the notice' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText('Notice removed')).toBeVisible()
  },

  'payments that were held or went back': async function* ({ page, stripe }) {
    const held = someone()
    await goToPay(page, held)
    const session = sessionOf(stripe, held)
    session.amount_subtotal = session.amount_total = 100
    await payHere(page)
    await expect(
      page.getByRole('heading', { name: 'The author has to look at this payment first' }),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: 'Write to the author' })).toBeVisible()
    yield 'held for the author'
    await clearStorage(page)
    const email = await buyAsGuest(page)
    stripe.refund(sessionOf(stripe, email).payment_intent as string)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'This purchase was refunded' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
    yield 'closed'
  },

  'a browser that keeps nothing': async function* ({ shop, chrome }) {
    await using context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
    const page = visitHydrated(await context.newPage())
    await refuseStorage(page)
    const dialog = await openDialog(page)
    await dialog.getByLabel('Email').fill(someone())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    yield ['after the payment', page]
  },

  'a book on paper, with consent': async function* ({ page, shop, stripe }) {
    await saveSettings(shop, 'shipping', {
      countries: ['US', 'CA'],
      price: 4.9,
      country_prices: { CA: 12.5 },
    })
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    const offers = page.locator('#book-sales')
    await offers.getByRole('button', { name: /paperback/i }).click()
    await page.getByRole('dialog').getByLabel('Country').selectOption('Canada')
    await expect(page.getByRole('dialog').getByRole('status').first()).toContainText('$37.49')
    yield 'the sum with shipping'
    const consent = { ...legalPages.consent, is_asked: true }
    const call = await callAsAdmin(shop)
    expect((await publishBook({ call }, { legal: filledLegal({ consent }) })).status).toBe(200)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/')
    await offers.getByRole('button', { name: /bundle/i }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Email')).toBeFocused()
    yield 'address, country and consent'
    await dialog.getByLabel('Email').fill(someone())
    const go = dialog.getByRole('button', { name: 'Continue to payment' })
    await go.click()
    await expect(dialog.getByLabel('Country')).toHaveAccessibleDescription('Please choose a country.')
    yield 'no country'
    await dialog.getByLabel('Country').selectOption('Canada')
    await go.click()
    await expect(dialog.getByText(/^Please tick the box/)).toBeVisible()
    yield 'no consent'
    await dialog.getByRole('checkbox').check()
    stripe.faults.tooMany = 1
    await go.click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    yield 'Stripe is away'
    stripe.faults.tooMany = 0
  },
})

test.describe('with a mail server', () => {
  test.use({ sendsMail: true })

  testScreenStates('emails to who bought by address', {
    'an order whose emails are sent': async function* ({ chrome, shop, smtp }) {
      await using context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
      const buyer = visitHydrated(await context.newPage())
      const email = await buyAsGuest(buyer)
      await buyer.getByRole('button', { name: 'Correct the email address' }).click()
      await expect(buyer.getByRole('dialog', { name: 'Correct the email address' })).toBeVisible()
      yield ['correct the address', buyer]
      const { text = '' } = await mailTo(smtp, email, /receipt/i)
      await buyer.goto(/http\S+\/receipt#[\w-]{43}/.exec(text)![0])
      await expect(buyer.getByRole('heading', { name: 'Receipt', exact: true })).toBeVisible()
      yield ['the receipt', buyer]
    },

    'an account by a mailed code': async function* ({ page, shop, smtp }) {
      const email = await makeUser(shop)
      await giveFactorTo(shop, email)
      await signInByCode(page, smtp, email)
      await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
      yield 'its second factor'
      const buyer = await buyAsGuest(page)
      await page.evaluate(() => localStorage.clear())
      await signInByCode(page, smtp, buyer)
      await page.waitForURL('**/dashboard')
      await ageProof(shop, buyer)
      await page.goto('/account/data')
      const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await dialog.getByRole('button', { name: 'Email me a code' }).click()
      await expect(dialog.getByText(`A code is on its way to ${buyer}.`)).toBeVisible()
      yield 'confirm it’s you'
    },

    'a withdrawal by the form': async function* ({ page, shop, smtp }) {
      const email = await buyAsGuest(page)
      await page.evaluate(() => localStorage.clear())
      await page.goto('/withdraw')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByLabel('Name')).toBeFocused()
      yield 'the form'
      await page.getByLabel('Name').fill('Ruth')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Order number').fill('the ebook, today')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Withdraw from the contract?' })).toBeFocused()
      yield 'what is declared'
      await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
      await expect(page.getByRole('heading', { name: 'We have received your withdrawal' })).toBeFocused()
      yield 'received'
      const declare = (order: string) =>
        fetch(`${shop.url}/api/withdrawals`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          body: JSON.stringify({ name: 'Ruth', email: 'nobody@example.com', order }),
        })
      expect((await declare('#999999')).ok).toBe(true)
      const { text = '' } = await mailTo(smtp, email, /received your withdrawal$/)
      await page.goto(/http\S+\/withdraw#[\w-]{43}/.exec(text)![0])
      await expect(page.getByRole('heading', { name: 'Confirm your withdrawal' })).toBeVisible()
      yield 'confirm your withdrawal'
      await enterAdmin(page, shop, '/admin/payments')
      const need = page.getByRole('listitem').filter({ hasText: email }).first()
      await expect(need).toContainText('A withdrawal that is not confirmed')
      const unmatched = page
        .getByRole('listitem')
        .filter({ hasText: 'A withdrawal that fits no order' })
        .first()
      await unmatched.getByText('Open the list').click()
      yield 'the author’s list of what is not proven and what fits no order'
      await page.evaluate(() => localStorage.clear())
      await page.goto('about:blank', { waitUntil: 'load' })
      await page.goto(/http\S+\/withdraw#[\w-]{43}/.exec(text)![0])
      await page.getByRole('button', { name: /^Confirm withdrawal/ }).click()
      await expect(page.getByRole('heading', { name: 'Your withdrawal has taken effect' })).toBeVisible()
      await page.reload()
      await expect(page.getByText('and your withdrawal has taken effect')).toBeVisible()
      yield 'has taken effect'
    },
  })
})
