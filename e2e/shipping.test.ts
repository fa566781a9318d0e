// A book on paper, from the question where it goes to the user who sees it coming.
import type { Page } from '@playwright/test'
import { expectAccessible, tabTo } from './accessible.ts'
import { enter, enterAdmin, makeUser } from './users.ts'
import { expect, refusals, test } from './shop.ts'

// Addresses are asked for here.
test.use({
  shopName: 'the shop that ships',
  settings: { ASK_ADDRESS: 'on', SHIPPING_COUNTRIES: 'US,CA' },
})
test.describe.configure({ mode: 'serial' })

const phone = { width: 390, height: 850 }

async function fillAddress(page: Page, { name = 'Ruth of Moab' } = {}) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Full name').fill(name)
  await dialog.getByLabel('Street and number').fill('7 Barley Road')
  await dialog.getByLabel('City').fill('Portland')
  await dialog.getByLabel('State').selectOption('OR')
  await dialog.getByLabel('ZIP code').fill('97201')
}

const purchases = (page: Page) => page.getByRole('region', { name: 'Your Purchases' }).getByRole('listitem')
const buyButton = (page: Page, format: RegExp) =>
  page.locator('#book-sales').getByRole('button', { name: format })

test('a user says where it goes and corrects it, the author ships it, and the user is told', async ({
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
  await fillAddress(page)
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
  await correction.getByRole('button', { name: 'Keep this address' }).click()
  await expect(page.getByText('Address Kept')).toBeVisible()
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
  await expect(row).toContainText(/Shipped on .+ with UPS/)
  await expect(row.getByRole('link', { name: /1Z999AA10123456784/ })).toHaveAttribute('href', /ups\.com/)
  await expect(row.getByRole('button', { name: /address/ })).toHaveCount(0)
})

test('a parcel is put back, its tracking changed, and the purchase’s page has it all', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/shipping?view=shipped')
  const parcel = page.getByRole('row', { name: /Ruth of Moab/ })
  await parcel.getByRole('button', { name: /^Change tracking/ }).click()
  await page.getByRole('dialog').getByLabel('Carrier').fill('A Friend')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(parcel).toContainText('A Friend 1Z999AA10123456784')
  await parcel.getByRole('link').first().click()
  await expect(page.getByRole('table', { name: 'Emails' })).toContainText('On its way')
  await page.getByRole('button', { name: /^Put back/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Put it back' }).click()
  await expect(page.getByText('to ship', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Correct address' }).click()
  await page.getByLabel('Country').selectOption('DE')
  await page.getByLabel('Postal code').fill('10115')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Region').fill('')
  await page.getByRole('button', { name: 'Keep this address' }).click()
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
    page.getByText('2 parcels on the way. Email is not set up, so what tells the readers was not sent.'),
  ).toBeVisible()
  await shop.mailbox.to(email, /^On its way/)
})

test('what is printed is the slips and nothing else, one a page', async ({ page, shop, complaints }) => {
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
  await expectAccessible(page)
})

test('axe finds nothing on what asks, lists, prints and ships, nor does it scroll sideways', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/')
  await buyButton(page, /bundle/i).click()
  await fillAddress(page, { name: 'Boaz' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Buy and ship here' }).click()
  await page.waitForURL('**/dashboard')
  await purchases(page)
    .getByRole('button', { name: /^Correct address/ })
    .click()
  await expect(page.getByLabel('Full name')).toHaveValue('Boaz')
  await expectAccessible(page)

  await enterAdmin(page, shop, '/admin/shipping')
  await page.getByRole('checkbox', { name: 'Choose all' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Packing slips' }).click()
  await expect(page.getByRole('article')).toBeVisible()
  await expectAccessible(page)
})

test('what has left is accessible as well, to its user and in the admin area', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/shipping?view=shipped')
  await expect(page.getByRole('table', { name: 'Shipped' })).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /Nine P/ })
    .first()
    .click()
  await expect(page.getByRole('table', { name: 'Emails' })).toBeVisible()
  await expectAccessible(page)
})

test('empty lists are accessible as well', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/shipping?format=paperback')
  await expect(page.getByText('No parcel of this format waits.')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/admin/shipping?view=shipped&format=bundle')
  await expect(page.getByText('Nothing shipped yet')).toBeVisible()
  await expectAccessible(page)
})
