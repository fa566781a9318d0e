// Signing in with a second factor: enrolled through the API, given in the browser.
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectAccessible } from './accessible.ts'
import {
  buy,
  saveSession,
  linksTo,
  makeUser,
  password,
  post,
  signIn,
  someone,
  type Session,
} from './users.ts'
import { admin, expect, refusals, test, type Shop } from './shop.ts'
import { expectToast } from './toast.ts'

type Enrolled = { id: string; secret: string }

const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })

async function enrol(shop: Shop, { access_token }: Session, friendly_name = 'Phone'): Promise<Enrolled> {
  const wish = { factor_type: 'totp', friendly_name }
  const factor = await post<{ id: string; totp: { secret: string } }>(
    shop,
    '/auth/v1/factors',
    wish,
    access_token,
  )
  return { id: factor.id, secret: factor.totp.secret }
}

/** Codes count up from the one before this moment's, for none is taken twice. */
async function prove(
  shop: Shop,
  session: Session,
  { id, secret }: Enrolled,
  stepsAhead = -1,
): Promise<Session> {
  const path = `/auth/v1/factors/${id}`
  const challenge = await post<{ id: string }>(shop, `${path}/challenge`, {}, session.access_token)
  const response = { challenge_id: challenge.id, code: codeOf(secret, stepsAhead) }
  const proven = await post<Session>(shop, `${path}/verify`, response, session.access_token)
  return { ...proven, expires_at: Math.floor(Date.now() / 1000) + proven.expires_in }
}

async function makeUserWithFactor(shop: Shop) {
  const email = await makeUser(shop)
  const session = await signIn(shop, { email, password })
  await buy(shop, session, 'digital')
  const factor = await enrol(shop, session)
  const proven = await prove(shop, session, factor)
  return { email, factor, proven }
}

async function givePassword(page: Page, email: string) {
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign In' }).click()
}

async function giveCode(page: Page, code: string) {
  await page.getByLabel('Six-digit code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a user who has a second factor gives its code after the password, also after a reload, and then is in', async ({
  page,
  shop,
  complaints,
}) => {
  const { email, factor } = await makeUserWithFactor(shop)
  await page.goto('/dashboard')
  await givePassword(page, email)
  const code = page.getByLabel('Six-digit code')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await expect(page.getByText('Welcome back!')).toHaveCount(0)
  await expectAccessible(page)

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
})

test('a user who cannot give the code uses another account', async ({ page, shop }) => {
  const { email } = await makeUserWithFactor(shop)
  await page.goto('/auth')
  await givePassword(page, email)
  await page.getByRole('button', { name: 'Use another account' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await givePassword(page, await makeUser(shop))
  await expect(page).toHaveURL(`${shop.url}/`)
})

test('a user whose authenticator is lost signs in with a recovery code, once', async ({
  page,
  shop,
  complaints,
}) => {
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
  await expectAccessible(page)
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

test('a user who has two factors chooses one of them', async ({ page, shop }) => {
  const { email, factor, proven } = await makeUserWithFactor(shop)
  const strong = await prove(shop, proven, factor, 0)
  const tablet = await enrol(shop, strong, 'Tablet')
  await prove(shop, strong, tablet)
  await page.goto('/auth')
  await givePassword(page, email)
  await page.getByLabel('Authenticator').selectOption('Tablet')
  await expectAccessible(page)
  await giveCode(page, codeOf(tablet.secret))
  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
})

test('a forgotten password is replaced with the mail and the code', async ({ page, shop }) => {
  const { email, factor } = await makeUserWithFactor(shop)
  await post(shop, '/auth/v1/recover', { email })
  const [link] = await linksTo(shop, email, /choose a new password/i)
  await page.goto(link!)
  await page.getByRole('button', { name: 'Choose a new password' }).click()
  await expect(page.getByRole('dialog', { name: 'Enter your code' })).toBeVisible()
  await expectAccessible(page)
  await giveCode(page, codeOf(factor.secret))
  await page.getByRole('textbox', { name: 'New password' }).fill('nine better words')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(page.getByText('You are signed in with your new password.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
})

test('a page that has not heard of the second factor yet asks for the code when the server does', async ({
  page,
  shop,
  complaints,
}) => {
  const { email, factor } = await makeUserWithFactor(shop)
  const half = await signIn(shop, { email, password })
  await saveSession(page, JSON.stringify({ ...half, user: { id: crypto.randomUUID(), email, factors: [] } }))
  await page.goto('/dashboard')
  await giveCode(page, codeOf(factor.secret))
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(refusals(complaints).length).toBeGreaterThan(0)
})

test('an admin resets a second factor with the own password, and the user is in without a code', async ({
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
  await expectAccessible(page)
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
})

test('an admin who has a second factor gives its code for that, too', async ({ page, shop, complaints }) => {
  const { email } = await makeUserWithFactor(shop)
  const own = { email: someone(), password }
  const { access_token } = await signIn(shop, admin)
  await post(shop, '/functions/v1/admin-create-user', { ...own, role: 'admin' }, access_token)
  const session = await signIn(shop, own)
  const factor = await enrol(shop, session)
  await saveSession(page, JSON.stringify(await prove(shop, session, factor)))
  await page.goto(`/admin/users?q=${email}`)
  await page.getByRole('main').getByRole('link', { name: 'Unknown User' }).click()
  await page.getByRole('button', { name: 'Reset the second factor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset the second factor?' })
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
