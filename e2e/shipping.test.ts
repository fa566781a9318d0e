// A book on paper, from its price of shipping and the question where it goes to the user who sees it coming.
import type { Locator, Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { legalPages } from '#content/legal-pages.ts'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { tabTo } from './accessible.ts'
import { takeAsOwnBook } from './arrange-shop.ts'
import { payHere, sessionOf } from './paying.ts'
import { expect, refusals, test, type Shop } from './shop.ts'
import { openIn } from './translations.ts'
import {
  buy,
  callAsAdmin,
  enter,
  enterAdmin,
  fillAddress,
  makeUser,
  password,
  post,
  saveSettings,
  signIn,
  someone,
} from './users.ts'

const home = {
  name: 'Boaz',
  line1: '1 Threshing Floor',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
}

const phone = { width: 390, height: 850 }

const purchases = (page: Page) => page.getByRole('region', { name: 'Your Purchases' }).getByRole('listitem')

const buyButton = (page: Page, format: RegExp) =>
  page.locator('#book-sales').getByRole('button', { name: format })

const offers = (page: Page) => page.locator('#book-sales')

const question = (page: Page) => page.getByRole('dialog', { name: 'Where shall we send it?' })

/** As they are once an own book is open: what was bought of the sample is a test order. */
async function showTestsApart({ databaseUrl }: Shop): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query('update sums_settings set counts_tests = false')
}

test.describe('where no money is taken', () => {
  test.use({ shopName: 'the shop that ships', settings: { ASK_ADDRESS: 'on', SHIPPING_COUNTRIES: 'US,CA' } })

  test.describe.configure({ mode: 'serial' })

  test('a user says where it goes and corrects it, the author ships it, and the user is told; put back, its address is corrected', async ({
    page,
    shop,
  }) => {
    const email = await makeUser(shop)
    await page.setViewportSize(phone)
    await enter(page, shop, email)
    await page.goto('/')
    await buyButton(page, /paperback/i).click()
    const question = page.getByRole('dialog', { name: 'Where shall we send it?' })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toBeHidden()
    await buyButton(page, /paperback/i).click()
    await fillAddress(page, 'Ruth of Moab')
    await question.getByRole('button', { name: 'Buy and ship here' }).click()
    await expect(page.getByText('We will process your order shortly.')).toBeVisible()
    await page.waitForURL('**/dashboard')
    const row = purchases(page)
    await expect(row).toContainText(
      'We will ship it to Ruth of Moab, 7 Barley Road, Portland, OR 97201, United States.',
    )

    await page.setViewportSize(phone)
    // It lies over the button on a phone.
    await page.getByRole('button', { name: 'Close' }).click()
    await row.getByRole('button', { name: /^Correct address/ }).click()
    const correction = page.getByRole('dialog', { name: 'Correct the address' })
    await expect(correction.getByLabel('Street and number')).toHaveValue('7 Barley Road')
    await correction.getByLabel('Country').selectOption('CA')
    await correction.getByLabel('Region').fill('ON')
    await correction.getByLabel('Postal code').fill('K1A 0A1')
    await correction.getByLabel('City').fill('Ottawa')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/purchases', async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/purchases')
    await correction.getByRole('button', { name: 'Save this address' }).click()
    await expect(page.getByText('Address Saved')).toBeVisible()
    await asked
    await expect(row).toBeVisible()
    held.resolve()
    await expect(row).toContainText('Ottawa, ON K1A 0A1, Canada.')

    await enterAdmin(page, shop, '/admin/shipping')
    const parcel = page.getByRole('row', { name: /Ruth of Moab/ })
    await expect(parcel).toContainText('Ottawa, ON K1A 0A1')
    await expect(page.getByRole('link', { name: 'To ship 1' })).toBeVisible()
    await parcel.getByRole('checkbox').check()
    await expect(page.getByText('1 of 1 chosen')).toBeVisible()
    await page.getByRole('link', { name: 'Packing slips' }).click()
    await expect(page.getByRole('article', { name: 'Packing slip for Ruth of Moab' })).toContainText('Ottawa')
    await page.getByRole('main').getByRole('link', { name: 'To ship' }).click()
    await parcel.getByRole('button', { name: /^Ship/ }).click()
    const leaving = page.getByRole('dialog', { name: 'Ship 1 parcel?' })
    await leaving.getByLabel('Carrier').fill('UPS')
    await leaving.getByLabel('Ruth of Moab').fill('1Z999AA10123456784')
    await leaving.getByRole('button', { name: 'Mark as shipped' }).click()
    await expect(page.getByText('Marked as shipped')).toBeVisible()
    await expect(page.getByText('Nothing to ship')).toBeVisible()

    const mail = await shop.mailbox.to(email, /^On its way/)
    expect(mail.text).toContain('https://www.ups.com/track?tracknum=1Z999AA10123456784')
    expect(mail.text).toContain('Ottawa, ON K1A 0A1, Canada')
    await enter(page, shop, email)
    await page.goto('/dashboard')
    await expect(row).toContainText(/Shipped on .+ · UPS/)
    await expect(row.getByRole('link', { name: /1Z999AA10123456784/ })).toHaveAttribute('href', /ups\.com/)
    await expect(row.getByRole('button', { name: /address/ })).toHaveCount(0)

    await page.setViewportSize({ width: 1360, height: 850 })
    await enterAdmin(page, shop, '/admin/shipping?view=shipped')
    await parcel.getByRole('button', { name: /^Edit tracking/ }).click()
    await page.getByRole('dialog').getByLabel('Carrier').fill('A Friend')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(parcel).toContainText('A Friend 1Z999AA10123456784')
    await parcel.getByRole('link').first().click()
    await expect(page.getByRole('listitem').filter({ hasText: 'The parcel left' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: /Email “On its way/ })).toBeVisible()
    await page.getByRole('button', { name: /^Not shipped after all/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Put it back' }).click()
    await expect(page.getByText('to ship', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Correct address' }).click()
    await expect(page.getByLabel('Country')).toHaveValue('CA')
    await expect(page.getByLabel('Country').getByRole('option').nth(1)).toHaveText('Canada')
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('Postal code').fill('10115')
    await page.getByLabel('City').fill('Berlin')
    await page.getByLabel('Region').fill('')
    await page.getByRole('button', { name: 'Save this address' }).click()
    await expect(page.getByText('Address corrected')).toBeVisible()
    await expect(page.getByText('10115 Berlin')).toBeVisible()
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    await expect(page.getByText('corrected the address of')).toBeVisible()
  })

  test('with the keyboard alone one buys on paper, and ships several at once', async ({ page, shop }) => {
    const email = await makeUser(shop)
    await enter(page, shop, email)
    await page.goto('/')
    await tabTo(page, buyButton(page, /hardcover/i))
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Where shall we send it?' })
    await expect(question.getByLabel('Full name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(buyButton(page, /hardcover/i)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question.getByLabel('Full name')).toBeFocused()
    for (const words of ['Naomi', '1 Well Street', '', 'Austin', 'Texas', '78701']) {
      await page.keyboard.type(words)
      await page.keyboard.press('Tab')
    }
    await tabTo(page, question.getByRole('button', { name: 'Buy and ship here' }))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    await expect(purchases(page)).toContainText('Naomi, 1 Well Street, Austin, TX 78701')

    await enterAdmin(page, shop, '/admin/shipping')
    await tabTo(page, page.getByRole('checkbox', { name: 'Choose all' }))
    await page.keyboard.press('Space')
    await expect(page.getByText('2 of 2 chosen')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Mark as shipped' }))
    await page.keyboard.press('Enter')
    const leaving = page.getByRole('dialog', { name: 'Ship 2 parcels?' })
    // By its order, for both may be for one person.
    await expect(leaving.getByLabel(/^#\d+ · Naomi$/)).toBeVisible()
    await tabTo(page, leaving.getByLabel('Carrier'))
    await page.keyboard.type('Royal Mail')
    await tabTo(page, leaving.getByRole('button', { name: 'Mark as shipped' }))
    await page.keyboard.press('Enter')
    await expect(
      page.getByText('2 parcels on the way. Email is not set up, so the readers were not notified.'),
    ).toBeVisible()
    await shop.mailbox.to(email, /^On its way/)
  })

  test('what is printed is the slips and nothing else, one a page, also of a bundle, whose slip lists each book to pack', async ({
    page,
    shop,
    complaints,
  }) => {
    await enterAdmin(page, shop, '/admin/shipping?view=shipped')
    const links = page.getByRole('table').getByRole('link', { name: /Nine P/ })
    await expect(links).toHaveCount(2)
    const ids = await Promise.all(
      (await links.all()).map(async (link) => (await link.getAttribute('href'))!.split('/').at(-1)!),
    )
    await page.goto(`/admin/shipping/slips?ids=${ids.join(',')}`)
    await expect(page.getByRole('article')).toHaveCount(2)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Print/ })).toBeHidden()
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2)
    await page.emulateMedia({ media: null })
    await page.goto('/admin/shipping/slips')
    await expect(page.getByText('Nothing to print')).toBeVisible()
    await page.goto('/admin/shipping/slips?ids=x')
    await expect(page.getByRole('heading', { name: 'There are no such parcels' })).toBeVisible()
    expect(refusals(complaints)).toHaveLength(1)

    const email = await makeUser(shop)
    await buy(shop, await enter(page, shop, email), 'bundle', { address: home })
    await enterAdmin(page, shop, '/admin/purchases')
    await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
    await page.getByRole('link', { name: 'Packing slip' }).click()
    const slip = page.getByRole('article', { name: /^Packing slip/ })
    const lines = slip.getByRole('table', { name: 'To pack' }).getByRole('row')
    await expect(lines).toHaveText([/Qty/, /1.*Paperback$/, /1.*Hardcover$/])
    await expect(slip).toContainText(/Sent by download, nothing to pack: Nine P’?'?s/)
    await page.emulateMedia({ media: 'print' })
    const bundled = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(bundled.match(/\/Type \/Page\b/g)).toHaveLength(1)
    await page.emulateMedia({ media: null })

    const badge = (place: Locator) => place.getByText('test', { exact: true })
    await expect(badge(slip)).toHaveCount(0)
    await showTestsApart(shop)
    await page.reload()
    await expect(badge(slip)).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await expect(badge(page.getByRole('dialog', { name: 'Ship 1 parcel?' }))).toBeVisible()

    await post(shop, '/api/contact', { name: 'Boaz', email, subject: 'My parcel', message: 'Is it out?' })
    await page.goto('/admin/messages')
    await page.getByRole('link', { name: 'My parcel' }).click()
    await expect(badge(page.getByRole('complementary', { name: 'Sender' }))).toBeVisible()
  })
})

test.describe('of a book in German', () => {
  test.use({ shopName: 'the shop that ships in German', settings: { ASK_ADDRESS: 'on' } })

  test('the card beside a product and the packing slip have the words of the book, the rest of the screen is English', async ({
    page,
    shop,
  }) => {
    await openIn(shop, 'de')
    const phone = '+1 503 555 0123'
    const { name } = await buy(
      shop,
      await signIn(shop, { email: await makeUser(shop), password }),
      'bundle',
      {
        address: { ...home, phone },
      },
    )
    await enterAdmin(page, shop, '/admin/products')
    await page.getByRole('link', { name, exact: true }).click()
    const card = page.getByRole('region', { name: 'As buyers see it' })
    await expect(card).toContainText(/\d,\d\d\s€|\d,\d\d\s\$/)
    await expect(card).toContainText('kaufen')
    await page.goto('/admin/products/new')
    await expect(card).toContainText('once it has a name and a price')
    await page.getByLabel('Name').fill('Ein Buch')
    await page.getByLabel(/^Price/).fill('12')
    await expect(card).toContainText('12,00')

    await page.goto('/admin/shipping')
    await page.getByRole('row', { name: /Boaz/ }).getByRole('checkbox').check()
    await page.getByRole('link', { name: 'Packing slips' }).click()
    const slip = page.getByRole('article', { name: /^Packing slip for Boaz/ })
    for (const words of ['Lieferschein', 'Vereinigte Staaten', 'Taschenbuch', 'Absender: '])
      await expect(slip).toContainText(words)
    await expect(slip).not.toContainText(phone)
    await expect(page.getByRole('button', { name: 'Print 1 slip' })).toBeVisible()
    await page.goto('/admin/book?part=slip')
    await page.getByLabel('Thanks').fill('Vielen Dank.')
    const example = page.getByRole('region', { name: 'Preview of the packing slip' })
    await expect(example).toContainText(/Lieferschein.*Vielen Dank\./s)
  })
})

test.describe('where shipping has a price', () => {
  test.use({ takesMoney: true })

  test('the author sets prices by country; a visitor sees the sum and pays it; a price that changes meanwhile is shown first', async ({
    page,
    shop,
    stripe,
    complaints,
  }) => {
    await page.goto('/')
    await expect(offers(page).getByText('Ships free to your door')).toHaveCount(3)
    await expect(page.getByText('Free shipping for physical items')).toBeVisible()

    await enterAdmin(page, shop, '/admin/settings/shipping')
    const main = page.getByRole('main')
    const save = main.getByRole('button', { name: 'Save' })
    await main.getByRole('button', { name: 'Add the European Union' }).click()
    await main.getByLabel('Countries', { exact: true }).selectOption('Canada')
    await main.getByRole('button', { name: 'Add', exact: true }).click()
    const general = main.getByLabel('Shipping per order ($)')
    await general.fill('4,9999')
    await main.getByLabel('Another price for').selectOption('The European Union')
    await main.getByLabel('Price', { exact: true }).fill('9,000')
    await expect(main.getByRole('button', { name: 'Set price' })).toBeDisabled()
    await main.getByLabel('Price', { exact: true }).fill('USD 9')
    await page.keyboard.press('Enter')
    await expect(main.getByRole('list', { name: 'Countries of this price' })).toContainText('Sweden')
    await expect(main.getByLabel('27 countries')).toHaveValue('9.00')
    await main.getByLabel('Another price for').selectOption('Canada')
    await main.getByLabel('Price', { exact: true }).fill('12,5')
    await save.click()
    await expect(general).toBeFocused()
    await expect(general).toHaveAccessibleDescription(/Two decimals at most/)
    await general.fill('4.9')
    await save.click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await expect(main.getByLabel('Canada', { exact: true })).toHaveValue('12.50')
    await main.getByRole('button', { name: 'Remove Sweden' }).click()
    await expect(main.getByText('Sweden: you do not ship there')).toBeVisible()
    await page.reload()
    await expect(main.getByLabel('27 countries')).toHaveValue('9.00')
    const terms = (await (await fetch(`${shop.url}/api/shipping`)).json()) as { country_prices: object }
    expect(terms).toMatchObject({ price: 4.9, country_prices: { CA: 12.5, SE: 9 }, takes_payments: true })

    const email = await makeUser(shop)
    await enter(page, shop, email)
    await page.goto('/')
    await expect(offers(page).getByText('Plus shipping from $4.90')).toHaveCount(3)
    await expect(page.getByText('Free shipping for physical items')).toHaveCount(0)
    await buyButton(page, /paperback/i).click()
    const dialog = question(page)
    await expect(dialog.getByLabel('Country')).toBeFocused()
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(dialog.getByLabel('Country')).toHaveAccessibleDescription('Please choose a country.')
    await dialog.getByLabel('Country').selectOption('United States')
    await expect(dialog.getByRole('status').first()).toContainText('$29.89')
    await dialog.getByLabel('Country').selectOption('Canada')
    await expect(dialog.getByRole('status').first()).toContainText('Shipping to Canada')
    await expect(dialog.getByRole('status').first()).toContainText('$37.49')
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL('**/pay/cs_test_*')
    await expect(page.getByText('Shipping to Canada: $12.50')).toBeVisible()
    await expect(page.getByLabel('Country')).toHaveText('CA')
    await page.getByLabel('Name', { exact: true }).fill('Ruth')
    await page.getByLabel('Street').fill('7 Barley Road')
    await page.getByLabel('City').fill('Ottawa')
    await page.getByLabel('State').fill('ON')
    await page.getByLabel('Postal code').fill('K1A 0A1')
    await page.getByLabel('Phone').fill('555 0100')
    await payHere(page)
    await page.waitForURL('**/dashboard*')
    await expect(page.getByText('Purchase Successful!')).toBeVisible()
    expect(sessionOf(stripe, email)).toMatchObject({ amount_total: 3749, status: 'complete' })

    await page
      .getByRole('link', { name: /receipt/i })
      .first()
      .click()
    const paid = page.getByRole('table', { name: 'What was paid' })
    await expect(paid.getByRole('row', { name: 'Shipping to Canada' })).toContainText('$12.50')
    await expect(paid.getByRole('row', { name: 'Total paid' })).toContainText('$37.49')
    expect((await shop.mailbox.to(email, /receipt/i)).text).toMatch(/Shipping to Canada\s+\$12\.50/)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Correct address/ }).click()
    await expect(page.getByText('We ship within: Canada')).toBeVisible()

    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await buyButton(page, /paperback/i).click()
    await dialog.getByLabel('Country').selectOption('Canada')
    await saveSettings(shop, 'shipping', { country_prices: { CA: 15 } })
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'Shipping to Canada costs $15.00 now. Nothing was bought.',
    )
    await expect(dialog.getByLabel('Country')).toHaveValue('CA')
    await expect(dialog.getByRole('status').first()).toContainText('$39.99')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(buyButton(page, /paperback/i)).toBeFocused()
    await buyButton(page, /paperback/i).click()
    await dialog.getByLabel('Country').selectOption('Canada')
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL('**/pay/cs_test_*')
    await expect(page.getByText('Shipping to Canada: $15.00')).toBeVisible()
    expect(refusals(complaints)).toHaveLength(1)
  })

  test('a stranger is asked for address, country and consent in one place, and told what is missing', async ({
    page,
    shop,
    stripe,
    complaints,
  }) => {
    await saveSettings(shop, 'shipping', { countries: ['US', 'CA'], price: 4.9, country_prices: { CA: 15 } })
    const call = await callAsAdmin(shop)
    const consent = { ...legalPages.consent, is_asked: true }
    const legal = filledLegal({ consent })
    expect((await publishLegal({ call }, legal)).status).toBe(200)
    await takeAsOwnBook(shop)
    await page.goto('/')
    await offers(page)
      .getByRole('button', { name: /bundle/i })
      .click()
    const dialog = page.getByRole('dialog')
    const email = dialog.getByLabel('Email')
    const go = dialog.getByRole('button', { name: 'Continue to payment' })
    await expect(dialog.getByText(/^Bundle · \$/)).toBeVisible()
    await expect(dialog.getByText('Plus shipping from $4.90')).toBeVisible()
    await expect(dialog).toContainText('The payment page also asks where to send it.')
    await expect(email).toBeFocused()
    await email.fill(someone())
    await go.click()
    await expect(dialog.getByLabel('Country')).toBeFocused()
    await expect(dialog.getByLabel('Country')).toHaveAccessibleDescription('Please choose a country.')
    await dialog.getByLabel('Country').selectOption('Canada')
    await expect(dialog.getByRole('status').first()).toContainText('Shipping to Canada')
    await expect(go).toHaveText(/^Continue to payment · \$/)
    await go.click()
    await expect(dialog.getByRole('checkbox')).toBeFocused()
    await expect(dialog.getByText(/^Please tick the box/)).toBeVisible()
    await dialog.getByRole('checkbox').check()
    stripe.faults.tooMany = 1
    await go.click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expect(email).toHaveValue(/@/)
    stripe.faults.tooMany = 0
    expect(refusals(complaints)).toHaveLength(1)
    await go.click()
    await page.waitForURL('**/pay/cs_test_*')
  })
})
