// A new shop, from the setup link over its own book to the first emails, and the connection to Stripe.
import { addressVerdict, proxyVerdict } from '#domains/overview/address-check.ts'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { Backups } from '#contract/backup/backups.ts'
import type { RestoreState } from '#contract/setup/setup-restore.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { openWithOwnBook } from './own-book.ts'
import { testScreenStates } from './screen-states.ts'
import { printSetupLink } from './setup-link.ts'
import { admin, expect, test, visitHydrated } from './shop.ts'
import {
  buy,
  enterAdmin,
  linksTo,
  makeUser,
  password,
  post,
  productOf,
  saveSettings,
  signIn,
} from './users.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../test/books/${name}`, import.meta.url))

/** What the process says is set here: a restore would end the shop of the walk. */
async function* restoreScreens(page: Page) {
  const heading = (name: string) => expect(page.getByRole('heading', { name })).toBeVisible()
  const open = page.getByRole('button', { name: 'Open the backup' })
  await page.getByRole('button', { name: 'Restore a shop that you have' }).click()
  await open.click()
  await expect(page.getByText('Please choose the file of the backup.')).toBeVisible()
  yield 'a restore without its file'
  await page.getByRole('radio', { name: /A bucket/ }).check()
  await open.click()
  await expect(page.getByLabel('Region')).toHaveAttribute('aria-invalid', 'true')
  yield 'a restore without its bucket'
  let state: RestoreState = {
    state: 'opening',
    step: 'reading',
    done: 40,
    total: 100,
    backup: null,
    problem: null,
  }
  await page.route('**/api/setup/restore/*', (route) => route.fulfill({ json: state }))
  for (const name of ['Region', 'Bucket', 'Access key', 'Secret key', 'Passphrase'])
    await page.getByLabel(name, { exact: true }).fill('books')
  await open.click()
  await heading('Opening the backup')
  yield 'a backup is opened'
  const problem = 'This is not the passphrase of the bucket books. Nothing was changed.'
  state = { ...state, state: 'failed', step: null, problem }
  await expect(page.getByRole('alert')).toHaveText(problem)
  yield 'another passphrase'
  const shop = { title: 'Ruth', site_url: 'https://books.example', orders: 7, users: 9, files: 4 }
  const about = { name: 'x', created_at: '2026-11-01T03:00:00.000Z', version: '0.3.0', size: 9_000_000 }
  state = { ...state, state: 'opened', problem: null, backup: { ...shop, ...about, obstacle: null } }
  await open.click()
  await heading('Is this your shop?')
  yield 'what is in the backup'
  state = { ...state, state: 'restoring', step: 'tables', done: 3, total: 40 }
  await page.getByRole('button', { name: 'Restore this shop' }).click()
  await heading('Restoring your shop')
  yield 'a shop is restored'
  state = { ...state, state: 'restored' }
  await heading('Your shop is back')
  yield 'a shop is back'
  await page.unroute('**/api/setup/restore/*')
}

test.describe('without an admin', () => {
  test.use({ shopName: 'a shop without an admin', settings: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })

  testScreenStates('from the setup link to an own book', {
    'from the setup link to an own book': async function* ({ page, shop }) {
      await page.goto('/setup#made-up')
      await expect(page.getByRole('alert')).toContainText('This setup link is not valid')
      yield 'a link that is not valid'
      const { stdout } = await printSetupLink(shop)
      await page.goto('about:blank', { waitUntil: 'load' })
      await page.goto(stdout.trim())
      yield* restoreScreens(page)
      await page.goto('about:blank', { waitUntil: 'load' })
      await page.goto(stdout.trim())
      await page.getByLabel('Email').fill('author@books.example')
      await page.getByLabel('Password', { exact: true }).fill('nine good words')
      yield 'the first admin'
      await page.keyboard.press('Enter')
      const heading = (name: string) => expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
      await heading('Bring your book')
      yield 'bring your book'
      await page.getByLabel('Your book', { exact: true }).setInputFiles(fixture('songs-of-the-road.epub'))
      await expect(page.getByRole('img', { name: 'The cover of your book' })).toBeVisible()
      const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
      await expect(preview.getByRole('heading', { level: 1, name: 'Songs of the Road' })).toBeVisible()
      yield 'what was read of the file'
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading('Formats and prices')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByLabel('Digital price')).toHaveAttribute('aria-invalid', 'true')
      yield 'formats without prices'
      await page.getByRole('checkbox', { name: 'Paperback' }).check()
      await page.getByLabel('Digital price').fill('7')
      await page.getByLabel('Paperback price').fill('12.5')
      const parcels = page.getByRole('region', { name: 'Shipping the paperback' })
      await parcels.getByRole('button', { name: 'Remove United States' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(parcels.getByText('Please choose at least one country.')).toBeVisible()
      yield 'paper without a country'
      await parcels.getByLabel('Countries').selectOption('Norway')
      await parcels.getByRole('button', { name: 'Add', exact: true }).click()
      await parcels.getByLabel('Shipping per order ($)').fill('4.5')
      yield 'formats and shipping'
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading('Mail, payments, time zone')
      yield 'mail and payments'
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading('Open your shop')
      yield 'open your shop'
      await page.getByText('See your page as visitors will').click()
      await expect(
        page.frameLocator('iframe[title="Preview of the page"]').locator('#book-sales'),
      ).toContainText('Paperback')
      yield 'open your shop, with the page'
      await page.getByRole('button', { name: 'Open all the same' }).click()
      await heading('Your shop is open')
      await expect(page.getByText('Only you see it, on this computer')).toBeVisible()
      yield 'your shop is open'
      const site = { site_url: 'https://books.example', reached: null, time_zone: 'UTC' }
      const check = addressVerdict(site, undefined, new Date())
      const address = { url: site.site_url, reach: 'answers', check, proxy: proxyVerdict }
      const qr_code = '<svg xmlns="http://www.w3.org/2000/svg"/>'
      await page.route('**/api/admin/address', (route) => route.fulfill({ json: { ...address, qr_code } }))
      await page.reload()
      await expect(page.getByRole('img', { name: 'QR code of https://books.example' })).toBeVisible()
      yield 'your shop is open, and its address answers'
      await page.unroute('**/api/admin/address')
      await page.goto('/admin/settings/payments')
      await expect(page.getByRole('list', { name: 'Your own book without Stripe' })).toBeVisible()
      yield 'an own book without Stripe'
      await page.evaluate(() => localStorage.clear())
      await page.goto('/')
      await expect(page.getByText('Available soon', { exact: true })).toHaveCount(3)
      yield 'the page of a book that is not for sale yet'
    },
  })
})

test.describe('with an admin', () => {
  test.use({ shopName: 'a new shop' })

  testScreenStates('first orders and emails, and Stripe', {
    'before and after the first orders and emails': async function* ({ page, shop }) {
      await enterAdmin(page, shop, '/admin/backups')
      await expect(page.getByText('There is no backup yet')).toBeVisible()
      yield 'no backup'
      await page.goto('/admin')
      await expect(page.getByText('Purchases will appear here once customers start buying')).toBeVisible()
      await expect(page.getByText('Let the shop send email')).toBeVisible()
      await expect(page.getByText('Nothing waits for you')).toHaveCount(0)
      yield 'the first screen'
      await page.goto('/admin/mails')
      await expect(page.getByRole('heading', { name: 'No emails yet' })).toBeVisible()
      yield 'no emails'
      await page.goto('/admin/discounts')
      await expect(page.getByText('No codes yet')).toBeVisible()
      yield 'no codes'
      const email = await makeUser(shop)
      await buy(shop, await signIn(shop, { email, password }), 'digital')
      await buy(shop, await signIn(shop, admin), 'digital')
      for (const to of [email, admin.email]) await shop.mailbox.to(to, /receipt/)
      await post(shop, '/auth/v1/recover', { email })
      await linksTo(shop, email, /new password/)
      await page.goto('/admin')
      await page.getByText('5 things to set up').click()
      await expect(page.getByText('Let the shop send email')).toBeVisible()
      yield 'the first screen, with what is to be set up'
      await page.goto('/admin/mails')
      const rows = page.getByRole('table', { name: 'Mail' }).locator('tbody').getByRole('row')
      await expect(rows).toHaveCount(3)
      yield 'unsent emails'
      await rows.filter({ hasText: admin.email }).getByRole('link').first().click()
      await expect(page.frameLocator('iframe').getByText('Thank you for your purchase')).toBeVisible()
      yield 'an email to the admin'
      await page.goto('/admin/mails')
      await rows.filter({ hasText: 'Choose a new password' }).getByRole('link').click()
      await expect(page.getByText('The links are taken out here')).toBeVisible()
      await page.getByText('Plain text').click()
      yield 'an email to a reader'
      await page.goto('/admin/backups')
      await page.getByRole('button', { name: 'Back up now' }).click()
      await expect(page.getByText(/^Backed up on .+: \d+ orders?, \d+ files\.$/)).toBeVisible()
      await page.getByRole('button', { name: 'Rehearse a restore' }).click()
      await expect(page.getByText(/^Rehearsed from .+ on .+ rows and totals match/)).toBeVisible()
      yield 'a backup and a rehearsal'
      await using smtp = await openSmtpServer()
      const { hostname: host, port } = new URL(smtp.url)
      await saveSettings(shop, 'mail', { host, port: Number(port), encryption: 'none' })
      await page.goto('/admin/mails')
      await page.getByRole('button', { name: /^Send \d unsent emails$/ }).click()
      await expect(page.getByText('its recipient may no longer expect it')).toBeVisible()
      yield 'the question before they are sent'
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Send \d emails$/ })
        .click()
      await expect(page.getByText(/emails are on the way\.$/)).toBeVisible()
      await expect(async () => {
        await page.reload()
        await expect(page.getByRole('cell', { name: /Sent/ }).first()).toBeVisible({ timeout: 1000 })
      }).toPass()
      yield 'emails that were sent since'
    },

    'the second place of backups, and its passphrase': async function* ({ page, shop }) {
      await enterAdmin(page, shop, '/admin/backups/place')
      await expect(page.getByRole('button', { name: 'Try it' })).toBeDisabled()
      yield 'a second place that is not set'
      await saveSettings(shop, 'backups', {
        endpoint: 'https://s3.example.com',
        region: 'eu',
        bucket: 'books',
        access_key: 'key',
        secret_key: 'secret',
      })
      const failed = {
        place: 's3://books/',
        failed: 'write',
        reason: 'status 403, AccessDenied',
        advice: 'The keys are known, and may not do this: allow s3:PutObject in this bucket.',
      }
      await page.route('**/api/admin/backups/try', (route) => route.fulfill({ json: failed }))
      await page.reload()
      await page.getByRole('button', { name: 'Try it' }).click()
      await expect(page.getByText('The shop could not write there.')).toBeVisible()
      yield 'a second place that refuses'
      await page.goto('/admin/backups/passphrase')
      await expect(page.getByRole('button', { name: 'Make the passphrase' })).toBeVisible()
      yield 'no passphrase yet'
      const offer = { offer: 'x', passphrase: 'abcde-fghjk-mnpqr-stuvw-xyzab', replaces: false }
      await page.route('**/api/admin/backups/passphrase', (route) => route.fulfill({ json: offer }))
      await page.getByRole('button', { name: 'Make the passphrase' }).click()
      await expect(page.getByRole('group', { name: 'Passphrase', exact: true })).toBeVisible()
      yield 'the passphrase, on its page'
      await page.unroute('**/api/admin/backups/passphrase')
      await page.getByRole('button', { name: 'I have it on paper' }).click()
      await page.getByRole('button', { name: 'Use this passphrase' }).click()
      await expect(page.getByLabel('Passphrase', { exact: true })).toHaveAttribute('aria-invalid', 'true')
      yield 'the passphrase, asked for again'
      await page.route('**/api/admin/backups', async (route) => {
        const response = await route.fetch()
        const backups = (await response.json()) as Backups
        const passphrase = { ...backups.passphrase, state: 'stored' }
        await route.fulfill({ response, json: { ...backups, passphrase } })
      })
      await page.goto('/admin/backups')
      await expect(page.getByRole('button', { name: 'Download a copy' })).toBeVisible()
      yield 'backups with a second place and a download'
      await page.unroute('**/api/admin/backups')
    },

    'the connection to Stripe': async function* ({ page, shop, stripe }) {
      stripe.setWebhookUrl(undefined)
      stripe.reach.isLocal = true
      const main = page.getByRole('main')
      const key = main.getByLabel('Secret key', { exact: true })
      await enterAdmin(page, shop, '/admin/settings/payments')
      await expect(main.getByText('The shop takes no money', { exact: false })).toBeVisible()
      yield 'none yet'
      await key.fill('sk_test_x')
      await main.getByRole('button', { name: 'Check and connect' }).click()
      await expect(page.getByText('Stripe connected')).toBeVisible()
      await expect(main.getByText('Buy your own book')).toBeVisible()
      yield 'connected'
      await saveSettings(shop, 'shop', { site_url: shop.url.replace('localhost', 'books.localhost') })
      await page.goto('/admin/payments')
      await expect(main.getByText('Stripe still reports to the shop’s former address')).toBeVisible()
      yield 'what needs attention after a move'
      await main.getByRole('link', { name: 'Set up payments' }).click()
      await expect(main.getByRole('alert')).toContainText(shop.url)
      yield 'the settings after a move'
    },
  })
})

test.describe('of a book with 34 chapters', () => {
  test.use({ shopName: 'a shop with a long book', takesMoney: true })

  testScreenStates('the page of an own book', {
    'the page of an own book': async function* ({ page, shop, chrome }) {
      await enterAdmin(page, shop, '/admin/setup')
      await openWithOwnBook(page, 'pandoc-words-beyond-jordan.epub', 'Words beyond Jordan')
      await using context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
      const visitor = visitHydrated(await context.newPage())
      await visitor.setViewportSize({ width: 390, height: 560 })
      await visitor.goto('/')
      await visitor.locator('#preview h3').first().scrollIntoViewIfNeeded()
      await expect(visitor.getByRole('complementary', { name: 'Get the Book' })).toBeVisible()
      const contents = visitor.getByRole('region', { name: 'In this book' })
      await expect(contents.getByRole('listitem').filter({ visible: true })).toHaveCount(12)
      yield ['with the bar of a phone, and folded contents', visitor]
      await contents.locator('summary', { hasText: 'and 22 more' }).focus()
      await visitor.keyboard.press('Enter')
      await expect(contents.getByRole('listitem').filter({ visible: true })).toHaveCount(34)
      await expect(contents.getByText('The Death of Moses')).toBeVisible()
      yield ['with all contents', visitor]
      await visitor.keyboard.press('Enter')
      await expect(contents.getByText('The Death of Moses')).toBeHidden()
      await visitor.setViewportSize({ width: 390, height: 560 })
      await visitor.goto('/preview')
      await expect(visitor.getByRole('complementary', { name: 'Where you are' })).toBeVisible()
      yield ['the preview', visitor]
      const { id } = await productOf(shop, 'digital')
      await visitor.goto(`/auth?next=${encodeURIComponent(`/?product=${id}#book-sales`)}`)
      await expect(visitor.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
      yield ['the sign-up for a product', visitor]
    },
  })
})
