// A book in another language, of long words, and one from right to left: the screens with most of the shop's own words.
// That no page of Polish or Japanese scrolls sideways either, `languages.test.ts` looks at.
import { payHere } from './paying.ts'
import { testScreenStates, type Walk } from './screen-states.ts'
import { expect, test } from './shop.ts'
import { createSay, openIn } from './translations.ts'
import { enter, makeUser, someone } from './users.ts'

test.use({ takesMoney: true, hasOwnBook: true })

/** The screens with most words, one after the other. */
function walkIn(language: string): Walk {
  const say = createSay(language)
  return async function* ({ page, shop }) {
    await openIn(shop, language)
    const buy = page.locator('#book-sales').getByRole('button', { name: say('formats.buy.digital') })
    await page.goto('/preview')
    yield 'the preview'
    await page.goto('/')
    await page.getByRole('button', { name: say('home.send') }).click()
    await expect(page.getByText(say('fields.required')).first()).toBeVisible()
    await page.getByRole('button', { name: say('home.haveCode') }).click()
    await page.getByLabel(say('buying.discountCode')).fill('NOTHING')
    await page.keyboard.press('Enter')
    await expect(page.getByText(say('refusals.discounts.not_valid'))).toBeVisible()
    yield 'the page, with what is wrong'
    await page.goto('/auth?form=sign-up')
    const form = page.getByRole('tabpanel', { name: say('auth.signUp') })
    await form.getByLabel(say('auth.email')).fill('nobody')
    await form.getByLabel(say('auth.password'), { exact: true }).fill('abc')
    await form.getByRole('button', { name: say('auth.signUp') }).click()
    await expect(page.getByText(say('fields.passwordTooShort', { min: '6' })).first()).toBeVisible()
    yield 'the sign-up, with what is wrong'
    await page.goto('/')
    await buy.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(say('guest.email')).fill(someone())
    yield 'buying by address'
    await dialog.getByRole('button', { name: say('guest.continue') }).click()
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await expect(page.getByRole('heading', { name: say('guest.thanks') })).toBeVisible()
    yield 'the page of the order'
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await buy.click()
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await page.waitForURL('**/dashboard*')
    await expect(page.getByRole('link', { name: say('dashboard.yourReceipt') })).toBeVisible()
    yield 'the dashboard after a purchase'
    for (const path of ['/account', '/account/data']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      yield path
    }
  }
}

testScreenStates('books of other languages', {
  'of long words': walkIn('de'),
  'from right to left': walkIn('ar'),
})
