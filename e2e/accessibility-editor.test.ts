// The author’s screens of the book, products, editions, emails and settings, and what readers see of these changes.
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { makeBook } from '#test/epub.ts'
import { findFreePort } from '#test/find-free-port.ts'
import { paint } from '#test/pictures.ts'
import { mailTo } from './mailing.ts'
import { testScreenStates } from './screen-states.ts'
import { expect, test, visitHydrated } from './shop.ts'
import {
  buy,
  callAsAdmin,
  enter,
  enterAdmin,
  fillSignUp,
  makeUser,
  orderOf,
  password,
  post,
  productOf,
  saveSettings,
  signIn,
  takeAsReal,
  someone,
} from './users.ts'
import type { Page } from '@playwright/test'

test.use({ shopName: 'the shop of the author’s book' })

const sample = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))

const isSaved = (page: Page) => expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()

const openPart = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the book' }).getByRole('button', { name }).click()

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

testScreenStates('the book, products and settings', {
  settings: async function* ({ page, shop }) {
    const main = page.getByRole('main')
    await enterAdmin(page, shop, '/admin/settings')
    await expect(main.getByText('opens on this computer only', { exact: false })).toBeVisible()
    yield 'the shop'
    const email = await makeUser(shop)
    await buy(shop, await signIn(shop, { email, password }), 'paperback')
    await takeAsReal(shop, email)
    await page.reload()
    await expect(main.getByLabel('Currency')).toHaveAccessibleDescription(/has sold in it/)
    yield 'the shop, with a currency that stays'
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    await age(database, 'auth.sessions.proved_at', '11 minutes')
    await main.getByLabel('Time zone').selectOption('Europe/Berlin')
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible()
    yield 'confirm it’s you'
    await database.pool.query('update auth.sessions set proved_at = now()')
    await page.goto('/admin/settings/shipping')
    await expect(main.getByLabel('Countries', { exact: true })).toBeVisible()
    yield 'shipping'
    await main.getByRole('button', { name: 'Add the European Union' }).click()
    await main.getByLabel('Another price for').selectOption('The European Union')
    await main.getByLabel('Price', { exact: true }).fill('9')
    await page.keyboard.press('Enter')
    await main.getByRole('button', { name: 'Remove Sweden' }).click()
    await expect(main.getByText('Sweden: you do not ship there')).toBeVisible()
    yield 'shipping, with prices by country'
    await saveSettings(shop, 'tax', { has_tax: true, in_prices: 'added' })
    await page.goto('about:blank', { waitUntil: 'load' })
    await page.goto('/admin/settings/tax')
    await expect(main.getByLabel('Work out tax')).toBeChecked()
    yield 'tax'
    await page.goto('/admin/settings/webhook')
    await main.getByLabel('Address').fill('http://hooks.example/catch')
    await main.getByRole('button', { name: 'Switch on' }).click()
    await expect(main.getByLabel('Address')).toHaveAccessibleDescription(/must begin with https/)
    yield 'webhook, with an address that is refused'
    await page.goto('/admin/settings/admins')
    await main.getByLabel('Email address').fill('editor@books.example')
    await main.getByRole('button', { name: 'Add' }).click()
    await expect(main.getByText('Has not signed in yet')).toBeVisible()
    yield 'admins, with one who was invited'
  },

  'a mail server that is set': async function* ({ page, shop, smtp }) {
    const main = page.getByRole('main')
    await enterAdmin(page, shop, '/admin/mails/settings')
    await expect(main.getByRole('button', { name: 'Send me a test' })).toBeDisabled()
    yield 'none yet'
    const server = { host: '127.0.0.1', encryption: 'none', from_address: 'shop@another.example' }
    await saveSettings(shop, 'mail', { ...server, port: await findFreePort() })
    await page.reload()
    await main.getByRole('button', { name: 'Send me a test' }).click()
    await expect(main.getByText('The email was not sent.')).toBeVisible()
    yield 'one that does not take the test'
    await saveSettings(shop, 'mail', { ...server, port: Number(new URL(smtp.url).port) })
    await page.reload()
    await main.getByRole('button', { name: 'Send me a test' }).click()
    await expect(main.getByText('The mail server took the email.')).toBeVisible()
    yield 'one that does'
  },

  'the book': async function* ({ page, shop, chrome }) {
    await enterAdmin(page, shop, '/admin/book')
    await expect(page.getByText('Visitors see the sample.')).toBeVisible()
    const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText(/Nine P’s/)
    yield 'beside its page'
    await openPart(page, 'Chapters')
    await page.getByRole('button', { name: /Provision/ }).click()
    await expect(page.getByRole('button', { name: 'Remove chapter 3' })).toBeVisible()
    yield 'a row of its chapters, opened'
    await openPart(page, 'Preview')
    await page.getByRole('button', { name: 'Import a chapter from your EPUB' }).click()
    await expect(page.getByRole('dialog').getByRole('list', { name: 'Chapters' })).toBeVisible()
    yield 'the chapters of the file'
    await page.keyboard.press('Escape')
    await openPart(page, 'Words of pages and emails')
    await page.getByRole('searchbox', { name: 'Find a text' }).fill('order your copy')
    await page.getByLabel('Order Your Copy Today').fill('Take the book home')
    yield 'a changed text'
    await openPart(page, 'Legal pages')
    for (const name of ['Terms', 'Privacy', 'Imprint']) await page.getByLabel(`Show a page: ${name}`).check()
    await page.getByLabel('I sell to consumers in the EU: ask for their consent').check()
    await page.getByLabel('Name of the seller').fill('A Small Press')
    await page.getByLabel('Postal address').fill('1 Some Street')
    await page.getByLabel('Email address for legal questions').fill('press@example.com')
    await page.getByLabel('Country whose law applies').fill('Ireland')
    await expect(page.getByText('Still to be filled in below: Who runs the server.')).toBeVisible()
    await page.getByText('Title and words of Imprint').click()
    yield 'legal pages with blanks'
    for (const name of ['Terms', 'Privacy', 'Imprint'])
      await page.getByLabel(`Show a page: ${name}`).uncheck()
    await page.getByLabel('I sell to consumers in the EU: ask for their consent').uncheck()
    await openPart(page, 'Cover and colors')
    await expect(page.locator('figure .drawn-cover')).toBeVisible()
    yield 'a drawn cover'
    const buffer = await paint({ width: 900, height: 1350 }).png().toBuffer()
    const cover = page.getByRole('group', { name: 'Cover' }).first()
    await cover
      .locator('input[type=file]')
      .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer })
    await cover.getByLabel('Description of the cover').fill('A field at night')
    await page.getByRole('radio', { name: 'Sage' }).check()
    await page.getByLabel('Custom accent color').check()
    await isSaved(page)
    yield 'a cover and colors of one’s own'
    await openPart(page, 'Promises and rating')
    await page.getByLabel('Show a rating').uncheck()
    await openPart(page, 'Author and invitation')
    await page.getByLabel('Invitation', { exact: true }).fill('Come [in](http://127.0.0.1/nowhere).')
    await isSaved(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('leads into a network of its own').first()).toBeVisible()
    yield 'a dead link before publishing'
    await page
      .getByRole('dialog', { name: 'Publish these changes?' })
      .getByRole('button', { name: 'Publish' })
      .click()
    await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()
    const context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
    const other = visitHydrated(await context.newPage())
    await enterAdmin(other, shop, '/admin/book')
    await expect(other.getByLabel('Subtitle')).toBeVisible()
    await openPart(page, 'Title and description')
    await page.getByLabel('Subtitle').fill('Mine')
    await isSaved(page)
    await other.getByLabel('Subtitle').fill('Of the other one')
    await expect(other.getByRole('alert')).toContainText('What you typed is still here.')
    yield ['what another admin has changed', other]
    await context.close()
    await page.goto('/')
    await expect(page.getByAltText('A field at night').first()).toBeVisible()
    yield 'the page with a cover and colors of its own'
  },

  'a product': async function* ({ page, shop }) {
    await enterAdmin(page, shop, '/admin/products/new')
    await page.getByLabel('Name').fill('A Numbered Print')
    await page.getByLabel('Format').selectOption('hardcover')
    await page.getByLabel('Price ($)').pressSequentially('1,200')
    await page.getByRole('button', { name: 'Add the product' }).click()
    await expect(page.getByLabel('Price ($)')).toHaveAccessibleDescription(/Do you mean 1200.00 or 1.20/)
    yield 'a new one, with a price of two readings'
    await page.getByLabel('Price ($)').fill('120')
    await expect(page.getByRole('complementary', { name: 'On the page' })).toContainText('not saved yet')
    await page.getByRole('radio', { name: /^Pre-order/ }).check()
    await expect(page.getByLabel('Day')).toBeVisible()
    yield 'a new one, and what is left to do'
    await page.getByRole('radio', { name: 'For sale now' }).check()
    await page.getByRole('button', { name: 'Add the product' }).click()
    await page.getByLabel('Copies to sell').fill('1')
    await page.getByRole('button', { name: 'Count copies' }).click()
    await expect(page.getByText('1 left', { exact: true })).toBeVisible()
    yield 'counted copies'
    const id = page.url().split('/').at(-1)!
    const { access_token } = await signIn(shop, { email: await makeUser(shop), password })
    await post(shop, '/api/purchases', { product_id: id }, access_token)
    // The page is made anew a moment after the order.
    await expect(async () => {
      await page.goto('/')
      const card = page.locator('#book-sales').getByRole('listitem').filter({ hasText: 'A Numbered Print' })
      await expect(card.getByRole('button', { name: 'Sold out' })).toBeDisabled({ timeout: 2_000 })
    }).toPass()
    yield 'sold out'
    const call = await callAsAdmin(shop)
    await call('PUT', `/api/admin/products/${id}/archived`, { body: { is_archived: true } })
    await page.goto('/admin/products')
    await page.getByText('Archive (1)').click()
    await expect(page.getByRole('link', { name: 'A Numbered Print' })).toBeVisible()
    yield 'the archive'
  },
})

test.describe('with a mail server', () => {
  test.use({ shopName: 'the shop of the author’s emails', sendsMail: true })

  testScreenStates('editions, gifts and pre-orders', {
    // Before it is sold: what is out gets no day.
    'a pre-order': async function* ({ page, shop, smtp }) {
      const { id } = await productOf(shop, 'digital')
      const call = await callAsAdmin(shop)
      const release = await call('PATCH', `/api/admin/products/${id}`, { body: { release_on: dayIn(30) } })
      expect(release.ok).toBe(true)
      await enterAdmin(page, shop, `/admin/products/${id}`)
      await expect(page.getByText(/^It comes out on/)).toBeVisible()
      yield 'for the author'
      await page.evaluate(() => localStorage.clear())
      await page.goto('/')
      await expect(page.getByText(/^Pre-order: out on/).first()).toBeVisible()
      yield 'the page'
      await page.getByRole('link', { name: 'Tell me when it is out' }).first().click()
      const waiting = someone()
      // The home page has a field of this name, too.
      await expect(page.getByRole('heading', { name: 'Tell me when it is out' })).toBeVisible()
      await page.getByLabel('Email').fill(waiting)
      yield 'tell me when it is out'
      await page.getByRole('button', { name: 'Tell me' }).click()
      const asked = await mailTo(smtp, waiting, /^Shall we tell you/)
      await page.goto(/https?:\/\/\S+\/tell-me\/\S+/.exec(asked.text!)![0])
      await expect(page.getByRole('heading', { name: 'Shall we tell you?' })).toBeVisible()
      yield 'shall we tell you?'
      await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
      await page.goto('/dashboard')
      await expect(page.getByText(/^It comes out on .*You get an email then\./)).toBeVisible()
      yield 'for its reader'
      await call('PATCH', `/api/admin/products/${id}`, { body: { release_on: null } })
    },

    'codes by email': async function* ({ page, shop }) {
      await page.goto('/auth')
      await page.getByRole('button', { name: 'Email me a code instead' }).click()
      const form = page.getByRole('region', { name: 'Sign in with a code' })
      await form.getByLabel('Email').fill(await makeUser(shop))
      await form.getByRole('button', { name: 'Send the code' }).click()
      await expect(form.getByLabel('Code from the email')).toBeFocused()
      yield 'of a sign-in'
      await page.goto('/auth')
      await fillSignUp(page, someone())
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
      yield 'of a sign-up'
    },

    'a gift': async function* ({ page, shop, smtp, chrome }) {
      const [email, to] = [await makeUser(shop), someone()]
      const session = await enter(page, shop, email)
      const { name } = await buy(shop, session, 'digital')
      await page.goto('/dashboard')
      await page.getByRole('button', { name: `Give to someone: ${name}` }).click()
      const form = page.getByRole('dialog', { name: 'Give this copy to someone' })
      await form.getByLabel('Their email').fill(to)
      await form.getByLabel('Your name').fill('Aquila of Pontus')
      await form.getByLabel('Your message (optional)').fill('Read www.example.com too')
      await form.getByRole('button', { name: 'Give it' }).click()
      await expect(form.getByText('Links and email addresses cannot be sent here.')).toBeVisible()
      yield 'a message with a link'
      await form.getByLabel('Your message (optional)').fill('With love')
      await form.getByRole('button', { name: 'Give it' }).click()
      await expect(page.getByText('Gift Saved')).toBeVisible()
      const link = /https?:\/\/\S+\/gift#\S+/.exec((await mailTo(smtp, to, /gives you/)).text!)![0]
      await page.reload()
      await expect(page.getByText(`A gift for ${to}. The email was sent on`)).toBeVisible()
      yield 'given'
      await using context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
      const reader = visitHydrated(await context.newPage())
      await reader.goto(link)
      await expect(reader.getByText('With love')).toBeVisible()
      yield ['its link', reader]
      await reader.getByRole('button', { name: 'Open the gift' }).click()
      await expect(reader.getByText('A gift from Aquila of Pontus.')).toBeVisible()
      yield ['opened', reader]
      const { id } = await orderOf(shop, session)
      await enterAdmin(page, shop, `/admin/purchases/${id}`)
      await expect(page.getByText(`It was given to ${to}, who opened it`)).toBeVisible()
      yield 'the order that was given away'
      await page.goto('/gift#0123456789')
      await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
      yield 'a link that does not work any more'
    },

    'a new edition': async function* ({ page, shop, smtp }) {
      const email = await makeUser(shop)
      const session = await signIn(shop, { email, password })
      const { id, name } = await buy(shop, session, 'digital')
      await enterAdmin(page, shop, `/admin/products/${id}`)
      const question = page.getByRole('dialog', { name: 'Make this the new edition?' })
      const add = async (file: string | { name: string; mimeType: string; buffer: Buffer }) => {
        await page.getByLabel('Ebook file').setInputFiles(file)
        await page.getByRole('button', { name: 'Make it the new edition' }).click()
        await expect(question).toContainText('Chapters')
      }
      await page.getByLabel('What changed (optional)').fill('A new chapter about hope.')
      await add(sample)
      yield 'make this the new edition?'
      await question.getByRole('button', { name: 'Make it the new edition' }).click()
      await page.getByRole('link', { name: 'Tell its owners: EPUB, edition 2' }).click()
      await expect(page.getByText(/before this edition/)).toBeVisible()
      yield 'the email to its owners'
      await page.getByRole('button', { name: 'Tell its owners' }).click()
      await page
        .getByRole('button', { name: /^Send \d+ emails?$/ })
        .last()
        .click()
      await expect(page.getByText('Finished.')).toBeVisible()
      yield 'sent'
      const mail = await mailTo(smtp, email, /^A new edition/)
      await page.goto(`/admin/products/${id}`)
      const buffer = makeBook(
        { 'a.xhtml': '<h1>Bread</h1><p>Flour and water.</p>' },
        { metadata: '<dc:title>A Cookbook</dc:title>' },
      )
      await add({ name: 'bread.epub', mimeType: 'application/epub+zip', buffer })
      await expect(question).toContainText('The title of this file is “A Cookbook”')
      yield 'a file of another book'
      await question.getByRole('button', { name: 'Make it the new edition' }).click()
      await expect(page.getByText('Edition 3')).toBeVisible()
      yield 'a product of three editions'
      await enter(page, shop, email)
      await page.goto('/dashboard')
      await page.getByText('All editions').click()
      await expect(page.getByText('A new chapter about hope.')).toBeVisible()
      yield 'all editions, for an owner'
      await page.goto(/https?:\/\/\S+\/emails\/\S+/.exec(mail.text!)![0])
      await expect(page.getByText('You get an email when there is a new edition')).toBeVisible()
      yield 'the choice of emails'
      expect(name).toContain('Nine')
    },
  })
})
