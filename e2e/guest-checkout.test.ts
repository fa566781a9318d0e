// A stranger buys with an address and a card: no account, no password, no mail before the payment.
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { payHere, sessionOf } from './paying.ts'
import { makeUser, someone } from './users.ts'
import { expect, refusals, test, type Shop } from './shop.ts'

test.use({ shopName: 'the shop that asks for an address only', takesMoney: true })
test.describe.configure({ mode: 'serial' })

/** As after the setup: the notice makes every process read the book again. */
test.beforeAll(async ({ shop }) => {
  const readHome = async () => (await fetch(shop.url)).text()
  const before = await readHome()
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await database.pool.query(
    `insert into book_setup (step, offers, changed_at) values ('done', '{}', now()) on conflict do nothing`,
  )
  await database.pool.query(`select pg_notify('shop_changed', '')`)
  await expect.poll(readHome).not.toBe(before)
})

async function openDialog(page: Page) {
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Email')).toBeFocused()
  return dialog
}

/** One click, one field, one key: then Stripe's page. */
async function goToPay(page: Page, email: string) {
  const dialog = await openDialog(page)
  await dialog.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/pay/cs_test_*')
}

async function purchasesOf({ databaseUrl }: Shop, email: string) {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ status: string }>(
    'select status from purchases join guest_checkouts g on g.purchase_id = purchases.id where g.email = $1 order by number',
    [email],
  )
  return rows.map(({ status }) => status)
}

for (const width of [390, 1360])
  test(`at ${width} pixels a visitor buys by address, downloads, and finds the link in the receipt`, async ({
    page,
    shop,
    chrome,
    complaints,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const email = someone()
    const dialog = await openDialog(page)
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(dialog.getByText('Please enter your email address.')).toBeVisible()
    await dialog.getByLabel('Email').fill('nobody@nowhere')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible()
    await expect(dialog.getByLabel('Email')).toHaveValue('nobody@nowhere')
    expect(refusals(complaints)).toHaveLength(1)
    await expectAccessible(page)
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await page.waitForURL('**/purchase/*')
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    expect(new URL(page.url()).hash + new URL(page.url()).search).toBe('')
    await expectAccessible(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ])
    const stream = await file.createReadStream()
    const first = (await stream.toArray())[0] as Buffer
    expect(first.length).toBeGreaterThan(100)

    const { text = '', html = '' } = await shop.mailbox.to(email, /receipt/i)
    const [link = ''] = /http\S+\/purchase\/[\w-]+#[\w-]{43}/.exec(html + text) ?? []
    const elsewhere = await chrome.newContext()
    const other = await elsewhere.newPage()
    await other.goto(link)
    await expect(other.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    await expect(other.getByText(email)).toHaveCount(0)
    await other.goto('about:blank')
    await other.goto(link.replace(/#.*/, ''))
    await expect(other.getByRole('heading', { name: 'This browser cannot open it' })).toBeVisible()
    await elsewhere.close()
  })

test('the way back from the payment and a second tab lead to the same checkout', async ({
  page,
  shop,
  stripe,
  context,
}) => {
  const email = someone()
  await goToPay(page, email)
  const first = page.url()
  await page.goBack()
  const dialog = page.getByRole('dialog')
  if (!(await dialog.isVisible())) await openDialog(page)
  await expect(dialog.getByLabel('Email')).toHaveValue(email)
  await page.keyboard.press('Enter')
  await page.waitForURL(first)
  const tab = await context.newPage()
  await goToPay(tab, email)
  expect(tab.url()).toBe(first)
  expect(await purchasesOf(shop, email)).toEqual(['pending'])
  await payHere(tab)
  await tab.waitForURL('**/purchase/*')
  // The first tab buys once more, and is led to what was paid already.
  expect(sessionOf(stripe, email).status).toBe('complete')
  await expect.poll(() => purchasesOf(shop, email)).toEqual(['completed'])
})

test('a tab that is closed after the payment loses nothing: the page opens again in this browser', async ({
  page,
  shop,
}) => {
  const email = someone()
  await goToPay(page, email)
  await payHere(page, { isLost: true })
  await expect.poll(() => purchasesOf(shop, email)).toEqual(['completed'])
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ id: string }>(
    'select purchase_id as id from guest_checkouts where email = $1',
    [email],
  )
  await page.goto(`/purchase/${rows[0]!.id}`)
  await expect(page.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
})

test('the address of an account buys for that account, and signs nobody in', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await goToPay(page, email)
  await payHere(page)
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth\?/)
})
