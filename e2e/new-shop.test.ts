// A new shop: its author opens the setup link, brings the book, and opens.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { printSetupLink } from './setup-link.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, post, signIn, someone } from './users.ts'

const author = { email: 'author@books.example', password: 'nine good words' }

const fixture = (name: string) => fileURLToPath(new URL(`../test/books/${name}`, import.meta.url))

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })

test.describe('without an admin', () => {
  test.use({ shopName: 'a shop without an admin', settings: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })

  test('the setup link leads from an empty form to the admin area, once @commit', async ({
    page,
    shop,
    complaints,
  }) => {
    await page.goto('/setup#made-up')
    await expect(page.getByRole('alert')).toContainText('This setup link is not valid')
    expect(refusals(complaints)).toHaveLength(1)

    const { stdout } = await printSetupLink(shop)
    const link = stdout.trim()
    expect(link).toMatch(`${shop.url}/setup#`)
    await page.goto('about:blank', { waitUntil: 'load' })
    await page.goto(link)
    await page.getByLabel('Email').fill(author.email)
    await page.getByLabel('Password', { exact: true }).fill('password123')
    await page.getByRole('button', { name: 'Create my account' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Email')).toHaveValue(author.email)
    expect(refusals(complaints)).toHaveLength(1)

    await page.getByLabel('Password', { exact: true }).fill(author.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${shop.url}/admin/setup`)
    await expect(page.getByRole('heading', { name: 'Bring your book' })).toBeVisible()

    await page.goto('about:blank', { waitUntil: 'load' })
    await page.goto(link)
    await expect(page.getByRole('alert')).toContainText('has an admin already')
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    expect(refusals(complaints)).toHaveLength(1)
    const again = await printSetupLink(shop)
    expect(again).toMatchObject({ code: 1, stderr: 'This shop has an admin already. Please sign in.\n' })
  })
})

test.describe('with the sample', () => {
  test.use({ shopName: 'a shop without purchases' })

  test.describe.configure({ mode: 'serial' })

  test('a new shop says what is still to be done; the figures follow what was bought, and a step ticks itself off @commit', async ({
    page,
    shop,
  }) => {
    await enterAdmin(page, shop)
    await expect(page.getByText('Purchases will appear here once customers start buying')).toBeVisible()
    await expect(page.getByText('6 things to set up')).toBeVisible()
    await expect(page.getByText(/^No money is taken:/)).toBeVisible()
    await expect(page.getByText(`${shop.url} opens on this computer only.`, { exact: false })).toBeVisible()
    await expect(page.getByText('has no https')).toHaveCount(0)
    await expect(page.getByText('Correct the shop’s address')).toHaveCount(0)
    await expect(page.getByText('Buy your own book once')).toBeVisible()
    const named = someone()
    const session = await signIn(shop, admin)
    await post(
      shop,
      '/functions/v1/admin-create-user',
      { email: named, password, displayName: 'Lydia of Thyatira' },
      session.access_token,
    )
    const unnamed = await makeUser(shop)
    await buy(shop, await signIn(shop, { email: unnamed, password }), 'paperback')
    await buy(shop, await signIn(shop, { email: named, password }), 'digital')

    await page.reload()
    const card = (name: string) => page.locator('dl > div').filter({ hasText: name })
    await expect(card('Total Revenue')).toContainText('$39.98')
    await expect(card('Registered accounts')).toContainText(/Total Users\s*3/)
    await expect(card('All time purchases')).toContainText(/Total Purchases\s*2/)
    await expect(card('Completed purchases').filter({ hasText: 'Downloads' })).toContainText(/Downloads\s*2/)

    const recent = page.locator('section').filter({ hasText: 'Recent Purchases' }).getByRole('listitem')
    await expect(recent).toHaveCount(2)
    const [newest, older] = [recent.first(), recent.last()]
    for (const part of [
      "Nine P's that Change Everything",
      'Customer: Lydia of Thyatira',
      '$14.99',
      dayOf(new Date()),
    ])
      await expect(newest).toContainText(part)
    await expect(newest).toContainText(/digital/i)
    await expect(newest).toContainText(/completed/i)
    await expect(older).toContainText(`Customer: ${unnamed}`)

    await expect(page.getByText('5 things to set up')).toBeVisible()
    await expect(page.getByText('Buy your own book once')).toHaveCount(0)
  })

  test('figures that cannot be had are said to be missing, and come at the next try', async ({
    page,
    shop,
    complaints,
  }) => {
    await page.route('**/api/admin/sales', (route) => route.abort())
    await enterAdmin(page, shop)
    await expect(page.getByText('Failed to fetch sales data')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'The figures could not be loaded' })).toBeVisible()
    await page.unroute('**/api/admin/sales')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Total Revenue')).toBeVisible()
    expect(refusals(complaints).length).toBeGreaterThan(0)
  })
})

test.describe('of an author who brings the book @commit', () => {
  test.use({
    shopName: 'a shop whose author brings the book',
    timezoneId: 'Europe/Berlin',
    ignoreHTTPSErrors: true,
    settings: ({ httpsProxy }, give) => give({ TRUST_PROXY: '1', ...httpsProxy.env }),
  })

  test.describe.configure({ mode: 'serial' })

  test('from the file to the open shop, left and resumed on the way', async ({ page, shop, complaints }) => {
    await enterAdmin(page, shop, '/admin/setup')
    await expect(heading(page, 'Bring your book')).toBeVisible()
    const views = page.getByRole('navigation', { name: 'Views' })
    await expect(views).toHaveCount(0)

    await choose(page, {
      name: 'book.epub',
      mimeType: 'application/epub+zip',
      buffer: Buffer.from('no book'),
    })
    await expect(page.getByRole('alert')).toContainText('This is plain text, not an ebook')
    expect(refusals(complaints)).toHaveLength(1)

    await choose(page, fixture('v-nachale.epub'))
    await expect(page.getByLabel('Title', { exact: true }).first()).toHaveValue('В начале')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose(page, fixture('letter-to-the-philippians.epub'))
    await expect(page.getByLabel('Subtitle')).toHaveValue('Joy in Bonds')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose(page, fixture('songs-of-the-road.epub'))

    await expect(page.getByLabel('Title', { exact: true }).first()).toHaveValue('Songs of the Road')
    await expect(page.getByText('EPUB · 5 chapters · The Test Shelf')).toBeVisible()
    await expect(page.getByRole('img', { name: 'The cover of your book' })).toBeVisible()
    const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
    await expect(preview.getByRole('heading', { level: 1, name: 'Songs of the Road' })).toBeVisible()
    await expect(preview.getByRole('heading', { name: 'Get Your Copy Today' })).toHaveCount(0)
    await page.getByLabel('Subtitle').fill('Five Psalms for the Way')
    const parts = page.getByRole('navigation', { name: 'Parts of the book' })
    await parts.getByRole('button', { name: 'Preview' }).click()
    await page.getByLabel('Begin the preview with').selectOption('The City')
    await page.getByRole('button', { name: 'Use as the preview' }).click()
    const chapters = page.getByRole('region', { name: 'Preview', exact: true })
    await expect(chapters.getByRole('button', { name: /The City/ })).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()

    await expect(heading(page, 'Formats and prices')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByLabel('Digital price')).toHaveAttribute('aria-invalid', 'true')
    const seller = page.getByRole('region', { name: 'Who sells, and where?' })
    await seller.getByLabel('Name of the seller').fill('The Test Shelf')
    await seller.getByLabel('Country', { exact: true }).selectOption('Austria')
    await expect(seller.getByLabel('Time zone')).toHaveValue('Europe/Vienna')
    await seller.getByLabel('Time zone').selectOption('UTC')
    const consent = seller.getByLabel('I sell to consumers in the EU: ask for their consent')
    await expect(consent).toBeChecked()
    await consent.uncheck()
    await seller.getByLabel('Show a page: Imprint').check()
    await expect(page.getByLabel('Currency')).toHaveValue('eur')
    await page.getByRole('checkbox', { name: 'Paperback' }).check()
    const parcels = page.getByRole('region', { name: 'Shipping the paperback' })
    await expect(parcels.getByRole('list', { name: 'Chosen countries' })).toHaveText('Austria')
    await parcels.getByRole('button', { name: 'Remove Austria' }).click()
    await page.getByLabel('Digital price').fill('7')
    await page.getByLabel('Paperback price').fill('12.5')
    await page.getByLabel('Paperback on sale').selectOption('Pre-order: paid now, delivered on …')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByLabel('Paperback day')).toHaveAccessibleDescription('Please choose a day.')
    await page.getByLabel('Paperback on sale').selectOption('For sale now')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(parcels.getByText('Please choose at least one country.')).toBeVisible()
    await expect(seller.getByText('Please fill this in: the page “Imprint” shows it.')).toHaveCount(2)
    await seller.getByLabel('Postal address').fill('Am See 1\n1010 Wien')
    await expect(seller.getByText('“Austria” is added as the last line')).toBeVisible()
    await seller.getByLabel('Email address for legal questions').fill('shelf@books.example')
    await parcels.getByLabel('Countries').selectOption('Norway')
    await parcels.getByRole('button', { name: 'Add', exact: true }).click()
    await parcels.getByLabel('Shipping per order (€)').fill('4.5')
    const seePage = page.getByText('See your page as visitors will')
    await seePage.click()
    const offers = page.frameLocator('iframe[title="Preview of the page"]').locator('#book-sales')
    await expect(offers).toContainText('Plus €4.50 shipping')
    await expect(offers.getByRole('listitem').filter({ hasText: 'Paperback' }).first()).toContainText(
      '€12.50',
    )
    await page.getByLabel('Digital price').fill('')
    await expect(offers).toHaveCount(0)
    await page.getByLabel('Paperback price').fill('12.5x')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByLabel('Paperback price')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Paperback price').fill('12.5')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByLabel('Paperback price (€)')).toHaveValue('12.50')
    await expect(seller.getByLabel('Postal address')).toHaveValue('Am See 1\n1010 Wien\nAustria')
    await page.getByRole('checkbox', { name: 'Digital' }).check()
    await page.getByLabel('Digital price (€)').fill('7')
    await page.getByRole('checkbox', { name: 'Bundle' }).check()
    await page.getByLabel('Bundle price').fill('20')
    await expect(page.getByText('One by one €19.50, as a bundle €20.00: buyers save nothing')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Bundle' }).uncheck()
    const help = page.getByRole('main').getByRole('link', { name: 'Your first sale' })
    await help.click()
    await expect(page).toHaveURL(/\/admin\/help/)
    await page.goto('/admin/setup')
    await expect(page.getByLabel('Digital price (€)')).toHaveValue('7.00')
    await page.getByLabel('Digital price (€)').fill('7x')
    await help.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay on this page' }).click()
    await page.getByLabel('Digital price (€)').fill('7')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'Mail, payments, time zone')).toBeVisible()

    await page.goto('/admin')
    const today = page.getByRole('main').getByRole('listitem').first()
    await expect(today).toContainText('Continue the setup: step 4 of 5, Mail and payments')
    await page.goto('/admin/book')
    await expect(page.getByText('Your book becomes public when you open the shop')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
    await page.getByRole('link', { name: 'Continue the setup' }).click()
    await expect(heading(page, 'Mail, payments, time zone')).toBeVisible()
    const choices = page.getByRole('list', { name: 'Your own book without Stripe' })
    await choices.getByRole('button', { name: 'Give it to everybody' }).click()
    await expect(choices.getByRole('listitem').nth(1)).toContainText('chosen')
    await expect(page.getByRole('link', { name: 'Set up payments' })).toBeVisible()
    await choices.getByRole('button', { name: 'Don’t sell it yet' }).click()
    await expect(choices.getByRole('listitem').first()).toContainText('chosen')
    const steps = page.getByRole('navigation', { name: 'Steps of the setup' })
    await expect(page.getByText(/^Your browser is in Europe\/Berlin, now \d\d:\d\d\./)).toContainText('UTC')
    await page.getByRole('button', { name: 'Use Europe/Berlin' }).click()
    await expect(page.getByText(/^Europe\/Berlin, now \d\d:\d\d\./)).toBeVisible()
    await expect(steps.getByRole('button')).toHaveText([/: done/, /: done/, /: done/, /^Open: to do/])
    const openStep = (step: string) => steps.getByRole('button', { name: step }).click()
    await openStep('Your page')
    await expect(heading(page, 'Your page')).toBeVisible()
    await expect(steps.getByRole('button')).toHaveText([
      /^Your book: done/,
      /^Formats and prices: done/,
      /^Mail and payments: to do/,
      /^Open: to do/,
    ])
    await openStep('Formats and prices')
    await page.getByLabel('Digital price (€)').fill('8')
    await openStep('Your page')
    await openStep('Formats and prices')
    await expect(page.getByLabel('Digital price (€)')).toHaveValue('8.00')
    await page.getByLabel('Digital price (€)').fill('7')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'Mail, payments, time zone')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'Open your shop')).toBeVisible()
    await expect(steps.getByRole('button').last()).toHaveText(/: to do, open/)
    await expect(page.getByText('€12.50')).toBeVisible()
    expect(await (await page.request.get('/')).text()).not.toContain('Songs of the Road')
    const checks = page.getByRole('region', { name: 'What a visitor can do' })
    await expect(checks.getByText(`No: ${shop.url} opens on this computer only.`)).toBeVisible()
    await expect(checks.getByRole('listitem').first()).toContainText('Reach the shop')
    await expect(checks.getByRole('link', { name: 'Put it on the internet' })).toHaveAttribute(
      'href',
      '/admin/help/internet',
    )
    await expect(checks.getByText('email is not set up', { exact: false })).toBeVisible()
    await expect(checks.getByText('the cards say “Available soon”', { exact: false })).toBeVisible()
    await expect(checks.getByRole('link', { name: 'Set up email' })).toHaveAttribute(
      'href',
      '/admin/mails/settings?from=setup',
    )
    await expect(checks.getByText('Your page has no privacy policy.', { exact: false })).toBeVisible()
    await expect(checks.getByText('Yes: you send it for €4.50, to: Norway.')).toBeVisible()
    await checks.getByRole('link', { name: 'Change shipping' }).click()
    await expect(page.getByRole('heading', { name: 'Shipping' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to the setup' }).click()
    await page.getByText('See your page as visitors will').click()
    const cards = page.frameLocator('iframe[title="Preview of the page"]').locator('#book-sales')
    await expect(cards).toContainText('Paperback')
    await expect(cards).toContainText('Plus €4.50 shipping')
    await expect(cards).not.toContainText('Hardcover')
    await expect(
      page.getByText(
        'If you open now, only you see your page, on this computer; nobody can buy; nobody new can confirm an account, and no receipt is sent.',
      ),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Open all the same' }).click()
    await expect(heading(page, 'Your shop is open')).toBeVisible()
    await expect(views).toBeVisible()
    await expect(page.getByText('Only you see it, on this computer')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Not set yet' }).getByRole('listitem')).toHaveText([
      /Not set:Mail/,
      /Not set:Payments/,
    ])
    await page.getByRole('link', { name: 'See your shop' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Songs of the Road' })).toBeVisible()
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' })).toBeVisible()
    await expect(page).toHaveTitle(/Songs of the Road/)
    await expect(page.getByText('€12.50').first()).toBeVisible()
    await expect(page.getByText('Nine P')).toHaveCount(0)
    // In the hero, and on the card of each format.
    await expect(page.getByText('Available soon', { exact: true })).toHaveCount(3)
    await expect(page.getByRole('button', { name: /^(Buy|Get|I have a discount code)/ })).toHaveCount(0)
  })

  test('without Stripe the own book is not for sale, until its author gives it to everybody', async ({
    page,
    shop,
    complaints,
  }) => {
    await enterAdmin(page, shop, '/admin')
    await expect(page.getByText(/^Payments are not set up, so the cards say “Available soon”/)).toBeVisible()
    await page.getByRole('link', { name: 'Set up payments' }).click()
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    await age(database, 'auth.sessions.proved_at', '11 minutes')
    const choices = page.getByRole('list', { name: 'Your own book without Stripe' })
    await expect(choices.getByRole('listitem').first()).toContainText('chosen')
    await choices.getByRole('button', { name: 'Give it to everybody' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
    const ownPassword = proof.getByLabel('Your password')
    await expect(ownPassword).toBeFocused()
    await ownPassword.fill('not the password')
    await page.keyboard.press('Enter')
    await expect(ownPassword).toHaveAccessibleDescription('That’s not your password.')
    await expect(ownPassword).toBeFocused()
    await ownPassword.fill(admin.password)
    await proof.getByRole('button', { name: 'Save' }).click()
    await expect(choices.getByRole('listitem').nth(1)).toContainText('chosen')
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'Let the shop send email' })).toBeVisible()
    await expect(page.getByText('Take payments')).toHaveCount(0)

    await enter(page, shop, await makeUser(shop))
    await page.goto('/#book-sales')
    await expect(page.locator('#book-sales').getByText('Free', { exact: true })).toHaveCount(2)
    await page.getByRole('button', { name: 'Get Digital' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('main')).toContainText('€0.00')
    expect(refusals(complaints)).toHaveLength(2)
  })

  test('the open shop gets its https name, and says who reaches it there', async ({
    page,
    shop,
    httpsProxy,
    chrome,
  }) => {
    await enterAdmin(page, shop, '/admin/setup')
    await expect(page.getByText('Only you see it, on this computer')).toBeVisible()
    await page.getByRole('link', { name: 'Set the address' }).click()
    const { host } = new URL(httpsProxy.url)
    await page.getByLabel('Address', { exact: true }).fill(host)
    await expect(page.getByText('Passkeys belong to localhost', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`${httpsProxy.url} is not this shop: it responds with 502`)).toBeVisible()
    await page.getByRole('link', { name: 'Back to the setup' }).click()
    await expect(page.getByText('Nobody reaches it at its address yet')).toBeVisible()

    httpsProxy.target = shop.url
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect(page.getByText('It answers from this machine')).toBeVisible()
    await page.goto(`${httpsProxy.url}/auth`)
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill(admin.email)
    await form.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${httpsProxy.url}/`)
    await page.goto(`${httpsProxy.url}/admin/setup`)
    await expect(page.getByText('Open it once on your phone, without Wi-Fi.')).toBeVisible()
    await expect(page.getByRole('img', { name: `QR code of ${httpsProxy.url}` })).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await expect(page.getByText('Address copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(httpsProxy.url)

    httpsProxy.caller = '9.9.9.9'
    await using phone = await chrome.newContext({ ignoreHTTPSErrors: true })
    const visitor = await phone.newPage()
    await visitor.goto(httpsProxy.url)
    await expect(visitor.getByRole('heading', { level: 1, name: 'Songs of the Road' })).toBeVisible()
    httpsProxy.caller = '127.0.0.1'
    await expect(page.getByText(/ was reached from outside at \d\d:\d\d\.$/)).toBeVisible()
    await expect(page.getByText('Visitors see your book now')).toBeVisible()
  })
})

async function choose(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByLabel('Your book', { exact: true }).setInputFiles(file)
}

/** "Nov 05, 2026", where this browser is. */
function dayOf(date: Date): string {
  return date.toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: '2-digit' })
}
