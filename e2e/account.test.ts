// One’s own account: its name, password, sessions, data and address, and its end.
import { eraseAccount } from '#domains/privacy/account-erasure.ts'
import { openDatabase } from '#platform/db/client.ts'
import { expectSignInPage } from './leaving.ts'
import { part } from './part.ts'
import { expect, refusals, test, visitHydrated } from './shop.ts'
import {
  ageProof,
  buy,
  enter,
  enterAdmin,
  linksTo,
  makeUser,
  password,
  signIn,
  someone,
  takeAsReal,
  userIdOf,
} from './users.ts'

test('a reader manages the account: name, password and sessions, an address, all data, the erasure', async ({
  page,
  context,
  shop,
  chrome,
  complaints,
}) => {
  await part(
    page,
    'the account is reached from the dashboard; name and password are changed, sessions ended',
    async () => {
      await page.goto('/account')
      await expectSignInPage(page, `${shop.url}/auth?next=/account`)
      const email = await makeUser(shop)
      const other = await signIn(shop, { email, password })
      for (let times = 0; times < 2; times += 1) await signIn(shop, { email, password })
      await enter(page, shop, email)
      await page.goto('/dashboard')
      await page.getByRole('link', { name: 'Your account' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account')
      await expect(page.getByText(`Emails from this shop go to ${email}.`)).toBeVisible()

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

      const sessions = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Where you are signed in' }) })
      await expect(sessions.getByRole('listitem')).toHaveCount(4)
      await expect(sessions.getByText('This browser')).toHaveCount(1)
      await sessions
        .getByRole('button', { name: /^Sign out:/ })
        .first()
        .click()
      await expect(page.getByText('Signed Out There')).toBeVisible()
      await expect(sessions.getByRole('listitem')).toHaveCount(3)
      await sessions.getByRole('button', { name: 'Sign out all others' }).click()
      await expect(page.getByText('All Others Signed Out')).toBeVisible()
      await expect(sessions.getByRole('listitem')).toHaveCount(1)
      await page.reload()
      await expect(sessions.getByText('This browser')).toBeVisible()
      const later = await signIn(shop, { email, password })
      const part = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Your password' }) })
      const field = part.getByLabel('New password')
      const savePassword = part.getByRole('button', { name: 'Save the password' })
      await savePassword.click()
      await expect(field).toBeFocused()
      await field.fill('nine')
      await savePassword.click()
      await expect(field).toHaveAccessibleDescription(/at least 6 characters/)
      await field.fill(password)
      await savePassword.click()
      await expect(field).toHaveAccessibleDescription(/must differ from the old one/)
      await field.fill('  ten even better words ')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Password Saved')).toBeVisible()
      await expect(field).toHaveValue('')
      for (const { access_token } of [other, later]) {
        const headers = { authorization: `Bearer ${access_token}` }
        expect((await fetch(`${shop.url}/api/me`, { headers })).status).toBe(401)
      }
      await signIn(shop, { email, password: '  ten even better words ' })
      expect(refusals(complaints)).toHaveLength(1)
    },
  )

  await part(page, 'an address is changed on a phone, from both mailboxes', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const old = await makeUser(shop)
    await enter(page, shop, old)
    await ageProof(shop, old)
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
    await other.getByRole('link', { name: 'Go to your account' }).click()
    await expect(other.getByText('A link for')).toBeVisible()
    await other.goto((await linksTo(shop, to, /confirm your new/, 3)).at(-1)!)
    await expect(other.getByText('not the browser')).toHaveCount(0)
    await other.getByRole('button', { name: 'Confirm the new address' }).click()
    await expect(other).toHaveURL(`${shop.url}/account`)
    await expect(other.getByText(`You sign in with ${to}`)).toBeVisible()
    refusals(complaints)
  })

  await part(
    page,
    'a press in another browser says before what ends, and leads to a new password',
    async () => {
      const viewport = { width: 390, height: 844 }
      await page.setViewportSize(viewport)
      const old = await makeUser(shop)
      const { access_token } = await enter(page, shop, old)
      const to = someone()
      const headers = { authorization: `Bearer ${access_token}` }
      const path = `/auth/v1/user?redirect_to=${encodeURIComponent(`${shop.url}/account`)}`
      const asked = await page.request.put(path, { headers, data: { email: to } })
      expect(asked.status()).toBe(200)

      await using stranger = await chrome.newContext({ baseURL: shop.url, viewport, reducedMotion: 'reduce' })
      const there = visitHydrated(await stranger.newPage())
      const [link = ''] = await linksTo(shop, to, /confirm your new/)
      await there.goto(link)
      await expect(there.getByText('This is not the browser in which')).toBeVisible()
      await expect(
        there.getByRole('button', { name: 'Open it in the browser where you asked' }),
      ).toBeVisible()
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
    },
  )

  await part(
    page,
    'a reader sees all that the shop has of them, saves it, and is told by email',
    async () => {
      const email = await makeUser(shop)
      await buy(shop, await enter(page, shop, email), 'paperback')
      await page.goto('/account')
      await page.getByRole('link', { name: 'See your data' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your data')
      await expect(page.getByRole('heading', { name: 'Emails to you' })).toBeVisible()
      const purchases = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Purchases' }) })
      await expect(purchases.getByText('$24.99')).toBeVisible()
      await expect(purchases.getByText('completed')).toBeVisible()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a file (JSON)' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^Your data \d{4}-\d\d-\d\d\.json$/)
      const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString()
      expect(JSON.parse(text)).toMatchObject({
        lists: { account: [{ email }], purchases: [{ amount: 24.99 }] },
      })
      await shop.mailbox.to(email, /Your data were opened/)

      // After a while, only with the password.
      await ageProof(shop, email)
      await page.reload()
      const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await dialog.getByLabel('Your password').fill(password)
      await page.keyboard.press('Enter')
      await expect(purchases.getByText('$24.99')).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
    },
  )

  await part(
    page,
    'a reader asks for the erasure, changes their mind, asks again, and is erased',
    async () => {
      const email = await makeUser(shop)
      const session = await enter(page, shop, email)
      await buy(shop, session, 'digital')
      await takeAsReal(shop, email)
      await using database = openDatabase(shop.databaseUrl, { max: 1 })
      await ageProof(shop, email)

      await page.goto('/account')
      await page.getByRole('button', { name: 'Erase my account' }).click()
      const question = page.getByRole('dialog', { name: 'Erase your account?' })
      await question.getByRole('button', { name: 'Erase my account' }).click()
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await proof.getByLabel('Your password').fill(password)
      await page.keyboard.press('Enter')
      await expect(page.getByText(/^Your account will be erased on /)).toBeVisible()
      const mail = await shop.mailbox.to(email, /account will be erased/)
      expect(mail.text).toContain(`${shop.url}/account`)
      await page.getByRole('link', { name: 'Back to Dashboard' }).click()
      const notice = page.getByRole('alert').filter({ hasText: 'Your account will be erased on' })
      await expect(notice).toBeVisible()
      await notice.getByRole('link', { name: 'Your account' }).click()
      await page.getByRole('button', { name: 'Keep my account' }).click()
      await expect(page.getByText('Your Account Stays')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Erase my account' })).toBeVisible()
      await expect(page.getByText(/^Your account will be erased on /)).toBeHidden()

      const user_id = await userIdOf(shop, email)
      await database.db.transaction((tx) => eraseAccount(tx, { user_id, now: new Date() }))
      await page.reload()
      await expectSignInPage(page, `${shop.url}/auth?next=/account`)

      expect(refusals(complaints)).not.toEqual([])

      await enterAdmin(page, shop, `/admin/users/${user_id}`)
      await expect(page.getByText('This account was erased.')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Erased account' })).toBeVisible()
      await page.getByRole('link', { name: /^#\d+/ }).click()
      await page.getByRole('button', { name: 'Show who paid' }).click()
      await page.getByRole('button', { name: 'Show the name' }).click()
      await expect(page.getByText(email)).toBeVisible()
      await expect(page.getByText(/^Kept until the end of 20\d\d$/)).toBeVisible()
    },
  )
})
