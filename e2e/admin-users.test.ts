// The author in the admin area: who may come in, accounts, messages.
import { buy, enter, enterAdmin, makeUser, password, signIn, someone } from './users.ts'
import { admin, expect, refusals, test } from './shop.ts'

test('a visitor is sent to sign in, a user to the dashboard with the reason', async ({
  page,
  shop,
  complaints,
}) => {
  await page.goto('/admin/users')
  await expect(page).toHaveURL(/\/auth\?next=%2Fadmin%2Fusers$/)
  await enter(page, shop, await makeUser(shop))
  await page.goto('/admin')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(page.getByText("You don't have admin privileges")).toBeVisible()
  refusals(complaints)
})

test('after a sign-in by the keyboard the heading has the focus', async ({ page, shop }) => {
  const user = { email: await makeUser(shop), password }
  for (const [path, { email, password: secret }, heading] of [
    ['/admin', admin, 'Admin Dashboard'],
    ['/dashboard', user, `Welcome, ${user.email}`],
  ] as const) {
    await page.goto('/')
    await page.evaluate(() => localStorage.clear())
    await page.goto(path)
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password', { exact: true }).fill(secret)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: heading })).toBeFocused()
    await page.reload()
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByRole('heading', { name: heading })).not.toBeFocused()
  }
})

test('the header leads to each view, back, and out', async ({ page, shop }) => {
  await enterAdmin(page, shop)
  await expect(page.getByText('Total Revenue')).toBeVisible()
  await page.getByRole('link', { name: 'Upload Ebook' }).click()
  await expect(page).toHaveURL('/admin/upload')
  await page.getByRole('link', { name: 'View Dashboard' }).click()
  const views = page.getByRole('navigation', { name: 'Views' })
  for (const name of ['Purchases', 'Shipping', 'Sales', 'Products', 'Messages', 'Log']) {
    await views.getByRole('link', { name, exact: name === 'Log' }).click()
    await expect(views.getByRole('link', { name, exact: name === 'Log' })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Users', exact: true })).toHaveAttribute('aria-current', 'page')
  await views.getByRole('link', { name: 'Messages' }).click()
  await expect(page.getByRole('heading', { name: /^Messages/ })).toBeVisible()
  await views.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page).toHaveURL('/admin/audit')
  await page.goBack()
  await expect(page).toHaveURL('/admin/messages')
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Messages/ })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goBack()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
})

test('what is asked for while one signs out ends without an error', async ({ page, shop }) => {
  const { promise: hasSignedOut, resolve: signedOut } = Promise.withResolvers<void>()
  await page.route('**/api/admin/address', async (route) => {
    await hasSignedOut
    await route.continue().catch(() => undefined)
  })
  await page.route('**/auth/v1/logout?*', async (route) => {
    await route.fulfill({ response: await route.fetch() })
    signedOut()
  })
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/admin/address'))
  await enterAdmin(page, shop)
  await expect(page.getByText('Total Revenue')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Signed Out')).toBeVisible()
  await ended
})

test('an account is made with a generated password, signs in, and is found and changed', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  const email = someone()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Display name (optional)').fill('Priscilla of Pontus')
  await page.getByRole('button', { name: 'Generate' }).click()
  const made = await page.getByLabel('Password', { exact: true }).inputValue()
  expect(made).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/)
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText('User Created')).toBeVisible()
  expect((await signIn(shop, { email, password: made })).access_token).toBeTruthy()

  await page.getByPlaceholder('Search users...').fill('priscilla')
  await expect(page.getByText(/^1 of \d+ users$/)).toBeVisible()
  const row = page.getByRole('row', { name: /Priscilla of Pontus/ })
  await expect(row).toContainText('User')
  await expect(row).toContainText('Never')
  await page.getByRole('link', { name: 'Priscilla of Pontus' }).click()
  await page.getByRole('button', { name: 'Take away the role user' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click()
  await expect(page.getByText('Role Taken Away')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Give the role user' })).toBeVisible()
  await page.getByRole('button', { name: 'Disable the account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByRole('button', { name: 'Enable the account' })).toBeVisible()
})

test('a taken address is refused in words, and what was typed stays', async ({ page, shop, complaints }) => {
  const email = await makeUser(shop)
  await enterAdmin(page, shop, '/admin/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText('An account with this email address already exists.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  expect(refusals(complaints)).toHaveLength(1)
})

test('a person’s page holds what they bought, and leads to it', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await buy(shop, await signIn(shop, { email, password }), 'hardcover')
  await enterAdmin(page, shop, `/admin/users?q=${email}`)
  await page.getByRole('link', { name: 'Unknown User' }).click()
  const bought = page.getByRole('table', { name: 'Purchases' }).getByRole('row')
  await expect(bought).toHaveCount(2)
  await expect(bought.last()).toContainText(/Hardcover.*\$39\.99.*completed/i)
  await bought
    .last()
    .getByRole('link', { name: /^#\d+$/ })
    .click()
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
})

test('names are sorted from A to Z first, and who joined last stands first before', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/users')
  const title = (name: string) => page.getByRole('columnheader', { name })
  await expect(title('Joined')).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('link', { name: 'User', exact: true }).click()
  await expect(title('User')).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('link', { name: 'User', exact: true }).click()
  await expect(title('User')).toHaveAttribute('aria-sort', 'descending')
})

test('nobody is found for words that nobody has', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/users')
  await page.getByPlaceholder('Search users...').fill('nobody has this name')
  await expect(page.getByText('No users found')).toBeVisible()
  await expect(page.getByText('Try adjusting your search terms')).toBeVisible()
})
