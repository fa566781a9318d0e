// Second factors on the account page, and passkeys, with the browser's virtual authenticator.
import { readFile } from 'node:fs/promises'
import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { enter, enterAdmin, makeUser, password } from './users.ts'

/** A device with a screen lock that its owner opens. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { client, authenticatorId }
}

async function loseAuthenticator(client: CDPSession, authenticatorId: string) {
  await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
  await page.goto('/auth?next=/account')
}

async function givePassword(page: Page, email: string) {
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign In' }).click()
}

test('a passkey is added, signs in, is lost, and is replaced by means of a recovery code', async ({
  page,
  shop,
  complaints,
}) => {
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
  await expectAccessible(page)
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
  await expectAccessible(page)
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
  await expectAccessible(page)
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
  await expectAccessible(page)
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)

  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(passkeys.getByText('New laptop')).toBeVisible()
  await loseAuthenticator(next.client, next.authenticatorId)
})

test('an authenticator app is added with its key, counts once its code was right, and is removed', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up the app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the app' })).toBeVisible()
  const key = (await dialog.locator('dd').textContent())!.replaceAll(' ', '')
  const totp = new TOTP({ secret: Secret.fromBase32(key) })
  await expectAccessible(page)
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
})

test('an admin is asked for a second factor until "Not now"', async ({ page, shop }) => {
  await enterAdmin(page, shop)
  const notice = page.getByRole('note').filter({ hasText: 'add a second factor' })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Not now' }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(notice).toBeHidden()
})
