// One's own account: what a reader, and an admin, changes of it.
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { buy, enter, makeUser, password, signIn } from './users.ts'

test('the account is reached from the dashboard, and a name is changed and taken away', async ({
  page,
  shop,
}) => {
  await page.goto('/account')
  await expect(page).toHaveURL(`${shop.url}/auth?next=/account`)
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Your account' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account')
  await expect(page.getByText(`They go to ${email}.`)).toBeVisible()
  await expectAccessible(page)

  const name = page.getByLabel('Display name')
  const save = page.getByRole('button', { name: 'Save' }).first()
  await name.fill('Ruth\u0007')
  await save.click()
  await expect(page.getByText('It holds characters that cannot be shown.')).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill('Ruth Brook')
  await save.click()
  await expect(page.getByText('Name Saved')).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Ruth Brook')
  await name.fill('')
  await save.click()
  await expect(page.getByText('Name Saved')).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('')
})

test('a reader sees all that the shop has of them, saves it, and is told by email', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'paperback')
  await page.goto('/account')
  await page.getByRole('link', { name: 'See your data' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your data')
  await expect(page.getByRole('heading', { name: 'Emails to you' })).toBeVisible()
  const purchases = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Purchases' }) })
  await expect(purchases.getByText('$24.99')).toBeVisible()
  await expect(purchases.getByText('completed')).toBeVisible()
  await expectAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file (JSON)' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Your data \d{4}-\d\d-\d\d\.json$/)
  const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString()
  expect(JSON.parse(text)).toMatchObject({ lists: { account: [{ email }], purchases: [{ amount: 24.99 }] } })
  await shop.mailbox.to(email, /Your data were opened/)

  // After a while, only with the password.
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await database.pool.query(
    `update auth.sessions set proved_at = now() - interval '1 hour'
      where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  await page.reload()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(purchases.getByText('$24.99')).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

test('a password is changed, which ends the other sessions, and refused where it is the old one', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  const other = await signIn(shop, { email, password })
  await enter(page, shop, email)
  await page.goto('/account')
  const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your password' }) })
  const field = part.getByLabel('New password')
  const save = part.getByRole('button', { name: 'Save the password' })
  await save.click()
  await expect(field).toBeFocused()
  await field.fill('nine')
  await save.click()
  await expect(field).toHaveAccessibleDescription(/at least 6 characters/)
  await expectAccessible(page)
  await field.fill(password)
  await save.click()
  await expect(field).toHaveAccessibleDescription(/must differ from the old one/)
  await field.fill('  ten even better words ')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Password Saved')).toBeVisible()
  await expect(field).toHaveValue('')
  const headers = { authorization: `Bearer ${other.access_token}` }
  expect((await fetch(`${shop.url}/api/me`, { headers })).status).toBe(401)
  await signIn(shop, { email, password: '  ten even better words ' })
  expect(refusals(complaints)).toHaveLength(1)
})

test('a reader sees where the account is signed in, ends one session, and all others', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  for (let times = 0; times < 3; times += 1) await signIn(shop, { email, password })
  await enter(page, shop, email)
  await page.goto('/account')
  const part = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Where you are signed in' }) })
  await expect(part.getByRole('listitem')).toHaveCount(4)
  await expect(part.getByText('This browser')).toHaveCount(1)
  await expectAccessible(page)
  await part
    .getByRole('button', { name: /^Sign out:/ })
    .first()
    .click()
  await expect(page.getByText('Signed Out There')).toBeVisible()
  await expect(part.getByRole('listitem')).toHaveCount(3)
  await part.getByRole('button', { name: 'Sign out all others' }).click()
  await expect(page.getByText('All Others Signed Out')).toBeVisible()
  await expect(part.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(part.getByText('This browser')).toBeVisible()
})
