// Getting an account and getting into it: refusals and their words, mailed links, a forgotten password.
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { refuseStorage } from './guests.ts'
import { fillSignUp, linksTo, makeUser, password, signUp, someone } from './users.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'

test('what is wrong with a sign-up or a sign-in is said in the exact words, and nothing typed is lost', async ({
  page,
  shop,
  complaints,
}) => {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  const secret = form.getByLabel('Password', { exact: true })
  await form.getByLabel('Email').fill(someone())
  await secret.fill('nine good words')
  await form.getByLabel('Confirm Password').fill('nine bad words')
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expectToast(page, 'Password Mismatch', 'Passwords do not match.')
  await expect(form.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match.')

  await secret.fill('nines')
  await form.getByLabel('Confirm Password').fill('nines')
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expectToast(page, 'Password Too Short', 'Password must be at least 6 characters long.')
  await expect(secret).toHaveValue('nines')
  await expect(secret).toBeFocused()

  await form.getByLabel('Email').fill('nobody@nowhere')
  await secret.fill(password)
  await form.getByLabel('Confirm Password').fill(password)
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expectToast(page, 'Sign Up Failed', 'Please enter a valid email address.')
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.')
  await expect(form.getByLabel('Email')).toBeFocused()
  await expect(secret).toHaveAccessibleDescription('At least 6 characters')
  await expect(secret).not.toHaveAttribute('aria-invalid')

  await form.getByRole('button', { name: 'Show password' }).first().click()
  await expect(secret).toHaveAttribute('type', 'text')
  await form.getByRole('button', { name: 'Hide password' }).click()
  await expect(secret).toHaveAttribute('type', 'password')

  const email = await makeUser(shop)
  await page.getByRole('tab', { name: 'Sign In' }).click()
  const signIn = await fillSignIn(page, email, 'not the password')
  await signIn.press('Enter')
  await expectToast(page, 'Sign In Failed', 'Invalid login credentials')
  await expect(page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email')).toHaveValue(email)
  await expect(signIn).toBeFocused()
  await expect(signIn).toHaveAccessibleDescription('Invalid login credentials')
  expect(refusals(complaints)).toHaveLength(1)
})

test('after the sign-up, "Back to Sign In" leads there', async ({ page }) => {
  await page.goto('/auth')
  await fillSignUp(page, someone())
  await page.getByRole('button', { name: 'Back to Sign In' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a sign-in before the address is confirmed says so, and the mail it sends again works', async ({
  page,
  shop,
  complaints,
}) => {
  const email = `with-a-name-that-nothing-breaks-${someone()}`
  await signUp(shop, email)
  await linksTo(shop, email, /confirm/i)
  await page.goto('/auth')
  await (await fillSignIn(page, email, password)).press('Enter')
  await expect(page.getByText('Your email address is not confirmed yet.')).toBeVisible()
  const [card, field] = [page.locator('main section'), page.getByRole('textbox', { name: 'Email' })]
  expect((await field.boundingBox())!.width).toBeLessThan((await card.boundingBox())!.width)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Write the email again' }).click()
  await expect(page.getByText('Written: the author has it')).toBeVisible()

  const [, second] = await linksTo(shop, email, /confirm/i, 2)
  await page.goto(second!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
  await expect(page.getByText('Your email address is confirmed and you are signed in.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

test('a browser that keeps no sign-in says so', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await refuseStorage(page)
  await page.goto('/auth')
  await (await fillSignIn(page, email, password)).press('Enter')
  await expect(page.getByText(/This browser keeps no sign-in/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true }).last()).toBeEnabled()
})

test('a mailed link acts on the press, not on the visit, and once', async ({ page, shop, complaints }) => {
  const email = someone()
  await signUp(shop, email)
  const [link] = await linksTo(shop, email, /confirm/i)
  await page.request.head(link!)
  await page.request.get(link!)
  await page.goto(link!)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)
  await page.goto(link!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
  await expect(page.getByText('Your email address is confirmed and you are signed in.')).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)

  await page.goto(link!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
  await expect(page.getByRole('dialog', { name: 'This link has expired' })).toBeVisible()
  await expectAccessible(page)
  expect(refusals(complaints)).toHaveLength(1)
})

test('a forgotten password is replaced through the mailbox, and the old one is refused from then on', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  const fresh = 'nine better words'
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  // The field of the sign-in form may not be hidden yet.
  const forgotten = page.getByRole('form', { name: 'Forgot your password?' })
  await forgotten.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(`If ${email} has an account`)).toBeVisible()
  await expectAccessible(page)

  const [link] = await linksTo(shop, email, /password/i)
  await page.goto(link!)
  await page.getByRole('button', { name: 'Choose a new password' }).click()
  const secret = page.getByRole('textbox', { name: 'New password' })
  await expect(secret).toBeVisible()
  await expectAccessible(page)
  await secret.fill(fresh)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(page.getByText('You are signed in with your new password.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()

  await page.goto('/auth')
  await (await fillSignIn(page, email, password)).press('Enter')
  await expectToast(page, 'Sign In Failed', 'Invalid login credentials')
  expect(refusals(complaints)).toHaveLength(1)
  await (await fillSignIn(page, email, fresh)).press('Enter')
  await expectToast(page, 'Welcome back!', 'You have successfully signed in.')
  await expect(page).toHaveURL(`${shop.url}/`)
})

/** Answers with the field that Enter sends the form from. */
async function fillSignIn(page: Page, email: string, secret: string): Promise<Locator> {
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  const field = form.getByLabel('Password', { exact: true })
  await field.fill(secret)
  return field
}
