// The card at /auth keeps still, keeps the address that was typed, and is the same after a reload.
import type { Page } from '@playwright/test'
import { fillSignUp, makeUser, password, someone } from './users.ts'
import { expect, refusals, test } from './shop.ts'

const signIn = (page: Page) => page.getByRole('tabpanel', { name: 'Sign In' })
const signUp = (page: Page) => page.getByRole('tabpanel', { name: 'Sign Up' })

for (const [device, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1360, height: 900 }],
] as const)
  test(`on ${device} nothing moves between the forms, nor with what is wrong`, async ({
    page,
    complaints,
  }) => {
    await page.setViewportSize(viewport)
    await page.goto('/auth')
    const card = page.locator('main section')
    const still = await card.boundingBox()
    const expectStill = async () => expect(await card.boundingBox()).toEqual(still)
    const button = await signIn(page).getByRole('button', { name: 'Sign In' }).boundingBox()
    await signIn(page).getByLabel('Email').fill('nobody@example.com')
    await signIn(page).getByLabel('Password', { exact: true }).fill('not the password')
    await signIn(page).getByRole('button', { name: 'Sign In' }).click()
    await expect(signIn(page).getByText('Invalid login credentials')).toBeVisible()
    await expectStill()
    expect(await signIn(page).getByRole('button', { name: 'Sign In' }).boundingBox()).toEqual(button)

    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await expectStill()
    await signUp(page).getByLabel('Password', { exact: true }).fill('nine')
    await signUp(page).getByLabel('Confirm Password').fill('nine')
    await signUp(page).getByRole('button', { name: 'Sign Up' }).click()
    await expect(signUp(page).getByText('Password must be at least 6 characters long.')).toBeVisible()
    await expectStill()
    await page.getByRole('tab', { name: 'Sign In' }).click()
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expectStill()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    await expectStill()
    expect(refusals(complaints)).toHaveLength(1)
  })

test('the first field has the focus, the address goes along, and a reload shows the same form', async ({
  page,
  shop,
}) => {
  await page.goto('/auth?next=/dashboard')
  await expect(signIn(page).getByLabel('Email')).toBeFocused()
  await page.keyboard.type('ruth@example.com')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(signUp(page).getByLabel('Email')).toHaveValue('ruth@example.com')
  await expect(signUp(page).getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'At least 6 characters',
  )
  await signUp(page).getByLabel('Password', { exact: true }).fill(password)
  await page.reload()
  await expect(signUp(page).getByLabel('Email')).toHaveValue('ruth@example.com')
  await expect(signUp(page).getByLabel('Password', { exact: true })).toHaveValue('')
  await expect(signUp(page).getByLabel('Password', { exact: true })).toBeFocused()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(password)
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  const forgotten = page.getByRole('form', { name: 'Forgot your password?' }).getByLabel('Email')
  await expect(forgotten).toBeFocused()
  await expect(forgotten).toHaveValue('ruth@example.com')
  await page.reload()
  await expect(forgotten).toHaveValue('ruth@example.com')
  await page.getByRole('button', { name: 'Back to Sign In' }).click()

  const email = await makeUser(shop)
  await signIn(page).getByLabel('Email').fill(email)
  await signIn(page).getByLabel('Password', { exact: true }).fill(password)
  await signIn(page).getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${shop.url}/dashboard`)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
  await page.goto('/auth')
  await expect(signIn(page).getByLabel('Email')).toHaveValue('')
})

test('after the sign-up a reload still says to which address the mail went', async ({ page }) => {
  const email = someone()
  await page.goto('/auth?form=sign-up')
  await fillSignUp(page, email)
  await expect(page.getByText(email)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your account is not confirmed yet' })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
})
