// A stranger buys with an address and a card: no account, no password, no mail before the payment.
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { goToPay, openDialog, purchasesOf, refuseStorage, takeAsOwnBook } from './guests.ts'
import { payHere, sessionOf } from './paying.ts'
import { makeUser, someone } from './users.ts'
import { expect, refusals, test, visitUnhurried } from './shop.ts'

test.use({ shopName: 'the shop that asks for an address only', takesMoney: true })
test.describe.configure({ mode: 'serial' })

test.beforeAll(({ shop }) => takeAsOwnBook(shop))

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

for (const width of [390, 1360])
  test(`at ${width} pixels a link made after the payment opens the order elsewhere, and “Your purchases” here`, async ({
    page,
    shop,
    chrome,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await goToPay(page, someone())
    await payHere(page)
    const section = page.getByRole('region', { name: 'On your other devices' })
    await section.getByRole('button', { name: 'Make a link' }).click()
    const field = section.getByLabel('Link to your order')
    await expect(field).toBeFocused()
    const link = await field.inputValue()
    expect(link).toMatch(/\/purchase\/[\w-]+#[\w-]{43}$/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await section.getByRole('button', { name: 'Copy the link' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Save as a file' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^order #\d+\.txt$/)
    await expectAccessible(page)

    await using device = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
    const there = visitUnhurried(await device.newPage())
    await there.goto(link)
    await expect(there.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
    await expect(there.getByRole('region', { name: 'On your other devices' })).toHaveCount(0)
    await there.goto('/')
    await there.getByRole('link', { name: 'Your purchases' }).click()
    await expect(there).toHaveURL(/\/auth\?next=\/dashboard/)

    await page.goto('/')
    await page.getByRole('link', { name: 'Your purchases' }).click()
    await expect(page.getByRole('heading', { name: 'Your purchases' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('main').getByRole('listitem').getByRole('link').click()
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  })

test('a browser that keeps nothing says so before the payment, and leads to the author after it', async ({
  page,
  shop,
  stripe,
}) => {
  await refuseStorage(page)
  const email = someone()
  const dialog = await openDialog(page)
  await expect(dialog.getByText(/keeps nothing for this site/)).toContainText('sends no email yet')
  await expectAccessible(page)
  await dialog.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/pay/cs_test_*')
  await payHere(page)
  await expect(page.getByRole('heading', { name: 'This browser cannot open it' })).toBeVisible()
  await expect(page.getByText(/receipt/i)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Write to the author' }).click()
  await expect(page.locator('#contact')).toBeVisible()
  expect(sessionOf(stripe, email).status).toBe('complete')
  await expect.poll(() => purchasesOf(shop, email)).toEqual(['completed'])
})

test('a payment that is held for the author is shown as such', async ({ page, stripe }) => {
  const email = someone()
  await goToPay(page, email)
  const session = sessionOf(stripe, email)
  session.amount_subtotal = session.amount_total = 100
  await payHere(page)
  await expect(
    page.getByRole('heading', { name: 'The author has to look at this payment first' }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write to the author' })).toBeVisible()
  await expectAccessible(page)
})

test('a purchase that was refunded is shown as closed', async ({ page, stripe }) => {
  const email = someone()
  await goToPay(page, email)
  await payHere(page)
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  stripe.refund(sessionOf(stripe, email).payment_intent as string)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This purchase is closed' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  await expectAccessible(page)
})
