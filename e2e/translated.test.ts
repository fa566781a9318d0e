// A book in another language: its pages have no English text of the shop, their buttons hold their words, and it is bought.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { readTexts } from './own-words.ts'
import { payHere } from './paying.ts'
import { expect, refusals, test } from './shop.ts'
import { createFindEnglish, createSay, findClipped, openIn, setDigitalPrice } from './translations.ts'
import { enter, makeUser, someone } from './users.ts'

/** With a price in the money of the country. */
const shops = [
  { language: 'de', currency: 'EUR', price: 14.99, shown: '14,99\u00a0€' },
  { language: 'pl', currency: 'PLN', price: 59.9, shown: '59,90\u00a0zł' },
  { language: 'ja', currency: 'JPY', price: 1480, shown: '￥1,480' },
]

for (const { language, currency, price, shown } of shops)
  test.describe(`a book of the language “${language}”`, () => {
    test.use({
      shopName: `a shop of the language ${language}`,
      takesMoney: true,
      settings: { CURRENCY: currency },
    })
    test.describe.configure({ mode: 'serial' })
    const say = createSay(language)
    const findEnglish = createFindEnglish(language)

    async function expectTranslated(page: Page) {
      expect(findEnglish(await readTexts(page)), page.url()).toEqual([])
      await page.setViewportSize({ width: 390, height: 850 })
      expect(await findClipped(page), page.url()).toEqual([])
      await page.setViewportSize({ width: 1360, height: 850 })
      expect(await findClipped(page), page.url()).toEqual([])
    }

    test.beforeAll(async ({ shop }) => {
      await openIn(shop, language)
      await setDigitalPrice(shop, price)
    })

    test('pages for visitors', async ({ page, complaints }) => {
      for (const path of [
        '/',
        '/preview',
        '/terms',
        '/auth',
        '/nowhere',
        '/purchase/x',
        '/withdraw',
        '/dashboard',
      ]) {
        await page.goto(path)
        await expectTranslated(page)
      }
      refusals(complaints)
      await page.goto('/')
      await page.getByRole('button', { name: say('home.send') }).click()
      await expect(page.getByText(say('fields.required')).first()).toBeVisible()
      await page.getByRole('button', { name: say('home.haveCode') }).click()
      await page.getByLabel(say('buying.discountCode')).fill('NOTHING')
      await page.keyboard.press('Enter')
      await expect(page.getByText(say('refusals.discounts.not_valid'))).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
      await expectTranslated(page)
      await expectAccessible(page)

      await page.goto('/auth')
      await page.getByRole('button', { name: say('auth.forgot') }).click()
      await expectTranslated(page)
      await page.goto('/auth')
      await page.getByRole('tab', { name: say('auth.signUp') }).click()
      const form = page.getByRole('tabpanel', { name: say('auth.signUp') })
      await form.getByLabel(say('auth.email')).fill('nobody')
      await form.getByLabel(say('auth.password'), { exact: true }).fill('abc')
      await form.getByRole('button', { name: say('auth.signUp') }).click()
      await expect(page.getByText(say('fields.passwordTooShort', { min: '6' })).first()).toBeVisible()
      await expectTranslated(page)
      await expectAccessible(page)
    })

    test('from “Buy” to the receipt', async ({ page, shop }) => {
      const email = someone()
      await page.goto('/')
      const label = say('formats.buy.digital')
      await page.locator('#book-sales').getByRole('button', { name: label }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('guest.email')).fill(email)
      await expectTranslated(page)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: say('guest.continue') }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/purchase/*')
      await expect(page.getByRole('heading', { name: say('guest.thanks') })).toBeVisible()
      await expectTranslated(page)
      await expectAccessible(page)
      const mail = await shop.mailbox.to(email)
      expect(mail.text).toContain(say('emails.receipt.readyByLink'))
      expect(mail.html).toContain(`lang="${language}"`)
      expect(mail.text).toContain(shown)
      expect(findEnglish([mail.subject ?? '', ...(mail.text ?? '').split('\n')])).toEqual([])
    })

    test('the pages of a reader', async ({ page, shop }) => {
      await enter(page, shop, await makeUser(shop))
      await page.goto('/')
      const label = say('formats.buy.digital')
      await page.locator('#book-sales').getByRole('button', { name: label }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/dashboard*')
      await expect(page.getByRole('link', { name: say('dashboard.yourReceipt') })).toBeVisible()
      await expectTranslated(page)
      await expectAccessible(page)
      await page.getByRole('link', { name: say('dashboard.yourReceipt') }).click()
      await expect(page.getByRole('heading', { name: say('receipt.receipt'), exact: true })).toBeVisible()
      await expect(page.getByRole('cell', { name: shown, exact: true }).last()).toBeVisible()
      await expectTranslated(page)
      for (const path of ['/dashboard', '/account', '/account/data']) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await expectTranslated(page)
        await expectAccessible(page)
      }
      await page.goto('/dashboard')
      await page.getByRole('button', { name: say('site.withdraw') }).click()
      await expectTranslated(page)
    })
  })
