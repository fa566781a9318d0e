// One's own account: what a reader, and an admin, changes of it.
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { enter, makeUser } from './users.ts'

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
  await name.fill('Ruth\u202e')
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
