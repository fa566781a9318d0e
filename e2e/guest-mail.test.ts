// Buying by address in a shop that sends mail: what the pages promise, and how an account gets to its purchase.
import { codeIn } from '#test/auth-client.ts'
import { giveFactor } from '#test/factories.ts'
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { goToPay, openDialog, refuseStorage, takeAsOwnBook } from './guests.ts'
import { payHere } from './paying.ts'
import { mailTo, signInByCode, test } from './mailing.ts'
import { expect, refusals } from './shop.ts'
import { makeUser, someone } from './users.ts'

test.use({ shopName: 'the shop that mails to guests', takesMoney: true })
test.describe.configure({ mode: 'serial' })
test.beforeAll(({ shop }) => takeAsOwnBook(shop))

test('a browser that keeps nothing is led to the link in the receipt, which opens the purchase there', async ({
  page,
  smtp,
}) => {
  await refuseStorage(page)
  const email = someone()
  const dialog = await openDialog(page)
  await expect(dialog.getByText(/keeps nothing for this site/)).toContainText('link in your receipt')
  await expectAccessible(page)
  await dialog.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/pay/cs_test_*')
  await payHere(page)
  await expect(page.getByRole('heading', { name: 'This browser cannot open it' })).toBeVisible()
  await expect(page.getByText('by the link in your receipt')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write to the author' })).toHaveCount(0)
  const { text = '' } = await mailTo(smtp, email, /receipt/i)
  const [link = ''] = /http\S+\/purchase\/[\w-]+#[\w-]{43}/.exec(text) ?? []
  await page.goto('/robots.txt', { waitUntil: 'load' })
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
})

test('the account of the address finds the purchase by a mailed code, after its second factor', async ({
  page,
  shop,
  smtp,
}) => {
  const email = await makeUser(shop)
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ id: string }>('select id from auth.users where email = $1', [
    email,
  ])
  await giveFactor(database.db, rows[0]!.id)
  await goToPay(page, email)
  await payHere(page)
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await signInByCode(page, smtp, email)
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await expectAccessible(page)
})

test('a new buyer has an account of the purchase by a mailed code, and proves to own it by another', async ({
  page,
  shop,
  smtp,
  complaints,
}) => {
  const email = someone()
  await goToPay(page, email)
  await payHere(page)
  await expect(page.getByRole('region', { name: 'On your other devices' })).toBeVisible()
  await mailTo(smtp, email, /receipt/i)
  await signInByCode(page, smtp, email)
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('listitem').filter({ hasText: 'completed' })).toHaveCount(1)
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await database.pool.query(
    `update auth.sessions set proved_at = now() - interval '1 hour'
      where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  await page.goto('/account/data')
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByRole('button', { name: 'Email me a code' }).click()
  await expect(dialog.getByText(`A code is on its way to ${email}.`)).toBeVisible()
  await expectAccessible(page)
  const code = codeIn(await mailTo(smtp, email, /Your code/))
  await dialog.getByLabel('Code from the email').fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Purchases', exact: true })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

test('a likely typo is asked about before the payment, a real one corrected after it, and the receipt printed by its link', async ({
  page,
  chrome,
  shop,
  smtp,
  complaints,
}) => {
  const right = someone()
  const dialog = await openDialog(page)
  await dialog.getByLabel('Email').fill('ruth@gmial.com')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Did you mean ruth@gmail.com?')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'No, it is right' }).click()
  await expect(dialog.getByLabel('Email')).toHaveValue('ruth@gmial.com')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/pay/cs_test_*')
  await payHere(page)
  await expect(page.getByText('The receipt goes to ruth@gmial.com.')).toBeVisible()
  await page.getByRole('button', { name: 'Correct the address' }).click()
  const question = page.getByRole('dialog', { name: 'Correct the address' })
  await expectAccessible(page)
  await question.getByLabel('Email').fill('nobody@nowhere')
  await page.keyboard.press('Enter')
  await expect(question.getByText('Please enter a valid email address.')).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
  await question.getByLabel('Email').fill(right)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`The receipt goes to ${right}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Correct the address' })).toHaveCount(0)
  const { text = '' } = await mailTo(smtp, right, /receipt/i)
  const [link = ''] = /http\S+\/receipt#[\w-]{43}/.exec(text) ?? []
  await using context = await chrome.newContext({ baseURL: shop.url })
  const elsewhere = await context.newPage()
  await elsewhere.goto(link)
  await expect(elsewhere.getByRole('heading', { name: 'Receipt', exact: true })).toBeVisible()
  await expect(elsewhere.getByRole('button', { name: 'Print' })).toBeVisible()
  await expectAccessible(elsewhere)
  await elsewhere.getByRole('link', { name: 'Back to the order' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
})
