// Another address of one's own account: asked for, and confirmed from both mailboxes.
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test, visitUnhurried } from './shop.ts'
import { enter, linksTo, makeUser, password, signIn, someone } from './users.ts'

test('an address is changed on a phone, from both mailboxes', async ({ page, shop, complaints, context }) => {
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
  await other.goto((await linksTo(shop, old, /is to change/, 3)).at(-1)!)
  await expect(other.getByText(`Your account is to get the address ${to}`)).toBeVisible()
  await other.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(other.getByRole('heading', { name: 'One mailbox is missing' })).toBeVisible()
  await expectAccessible(other)
  await other.getByRole('link', { name: 'Go to your account' }).click()
  await expect(other.getByText('A link for')).toBeVisible()
  await other.goto((await linksTo(shop, to, /confirm your new/, 3)).at(-1)!)
  await expect(other.getByText('not the browser')).toHaveCount(0)
  await other.getByRole('button', { name: 'Confirm the new address' }).click()
  await expect(other).toHaveURL(`${shop.url}/account`)
  await expect(other.getByText(`You sign in with ${to}`)).toBeVisible()
  refusals(complaints)
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1360, height: 900 },
])
  test(`${viewport.width} px wide, a press in another browser says before what ends, and leads to a new password`, async ({
    page,
    shop,
    chrome,
  }) => {
    await page.setViewportSize(viewport)
    const old = await makeUser(shop)
    const { access_token } = await enter(page, shop, old)
    const to = someone()
    const headers = { authorization: `Bearer ${access_token}` }
    const path = `/auth/v1/user?redirect_to=${encodeURIComponent(`${shop.url}/account`)}`
    const asked = await page.request.put(path, { headers, data: { email: to } })
    expect(asked.status()).toBe(200)

    await using stranger = await chrome.newContext({ baseURL: shop.url, viewport, reducedMotion: 'reduce' })
    const there = visitUnhurried(await stranger.newPage())
    const [link = ''] = await linksTo(shop, to, /confirm your new/)
    await there.goto(link)
    await expect(there.getByText('This is not the browser in which')).toBeVisible()
    await expect(there.getByRole('button', { name: 'Open it in the browser where you asked' })).toBeVisible()
    await expectAccessible(there)
    await there.setViewportSize(viewport)
    await there.getByRole('button', { name: 'Not now' }).click()
    await page.goto((await linksTo(shop, old, /is to change/))[0]!)
    await page.getByRole('button', { name: 'Confirm the change' }).click()
    await expect(page.getByRole('heading', { name: 'One mailbox is missing' })).toBeVisible()
    await page.goto('/account')
    await expect(page.getByText('A link for')).toBeVisible()

    await there.goto(link)
    await there.getByRole('button', { name: 'Confirm the new address' }).click()
    await there.getByRole('textbox', { name: 'New password' }).fill('ten even better words')
    await there.getByRole('button', { name: 'Save and sign in' }).click()
    await expect(there).toHaveURL(`${shop.url}/account`)
    await expect(there.getByText(`You sign in with ${to}`)).toBeVisible()
    await signIn(shop, { email: to, password: 'ten even better words' })
  })

test('a link that undid a change says that it has ended', async ({ page }) => {
  await page.goto('/account/undo#spent')
  await expect(page.getByRole('heading', { name: 'This link has ended' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Write to us' })).toBeVisible()
  await expectAccessible(page)
})
