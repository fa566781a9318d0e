// Codes that make the book cheaper, and copies that are given away.
import { expectAccessible } from './accessible.ts'
import { age } from '#test/changes.ts'
import { openDatabase } from '#platform/db/client.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { enter, enterAdmin, makeUser } from './users.ts'

test.use({ shopName: 'the shop that gives' })

test('a code is made, entered before the sign-in, paid with, counted and ended', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/discounts')
  await expect(page.getByText('No codes yet')).toBeVisible()
  await page.getByRole('button', { name: 'Create code' }).click()
  await expect(page.getByText('Use 4 to 30 letters and digits')).toBeVisible()
  await page.getByLabel('Code').fill('spring-26')
  await page.getByLabel('Percent', { exact: true }).fill('20')
  await page.getByLabel('Uses').fill('1')
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await age(database, 'auth.sessions.proved_at', '11 minutes')
  await page.getByRole('button', { name: 'Create code' }).click()
  await expect(page.getByText('Code created')).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue('')
  const row = page.getByRole('listitem').filter({ hasText: 'SPRING-26' })
  await expect(row).toContainText('20% off · 0 of 1 used')
  await expectAccessible(page)
  await page.getByLabel('Code').fill('LESS')
  await page.getByLabel('Discount type').selectOption('amount_off')
  await page.getByLabel('Amount ($)').pressSequentially('7,50')
  await page.getByRole('button', { name: 'Create code' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'LESS' })).toContainText('$7.50 off')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy link with LESS' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${shop.url}/?code=LESS`)

  await enter(page, shop, await makeUser(shop))
  await page.goto('/?code=spring-26#book-sales')
  const sales = page.locator('#book-sales')
  await expect(sales.getByText('SPRING-26 takes 20% off')).toBeVisible()
  const digital = sales
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Buy Digital' }) })
  await expect(digital).toContainText('$11.99')
  await expect(digital).toContainText('instead of $14.99')
  const bundle = sales.getByRole('listitem').filter({ has: page.getByRole('button', { name: /bundle/i }) })
  await expect(bundle).toContainText('instead of $79.97')
  await expect(bundle).toContainText('Save $39.99')
  await expect(page).toHaveURL('/#book-sales')
  await expectAccessible(page)
  await page.goto('/?code=nothing-here#book-sales')
  await expect(sales.getByRole('alert')).toContainText('This code is not valid')
  await expect(sales.getByText('SPRING-26 takes 20% off')).toBeVisible()
  await sales.getByRole('button', { name: 'Remove the code' }).click()
  const opener = sales.getByRole('button', { name: 'Have a discount code?' })
  await expect(opener).toBeFocused()
  await opener.click()
  await expect(sales.getByLabel('Discount code')).toBeFocused()
  await page.keyboard.type('spring-26')
  await page.keyboard.press('Enter')
  await expect(sales.getByRole('status').getByRole('paragraph')).toBeFocused()
  const busy = { status: 503, json: { status: 503, code: 'server.busy', detail: 'The shop is busy.' } }
  await page.route('**/api/discounts/check', (route) => route.fulfill(busy))
  await page.reload()
  await expect(sales.getByRole('alert')).toContainText('The shop is busy.')
  await expect(digital).toContainText('$14.99')
  await page.unroute('**/api/discounts/check')
  await page.reload()
  await expect(sales.getByText('SPRING-26 takes 20% off')).toBeVisible()
  expect(refusals(complaints)).toHaveLength(2)
  await sales.getByRole('button', { name: 'Buy Digital' }).click()
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('listitem')).toContainText('$11.99')

  await page.goto('/#book-sales')
  await expect(sales.getByRole('alert')).toContainText('used as often as it can be')
  await expect(digital).toContainText('$14.99')
  await sales.getByLabel('Discount code').fill('nothing-here')
  await sales.getByRole('button', { name: 'Apply' }).click()
  await expect(sales.getByRole('alert')).toContainText('This code is not valid')
  await expectAccessible(page)
  expect(refusals(complaints)).toHaveLength(2)

  await enterAdmin(page, shop, '/admin/discounts')
  await expect(row).toContainText('1 of 1 used')
  await page.getByLabel('Code').fill('half-filled')
  await database.pool.query(
    `insert into discount_codes (id, code, percent) values (gen_random_uuid(), 'OTHER', 10)`,
  )
  await page.getByRole('button', { name: 'End SPRING-26' }).click()
  await page.getByRole('button', { name: 'End the code' }).click()
  await expect(row).toContainText('Ended', { ignoreCase: true })
  await expect(page.getByRole('button', { name: 'End OTHER' })).toBeVisible()
  await page.route('**/api/admin/discounts', (route) => route.fulfill(busy))
  await page.getByRole('button', { name: 'End OTHER' }).click()
  await page.getByRole('button', { name: 'End the code' }).click()
  await expect(page.getByText('Failed to fetch the discount codes')).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue('half-filled')
  expect(refusals(complaints)).toHaveLength(1)
})

test('a list from a spreadsheet is checked, its mail is seen, and everybody on it gets one copy', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/discounts/gifts')
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await expect(page.getByText('Please fill in this field.')).toBeVisible()
  await page.getByLabel('What').selectOption({ label: "A free copy: Nine P's that Change Everything" })
  const csv = 'Name;E-Mail\r\nMaria;maria@example.com\r\nNobody;no address\r\n'
  await page.getByLabel('To', { exact: true }).fill('typed@example.com')
  await page.getByLabel('Take the list from a CSV file').setInputFiles({
    name: 'readers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  })
  await page.getByRole('button', { name: 'Replace it' }).click()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue(/maria@example\.com/)
  await page.getByLabel('Your words (optional)').fill('Thank you for reading early.')
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await expect(page.getByText('1 email will be kept.')).toBeVisible()
  await expect(page.getByText('The shop does not send email yet.')).toBeVisible()
  await expect(page.getByText('Line 3: There is no email address in this row.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'The email as plain text' })).toContainText('Dear Maria,')
  await expectAccessible(page)
  expect((await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('A gift'))).toEqual([])
  await page.getByRole('button', { name: 'Change something' }).click()
  await expect(page.getByLabel('Your words (optional)')).toHaveValue('Thank you for reading early.')
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await age(database, 'auth.sessions.proved_at', '11 minutes')
  await page.getByRole('button', { name: 'Give, and keep 1 email' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(admin.password)
  await proof.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('1 email is kept.')).toBeVisible()
  await expect(page.getByText('Line 3: There is no email address in this row.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue(/maria@example\.com/)
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await expect(page.getByText('Nobody on this list gets anything.')).toBeVisible()
  const again = page.getByLabel('Send the email again to the one who got this before')
  await expect(again).toBeHidden()
  await page.getByRole('button', { name: 'Change something' }).click()
  // As after a mail server was set, some time later.
  await age(database, 'gifts.mailed_at', '11 minutes')
  await page.route('**/api/admin/gifts/check', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), is_mail_kept: false } })
  })
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await again.check()
  await page.getByRole('button', { name: 'Send 1 email' }).click()
  await page.getByRole('button', { name: 'Begin a new list' }).click()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('')
  await expect
    .poll(
      async () => (await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('A gift')).length,
    )
    .toBe(2)
  expect(refusals(complaints)).toHaveLength(1)
  await expect(page.getByRole('link', { name: 'maria@example.com' })).toBeVisible()
  const mail = await shop.mailbox.to('maria@example.com', /A gift for you/)
  expect(mail.text).toContain('Thank you for reading early.')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'maria@example.com' }).click()
  await expect(page.getByText('$0.00').first()).toBeVisible()
})
