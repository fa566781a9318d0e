// What visitors of the sample's shop see: pages, the steps of signing in and up, dialogs, and links of emails.
import { filledLegal, publishBook } from '#test/legal.ts'
import { legalPages } from '#content/legal-pages.ts'
import { testScreenStates } from './screen-states.ts'
import { expect } from './shop.ts'
import {
  buy,
  callAsAdmin,
  enter,
  fillAddress,
  linksTo,
  makeUser,
  password,
  post,
  productOf,
  saveSettings,
  signUp,
  someone,
} from './users.ts'

testScreenStates('visitors @commit', {
  'public pages': async function* ({ page }) {
    for (const path of ['/', '/preview', '/nowhere']) {
      await page.goto(path)
      yield path
    }
    await page.goto('/find-purchase')
    await expect(page.getByRole('heading', { name: 'Find your purchase' })).toBeVisible()
    yield 'find your purchase'
  },

  'the steps of signing in': async function* ({ page, shop }) {
    await page.goto('/auth')
    yield 'the sign-in'
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    const email = `with-a-name-that-nothing-breaks-${someone()}`
    await signUp(shop, email)
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your email address is not confirmed yet.')).toBeVisible()
    yield 'an address that is not confirmed'
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    yield 'a forgotten password'
    await page.getByRole('form', { name: 'Forgot your password?' }).getByLabel('Email').fill(someone())
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText('has an account')).toBeVisible()
    yield 'a forgotten password, sent'
  },

  'the steps of signing up': async function* ({ page }) {
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    const form = page.getByRole('tabpanel', { name: 'Sign Up' })
    await form.getByLabel('Email').fill(someone())
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByLabel('Confirm Password').fill('another')
    await form.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByText('Password Mismatch')).toBeVisible()
    yield 'two passwords'
    await form.getByLabel('Confirm Password').fill(password)
    await form.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByRole('heading', { name: 'Your account is not confirmed yet' })).toBeVisible()
    yield 'not confirmed yet'
  },

  'an address before the purchase': async function* ({ page, shop }) {
    await saveSettings(shop, 'shipping', { asks_address: true, countries: ['US', 'CA'] })
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /bundle/i })
      .click()
    await fillAddress(page, 'Boaz')
    yield 'filled in'
  },

  'a legal page and the consent of an EU buyer': async function* ({ page, shop }) {
    const consent = { ...legalPages.consent, is_asked: true }
    const call = await callAsAdmin(shop)
    expect((await publishBook({ call }, { legal: filledLegal({ consent }) })).status).toBe(200)
    await expect(async () => {
      await page.goto('/terms')
      await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible({ timeout: 1_000 })
    }).toPass()
    yield 'the terms'
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /digital/i })
      .click()
    await expect(page.getByRole('dialog', { name: 'Before you buy' })).toBeVisible()
    yield 'before you buy'
  },
})

testScreenStates('visitors who come by links, with codes, or for a second time', {
  'products that load, and that failed to': async function* ({ page, shop }) {
    const held = Promise.withResolvers<void>()
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await page.route('**/api/products', async (route) => {
      await held.promise
      await route.fulfill({ body: '<p>A stranger’s page</p>' })
    })
    const json = { code: 'purchases.not_for_sale', status: 409, detail: 'It is not for sale any more.' }
    await page.route('**/api/purchases', (route) => route.fulfill({ status: 409, json }))
    await page.getByRole('button', { name: 'Buy Digital' }).click()
    await expect(page.getByText('Loading products...', { exact: true })).toBeAttached()
    yield 'loading'
    held.resolve()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    yield 'failed'
  },

  'a chosen product': async function* ({ page, shop }) {
    const { id } = await productOf(shop, 'bundle')
    await page.goto(`/auth?next=${encodeURIComponent(`/?product=${id}#book-sales`)}`)
    await expect(page.getByRole('region', { name: 'The product you chose' })).toBeVisible()
    yield 'at the sign-in'
    await enter(page, shop, await makeUser(shop))
    await page.goto(`/auth?next=${encodeURIComponent(`/?product=${id}#book-sales`)}`)
    await expect(page.locator('#book-sales li[data-chosen]')).toHaveCount(1)
    yield 'at the formats'
  },

  'links of emails about an account': async function* ({ page, shop }) {
    await page.goto('/?token_hash=abc&type=signup')
    await expect(page.getByRole('dialog', { name: 'Confirm your email address' })).toBeVisible()
    yield 'confirm the address'
    await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
    await expect(page.getByRole('dialog', { name: 'This link has expired' })).toBeVisible()
    yield 'expired'
    const email = await makeUser(shop)
    await post(shop, '/auth/v1/recover', { email })
    await page.goto((await linksTo(shop, email, /password/i))[0]!)
    await page.getByRole('button', { name: 'Choose a new password' }).click()
    await expect(page.getByRole('textbox', { name: 'New password' })).toBeVisible()
    yield 'a new password'
  },

  'a product that one has': async function* ({ page, shop }) {
    await buy(shop, await enter(page, shop, await makeUser(shop)), 'paperback')
    await page.goto('/')
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /paperback/i })
      .click()
    await expect(page.getByRole('dialog', { name: 'You have this one already' })).toBeVisible()
    yield 'the question'
  },

  'discount codes': async function* ({ page, shop }) {
    const code = `AXE${crypto.randomUUID().slice(0, 6)}`.toUpperCase()
    const call = await callAsAdmin(shop)
    const discount = { code, percent: 20 }
    expect((await call('POST', '/api/admin/discounts', { body: discount })).status).toBe(201)
    const sales = page.locator('#book-sales')
    await page.goto(`/?code=${code}#book-sales`)
    await expect(sales.getByText(`${code} is applied`)).toBeVisible()
    yield 'a code that counts'
    await sales.getByRole('button', { name: 'Remove the code' }).click()
    await sales.getByRole('button', { name: 'Have a discount code?' }).click()
    await sales.getByLabel('Discount code').fill('nothing-here')
    await sales.getByRole('button', { name: 'Apply' }).click()
    await expect(sales.getByRole('alert')).toContainText('This code is not valid')
    yield 'a code that does not'
  },
})
