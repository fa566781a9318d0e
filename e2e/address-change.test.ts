// Another address of one's own account: asked for, confirmed from the new one, taken back from the old one.
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, linksTo, makeUser, password, signIn, someone } from './users.ts'

test('an address is changed on a phone, and taken back on a wide screen', async ({
  page,
  shop,
  complaints,
  context,
}) => {
  const phone = { width: 390, height: 844 }
  await page.setViewportSize(phone)
  const old = await makeUser(shop)
  await enter(page, shop, old)
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await database.pool.query(
    `update auth.sessions set proved_at = now() - interval '1 hour'
        where user_id = (select id from auth.users where email = $1)`,
    [old],
  )
  await page.goto('/account')
  const part = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Your email address' }) })
  await expect(part.getByText(`You sign in with ${old}`)).toBeVisible()
  await part.getByRole('button', { name: 'Change the address' }).click()
  const field = part.getByLabel('New email address')
  await expect(field).toBeFocused()
  const send = part.getByRole('button', { name: 'Send the link' })
  await field.fill('no address')
  await send.click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(old)
  await send.click()
  await expect(field).toHaveAccessibleDescription(/your address already/)
  await expectAccessible(page)
  await page.setViewportSize(phone)
  const to = someone()
  await field.fill(to)
  await send.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please Confirm the New Address')).toBeVisible()
  const waiting = part.getByText(`A link for ${to} is written`)
  await expect(waiting).toBeVisible()
  await page.reload()
  await expect(waiting).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await shop.mailbox.to(old, /is to change/)
  await part.getByRole('button', { name: 'Write the email again' }).click()
  await linksTo(shop, to, /confirm your new/, 2)
  await part.getByRole('button', { name: 'Cancel the change' }).click()
  await expect(page.getByText('Change Canceled')).toBeVisible()
  await part.getByRole('button', { name: 'Change the address' }).click()
  await field.fill(to)
  await send.click()
  await expect(waiting).toBeVisible()

  const other = await context.newPage()
  await other.goto((await linksTo(shop, to, /confirm your new/, 3)).at(-1)!)
  await other.getByRole('button', { name: 'Confirm the new address' }).click()
  await expect(other).toHaveURL(`${shop.url}/account`)
  await expect(other.getByText(`You sign in with ${to}`)).toBeVisible()

  const { text } = await shop.mailbox.to(old, /was changed/)
  await page.goto(/http:\S+\/account\/undo#[\w-]+/.exec(text!)![0])
  const button = page.getByRole('button', { name: 'Take the address back' })
  await expect(button).toBeVisible()
  await expectAccessible(page)
  await button.click()
  await expect(page.getByRole('heading', { name: 'Your address is back' })).toBeFocused()
  await expect(page).toHaveURL(`${shop.url}/account/undo`)
  await shop.mailbox.to(to, /was undone/)
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByRole('button', { name: 'Choose a new password' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill('ten even better words')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(page).toHaveURL(`${shop.url}/account`)
  await expect(page.getByText(`You sign in with ${old}`)).toBeVisible()
  await signIn(shop, { email: old, password: 'ten even better words' })

  await page.goto('/account/undo#spent')
  await page.reload()
  await button.click()
  await expect(page.getByRole('heading', { name: 'Nothing to take back' })).toBeFocused()
  refusals(complaints)
})
