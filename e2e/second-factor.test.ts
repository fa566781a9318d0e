// Second factors: added on the account page, given at the sign-in, lost, and reset by an admin.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { part } from './part.ts'
import {
  addAuthenticator,
  codeOf,
  enrol,
  givePassword,
  loseAuthenticator,
  makeUserWithFactor,
  prove,
} from './factors.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { enter, linksTo, makeUser, password, post, saveSession, signIn, someone } from './users.ts'

test('an authenticator app and a passkey are added, used, lost and removed', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'an authenticator app is added with its key, counts once its code was right, and is removed',
    async () => {
      const email = await makeUser(shop)
      await enter(page, shop, email)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Add an authenticator app' }).click()
      const dialog = page.getByRole('dialog', { name: 'Set up the app' })
      await expect(dialog.getByRole('img', { name: 'QR code for the app' })).toBeVisible()
      const key = (await dialog.locator('dd').textContent())!.replaceAll(' ', '')
      const totp = new TOTP({ secret: Secret.fromBase32(key) })
      const code = dialog.getByLabel('Code that the app shows')
      const right = totp.generate()
      await code.fill(right === '000000' ? '111111' : '000000')
      await dialog.getByRole('button', { name: 'Check the code' }).click()
      await expect(code).toHaveAccessibleDescription('The code is not right.')
      expect(refusals(complaints)).toHaveLength(1)
      await code.fill(totp.generate())
      await dialog.getByRole('button', { name: 'Check the code' }).click()
      const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
      const first = await shown.getByRole('listitem').first().textContent()
      await page.emulateMedia({ media: 'print' })
      await expect(shown.getByText(email)).toBeVisible()
      await expect(
        page.getByRole('heading', { name: 'Your account', exact: true, includeHidden: true }),
      ).toHaveCSS('visibility', 'hidden')
      await page.emulateMedia({ media: 'screen' })
      await shown.getByRole('button', { name: 'I have saved them' }).click()

      await page.getByRole('button', { name: 'Make new codes' }).click()
      const confirm = page.getByRole('dialog', { name: 'Make new recovery codes?' })
      await confirm.getByRole('button', { name: 'Make new codes' }).click()
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await proof.getByLabel('Your password').fill(password)
      await proof.getByLabel('Six-digit code').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
      await page.keyboard.press('Enter')
      await expect(shown.getByRole('listitem')).toHaveCount(10)
      expect(await shown.getByRole('listitem').first().textContent()).not.toBe(first)
      expect(refusals(complaints)).toHaveLength(1)
      await shown.getByRole('button', { name: 'I have saved them' }).click()

      await page.getByRole('button', { name: 'Remove Authenticator 1' }).click()
      const remove = page.getByRole('dialog', { name: 'Remove this authenticator?' })
      await expect(remove.getByText('It is your last second step')).toBeVisible()
      await remove.getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByText('Authenticator Removed')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeHidden()
      await signOut(page)
      await givePassword(page, email)
      await expect(page.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible()
    },
  )

  await part(
    page,
    'a passkey is added, signs in, is lost, and is replaced by means of a recovery code',
    async () => {
      const email = await makeUser(shop)
      await enter(page, shop, email)
      const { client, authenticatorId } = await addAuthenticator(page)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
      await dialog.getByLabel('Name').fill('Laptop')
      await dialog.getByRole('button', { name: 'Add a passkey' }).click()
      const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
      await expect(shown.getByRole('listitem')).toHaveCount(10)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        shown.getByRole('button', { name: 'Save as a file' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('Recovery codes.txt')
      const saved = await readFile(await file.path(), 'utf8')
      const codes = saved.match(/^(?:[a-z\d]{4} ){3}[a-z\d]{4}$/gm)!
      expect(codes).toHaveLength(10)
      expect(saved).toContain(email)
      await shown.getByRole('button', { name: 'I have saved them' }).click()
      const passkeys = page.getByRole('list', { name: 'Passkeys' })
      await expect(passkeys.getByText('Laptop')).toBeVisible()
      await expect(passkeys.getByText('Not used yet')).toBeVisible()
      await expect(page.getByText('10 codes are left.')).toBeVisible()
      await page.reload()
      await expect(page.getByText('10 codes are left.')).toBeVisible()
      await shop.mailbox.to(email, /A passkey was added to your account/)

      await signOut(page)
      await page.getByRole('button', { name: 'Use a passkey instead' }).click()
      await expectToast(page, 'Welcome back!', 'You have successfully signed in.')
      await expect(passkeys.getByText(/Last used/)).toBeVisible()

      await signOut(page)
      await givePassword(page, email)
      await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
      await page.getByRole('button', { name: 'Use your passkey' }).click()
      await expect(passkeys.getByText('Laptop')).toBeVisible()

      await signOut(page)
      await loseAuthenticator(client, authenticatorId)
      await givePassword(page, email)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(codes[0])
      await page.keyboard.press('Enter')
      await expect(page.getByText('9 codes are left.')).toBeVisible()

      const next = await addAuthenticator(page)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await dialog.getByRole('button', { name: 'Add a passkey' }).click()
      await expect(passkeys.getByText('Passkey 2')).toBeVisible()
      await page.getByRole('button', { name: 'Rename Passkey 2' }).click()
      const rename = page.getByRole('dialog', { name: 'Rename the passkey' })
      await rename.getByLabel('Name').fill('Laptop')
      await rename.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('A second factor with this name already exists.')).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
      await rename.getByLabel('Name').fill('New laptop')
      await rename.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Remove Laptop' }).click()
      const remove = page.getByRole('dialog', { name: 'Remove this passkey?' })
      await remove.getByRole('button', { name: 'Remove' }).click()
      await expect(passkeys.getByRole('listitem')).toHaveCount(1)

      await signOut(page)
      await page.getByRole('button', { name: 'Use a passkey instead' }).click()
      await expect(passkeys.getByText('New laptop')).toBeVisible()
      await loseAuthenticator(next.client, next.authenticatorId)
    },
  )
})

test('a second factor is asked for at the sign-in, by whom it is known, and may be lost', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'a user who has a second factor gives its code after the password, also after a reload, and then is in',
    async () => {
      const { email, factor } = await makeUserWithFactor(shop)
      await page.goto('/dashboard')
      await givePassword(page, email)
      const code = page.getByLabel('Six-digit code')
      await expect(code).toBeFocused()
      await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
      await expect(code).toHaveAttribute('inputmode', 'numeric')
      await expect(page.getByText('Welcome back!')).toHaveCount(0)

      await giveCode(page, '12 34')
      await expect(code).toHaveAccessibleDescription('The code has six digits.')
      const wrong = ['000000', '111111'].find((each) => each !== codeOf(factor.secret))!
      await giveCode(page, wrong)
      await expect(code).toHaveAccessibleDescription('The code is not right.')
      await expect(code).toBeFocused()
      expect(refusals(complaints)).toHaveLength(1)

      for (const path of ['/auth', '/dashboard', '/admin', '/dashboard/receipts/1']) {
        await page.goto(path)
        await expect(code).toBeVisible()
      }
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Sign Out' })).toBeHidden()

      await page.goto('/dashboard')
      const right = codeOf(factor.secret)
      await giveCode(page, `${right.slice(0, 3)} ${right.slice(3)}`)
      await expectToast(page, 'Welcome back!', 'You have successfully signed in.')
      await expect(page).toHaveURL(`${shop.url}/dashboard`)
      await expect(page.getByRole('listitem')).toHaveCount(1)
      await page.reload()
      await expect(page.getByRole('listitem')).toHaveCount(1)
    },
  )

  await part(
    page,
    'a user who cannot give the code uses another account; one who has two factors chooses one of them',
    async () => {
      const { email, factor, proven } = await makeUserWithFactor(shop)
      await page.goto('/auth')
      await givePassword(page, email)
      await page.getByRole('button', { name: 'Use another account' }).click()
      await expect(page.getByRole('tabpanel', { name: 'Sign In' })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await givePassword(page, await makeUser(shop))
      await expect(page).toHaveURL(`${shop.url}/`)
      await page.evaluate(() => localStorage.clear())
      const strong = await prove(shop, proven, factor, 0)
      const tablet = await enrol(shop, strong, 'Tablet')
      await prove(shop, strong, tablet)
      await page.goto('/auth')
      await givePassword(page, email)
      await page.getByLabel('Authenticator').selectOption('Tablet')
      await giveCode(page, codeOf(tablet.secret))
      await expect(page).toHaveURL(`${shop.url}/`)
      await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
    },
  )

  await part(page, 'a user whose authenticator is lost signs in with a recovery code, once', async () => {
    const { email, proven } = await makeUserWithFactor(shop)
    const { codes } = await post<{ codes: string[] }>(
      shop,
      '/auth/v1/factors/recovery-codes',
      {},
      proven.access_token,
    )
    await page.goto('/auth')
    await givePassword(page, email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    const field = page.getByLabel('Recovery code')
    await expect(field).toBeFocused()
    await field.fill('123456')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(field).toHaveAccessibleDescription('A recovery code has 16 letters and digits.')
    await field.fill('abcd-efgh-abcd-efgh')
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription('The code is not right.')
    await field.fill(codes[0]!.toUpperCase().replaceAll(/(.{4})(?=.)/g, '$1-'))
    await field.press('Enter')
    await expect(page).toHaveURL(`${shop.url}/`)
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()

    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByText('Signed Out')).toBeVisible()
    await page.goto('/auth')
    await givePassword(page, email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await field.fill(codes[0]!)
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription('The code is not right.')
    await page.getByRole('button', { name: 'Use your authenticator app' }).click()
    await expect(page.getByLabel('Six-digit code')).toBeFocused()
    expect(refusals(complaints)).toHaveLength(2)
  })

  await part(page, 'a forgotten password is replaced with the mail and the code', async () => {
    const { email, factor } = await makeUserWithFactor(shop)
    await post(shop, '/auth/v1/recover', { email })
    const [link] = await linksTo(shop, email, /choose a new password/i)
    await page.goto(link!)
    await page.getByRole('button', { name: 'Choose a new password' }).click()
    await expect(page.getByRole('dialog', { name: 'Enter your code' })).toBeVisible()
    await giveCode(page, codeOf(factor.secret))
    await page.getByRole('textbox', { name: 'New password' }).fill('nine better words')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await expect(page.getByText('You are signed in with your new password.')).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
  })

  await part(
    page,
    'a page that has not heard of the second factor yet asks for the code when the server does',
    async () => {
      const { email, factor } = await makeUserWithFactor(shop)
      const half = await signIn(shop, { email, password })
      await saveSession(
        page,
        JSON.stringify({ ...half, user: { id: crypto.randomUUID(), email, factors: [] } }),
      )
      await page.goto('/dashboard')
      await giveCode(page, codeOf(factor.secret))
      await expect(page.getByRole('listitem')).toHaveCount(1)
      expect(refusals(complaints).length).toBeGreaterThan(0)
    },
  )
})

test('an admin resets a second factor with the own password, and the own code where there is one; the user is in without', async ({
  page,
  shop,
  complaints,
}) => {
  const { email } = await makeUserWithFactor(shop)
  await saveSession(page, JSON.stringify(await signIn(shop, admin)))
  await page.goto(`/admin/users?q=${email}`)
  await page.getByRole('main').getByRole('link', { name: 'Unknown User' }).click()
  await expect(page.getByText('signs in with a second factor')).toBeVisible()
  await page.getByRole('button', { name: 'Reset the second factor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset the second factor?' })
  const secret = dialog.getByLabel('Your password')
  await secret.fill('not it')
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(secret).toHaveAccessibleDescription('That’s not your password.')
  expect(refusals(complaints)).toHaveLength(1)
  await secret.fill(admin.password)
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page.getByRole('status').getByText('Second Factor Reset')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('signs in with a second factor')).toBeHidden()
  await page.goto('/admin/audit')
  await expect(page.getByText('reset the second factor of').first()).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out')).toBeVisible()
  await page.goto('/auth')
  await givePassword(page, email)
  await expect(page).toHaveURL(`${shop.url}/`)

  const { email: other } = await makeUserWithFactor(shop)
  const own = { email: someone(), password }
  const { access_token } = await signIn(shop, admin)
  await post(shop, '/functions/v1/admin-create-user', { ...own, role: 'admin' }, access_token)
  const session = await signIn(shop, own)
  const factor = await enrol(shop, session)
  await saveSession(page, JSON.stringify(await prove(shop, session, factor)))
  await page.goto(`/admin/users?q=${other}`)
  await page.getByRole('main').getByRole('link', { name: 'Unknown User' }).click()
  await page.getByRole('button', { name: 'Reset the second factor' }).click()
  await dialog.getByLabel('Your password').fill(password)
  const code = dialog.getByLabel('Six-digit code')
  await code.fill(['000000', '111111'].find((each) => each !== codeOf(factor.secret))!)
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(code).toHaveAccessibleDescription('The code is not right.')
  await expect(code).toBeFocused()
  await code.fill(codeOf(factor.secret))
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page.getByRole('status').getByText('Second Factor Reset')).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
  await page.goto('/auth?next=/account')
}

async function giveCode(page: Page, code: string) {
  await page.getByLabel('Six-digit code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}
