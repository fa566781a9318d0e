// The author's screens of readers, orders, parcels, sales and messages.
import { openDatabase } from '#platform/db/client.ts'
import { eraseAccount } from '#domains/privacy/account-erasure.ts'
import { openSteps } from './admin-screens.ts'
import { makeUserWithFactor } from './factors.ts'
import { testScreenStates } from './screen-states.ts'
import { expect, test, visitHydrated, type Shop } from './shop.ts'
import type { Page } from '@playwright/test'
import {
  buy,
  callAsAdmin,
  enterAdmin,
  makeUser,
  orderOf,
  password,
  post,
  signIn,
  takeAsReal,
  userIdOf,
} from './users.ts'

test.use({ shopName: 'the shop of the author’s screens' })

const views = [
  '',
  '/users',
  '/purchases',
  '/shipping',
  '/sales',
  '/products',
  '/products/new',
  '/upload',
  '/messages',
  '/audit',
  '/audit/sign-ins',
]

const address = {
  name: 'Boaz',
  line1: '7 Barley Road',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
}

const message = { name: 'Lydia', email: 'lydia@example.com', subject: 'Purple', message: 'Come and stay.' }

/** Sold to a reader, who has written. The reader’s address, and the last order, which can be shipped. */
async function fillShop(shop: Shop) {
  const email = await makeUser(shop)
  const session = await signIn(shop, { email, password })
  for (const format of ['digital', 'hardcover']) await buy(shop, session, format)
  await buy(shop, session, 'paperback', { address })
  const order = await orderOf(shop, session)
  await post(shop, '/api/contact', { ...message, email, subject: 'Where is my book?' })
  return { email, order }
}

const openView = async (page: Page, path: string) => {
  await page.goto(`/admin${path}`)
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy')
}

testScreenStates('the author’s screens @commit', {
  'each view, full as it is': async function* ({ page, shop }) {
    await fillShop(shop)
    await enterAdmin(page, shop)
    for (const view of views) {
      await openView(page, view)
      yield `/admin${view}`
    }
  },

  'what lists lead to': async function* ({ page, shop }) {
    const { email } = await fillShop(shop)
    await enterAdmin(page, shop, `/admin/users?q=${email}`)
    for (const [list, item] of [
      ['/users?q=reader', 'a[href^="/admin/users/"]'],
      ['/products', 'a[href^="/admin/products/"]:not([href$="/new"])'],
      ['/purchases', 'a[href^="/admin/purchases/"]'],
    ] as const) {
      await openView(page, list)
      await page.getByRole('main').locator(item).first().click()
      await expect(page).toHaveURL(/\/[0-9a-f-]{36}$/)
      await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy')
      yield `one of /admin${list}`
    }
    await page.goto(`${page.url()}/evidence`)
    await expect(page.getByRole('heading', { name: 'Evidence for a purchase' })).toBeVisible()
    yield 'the evidence for a purchase'
  },
})

testScreenStates('the author’s screens, empty, failed and with what is done there', {
  'empty lists of parcels': async function* ({ page, shop }) {
    await enterAdmin(page, shop, '/admin/shipping?format=paperback')
    await expect(page.getByText('No parcel of this format waits.')).toBeVisible()
    yield 'none of a format'
    await page.goto('/admin/shipping?view=shipped&format=bundle')
    await expect(page.getByText('Nothing shipped yet')).toBeVisible()
    yield 'none shipped'
    await page.goto('/admin/shipping/slips?ids=x')
    await expect(page.getByRole('heading', { name: 'There are no such parcels' })).toBeVisible()
    yield 'no slips'
    await page.goto('/admin/payments')
    await expect(page.getByText('Nothing needs attention')).toBeVisible()
    yield 'nothing needs attention'
    await page.goto('/admin/sales')
    await expect(page.getByText('Nothing was sold in these days.')).toBeVisible()
    yield 'nothing was sold'
  },

  'addresses that lead to nothing': async function* ({ page, shop }) {
    await enterAdmin(page, shop)
    for (const [list, words] of [
      ['users', 'There is no such reader'],
      ['products', 'There is no such product'],
      ['purchases', 'There is no such order'],
    ] as const) {
      await page.goto(`/admin/${list}/nonsense`)
      await expect(page.getByRole('heading', { name: words })).toBeVisible()
      yield words
    }
  },

  'the menu, the search and the help': async function* ({ page, shop }) {
    const { email } = await fillShop(shop)
    await enterAdmin(page, shop)
    await openSteps(page)
    await expect(page.getByRole('link', { name: 'add a second factor' })).toBeVisible()
    yield 'the notice about a second factor'
    await page.keyboard.press('Control+k')
    await page.keyboard.type(email)
    await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option').first()).toBeVisible()
    yield 'what the search finds'
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible()
    yield 'the menu of a phone'
    await page.goto('/admin/help/shipping')
    await expect(page.getByRole('heading', { level: 2, name: 'Shipping' })).toBeVisible()
    yield 'a page of the help'
    await page.goto('/admin/help')
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('mistyped address')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: 'Orders and refunds' })).toBeVisible()
    yield 'a search of the help'
  },

  'figures that failed to load': async function* ({ page, shop }) {
    await page.route('**/api/admin/sales', (route) => route.abort())
    await page.route('**/api/admin/sales/report**', (route) => route.abort())
    await enterAdmin(page, shop)
    await expect(page.getByRole('heading', { name: 'The figures could not be loaded' })).toBeVisible()
    yield 'of the first screen'
    await page.goto('/admin/sales')
    await expect(page.getByRole('heading', { name: 'The figures could not be loaded' })).toBeVisible()
    yield 'of the sales'
  },

  'the course of sales': async function* ({ page, shop }) {
    const code = `SALES${crypto.randomUUID().slice(0, 4)}`.toUpperCase()
    const call = await callAsAdmin(shop)
    await call('POST', '/api/admin/discounts', { body: { code, percent: 10 } })
    const session = await signIn(shop, { email: await makeUser(shop), password })
    const { id: product_id } = await buy(shop, session, 'bundle', { code })
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    await database.pool.query(`update purchases set country = 'DE' where product_id = $1`, [product_id])
    await enterAdmin(page, shop, '/admin/sales')
    await expect(page.getByRole('table', { name: 'Sales by country' })).toContainText('Germany')
    await expect(page.getByRole('table', { name: 'Sales by discount code' })).toContainText(code)
    yield 'with countries and codes'
  },

  accounts: async function* ({ page, shop }) {
    const { email } = await makeUserWithFactor(shop)
    await enterAdmin(page, shop, '/admin/users')
    await page.getByRole('button', { name: 'Add User' }).click()
    await page.getByLabel('Email').fill('half@example.com')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    const signOut = page.getByRole('dialog', { name: 'Sign out without saving?' })
    await expect(signOut).toBeVisible()
    yield 'sign out without saving?'
    await page.goto(`/admin/users/${await userIdOf(shop, email)}`)
    await page.getByRole('button', { name: 'Reset the second factor' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset the second factor?' })
    await dialog.getByLabel('Your password').fill('not it')
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
    await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription('That’s not your password.')
    yield 'reset the second factor?'
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    const user_id = await userIdOf(shop, email)
    await takeAsReal(shop, email)
    await database.db.transaction((tx) => eraseAccount(tx, { user_id, now: new Date() }))
    await page.goto(`/admin/users/${user_id}`)
    await expect(page.getByRole('heading', { name: 'Erased account' })).toBeVisible()
    yield 'an erased account'
    await page.getByRole('link', { name: /^#\d+/ }).click()
    await page.getByRole('button', { name: 'Show who paid' }).click()
    await page.getByRole('button', { name: 'Show the name' }).click()
    await expect(page.getByText(email)).toBeVisible()
    yield 'who paid an order of an erased account'
  },

  'an order that is refunded by hand, and moved': async function* ({ page, shop, chrome }) {
    const { email, order } = await fillShop(shop)
    await enterAdmin(page, shop, `/admin/purchases/${order.id}`)
    await expect(page.getByText('you send the money to the reader yourself')).toBeVisible()
    yield 'a refund by hand'
    await page.getByRole('button', { name: 'Change the buyer’s email' }).click()
    const question = page.getByRole('dialog', { name: 'Change the buyer’s email' })
    yield 'move to another address'
    const right = await makeUser(shop)
    await question.getByLabel('New email').fill(right)
    await question.getByLabel('Reason').fill('The buyer wrote from the right address.')
    await question.getByRole('button', { name: 'Change the email' }).click()
    await expect(page.getByText(`From ${email} to ${right}`)).toBeVisible()
    yield 'moved'
    const mail = await shop.mailbox.to(email, /moved away/)
    await using context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
    const former = visitHydrated(await context.newPage())
    await former.goto(/\S+\/purchase-moved#\S+/.exec(mail.text!)![0])
    await expect(former.getByRole('button', { name: 'I object' })).toBeVisible()
    yield ['the objection of the former address', former]
  },

  parcels: async function* ({ page, shop }) {
    const { order } = await fillShop(shop)
    await enterAdmin(page, shop, '/admin')
    await expect(page.getByRole('button', { name: /^Ship parcel/ }).first()).toBeVisible()
    yield 'the first screen with a parcel and a message that wait'
    await page.goto('/admin/shipping')
    await page.getByRole('checkbox', { name: 'Choose all' }).check()
    yield 'chosen'
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await expect(page.getByRole('dialog', { name: /^Ship \d+ parcels?\?$/ })).toBeVisible()
    yield 'the question before they leave'
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Packing slips' }).click()
    await expect(page.getByRole('article').first()).toBeVisible()
    yield 'packing slips'
    const call = await callAsAdmin(shop)
    const body = { parcels: [{ purchase_id: order.id, carrier: 'UPS' }] }
    const shipped = await call('POST', '/api/admin/shipments/shipped', { body })
    expect(shipped.status).toBe(200)
    await page.goto('/admin/shipping?view=shipped')
    await expect(page.getByRole('table', { name: 'Shipped' })).toBeVisible()
    yield 'shipped'
    await page.goto(`/admin/purchases/${order.id}`)
    await expect(page.getByText('The parcel left')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Email “' }).first()).toBeVisible()
    yield 'the order of a parcel that has left'
  },

  'a message': async function* ({ page, shop }) {
    await fillShop(shop)
    await enterAdmin(page, shop, '/admin/messages')
    await page.getByRole('link', { name: 'Where is my book?' }).first().click()
    await expect(
      page.getByRole('complementary', { name: 'Sender' }).getByText('Completed').first(),
    ).toBeVisible()
    yield 'of a reader who bought'
    await page.getByText('Snippets', { exact: true }).click()
    await page.getByRole('button', { name: 'Where is my download' }).click()
    const question = page.getByRole('dialog', { name: 'New snippet' })
    await question.getByLabel('Text').fill('It waits on your dashboard.')
    yield 'a new snippet'
  },

  'codes and free copies': async function* ({ page, shop }) {
    const code = `LIST${crypto.randomUUID().slice(0, 4)}`.toUpperCase()
    const call = await callAsAdmin(shop)
    await call('POST', '/api/admin/discounts', { body: { code, percent: 20, max_uses: 1 } })
    await enterAdmin(page, shop, '/admin/discounts')
    await expect(page.getByRole('listitem').filter({ hasText: code })).toContainText('0 of 1 used')
    yield 'the codes'
    await page.goto('/admin/discounts/gifts')
    await page.getByLabel('Product').selectOption({ label: "Nine P's that Change Everything" })
    await page.getByLabel('To', { exact: true }).fill('Maria <maria@example.com>\nno address')
    await page.getByRole('button', { name: 'Preview the email' }).click()
    await expect(page.getByText('1 email will be kept.')).toBeVisible()
    yield 'the email before it is sent, with a line that is none'
    await page.getByRole('button', { name: 'Give, and keep 1 email' }).click()
    await expect(page.getByText('1 email is kept.')).toBeVisible()
    yield 'given'
    await page.getByRole('button', { name: 'Begin a new list' }).click()
    await expect(page.getByRole('link', { name: 'maria@example.com' })).toBeVisible()
    yield 'the list of what was given'
  },
})
