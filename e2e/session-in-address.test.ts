// Links that carry a session: nobody is signed in, or moved into another account, by opening an address.
import type { Page } from '@playwright/test'
import { enter, storedSession, makeUser, password, signIn, type Session } from './users.ts'
import { expect, refusals, test } from './shop.ts'

/** As GoTrue writes it for its implicit flow. */
function tokensOf({ access_token, refresh_token }: Session, type: string): string {
  const expires_at = String(Math.floor(Date.now() / 1000) + 900)
  return new URLSearchParams({
    access_token,
    refresh_token,
    expires_in: '900',
    expires_at,
    token_type: 'bearer',
    type,
  }).toString()
}

async function expectNoTokens(page: Page) {
  await expect.poll(() => page.evaluate(() => location.href)).not.toContain('access_token')
  // One step back leads away from the page, not to the tokens again.
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('access_token')
}

const forms = [
  (tokens: string) => `/#${tokens}`,
  (tokens: string) => `/?${tokens}`,
  (tokens: string) => `/auth?next=/dashboard#${tokens}`,
]

test('a link with the session of another leaves a signed-in user in their own account', async ({
  page,
  shop,
}) => {
  const stranger = await signIn(shop, { email: await makeUser(shop), password })
  const email = await makeUser(shop)
  const own = await enter(page, shop, email)
  for (const address of forms) {
    for (const type of ['signup', 'recovery']) {
      await page.goto(address(tokensOf(stranger, type)))
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
      expect((await storedSession(page)).refresh_token).toBe(own.refresh_token)
    }
  }
})

test('a link with a session signs nobody in, and its tokens leave the address', async ({ page, shop }) => {
  const stranger = await signIn(shop, { email: await makeUser(shop), password })
  const tokens = tokensOf(stranger, 'signup')
  for (const address of forms) {
    await page.goto(address(tokens))
    await expectNoTokens(page)
    expect(await storedSession(page)).toBeNull()
  }
  await page.goto('/')
  await page.evaluate((hash) => (location.hash = hash), tokens)
  await expectNoTokens(page)
  expect(await storedSession(page)).toBeNull()
})

test('auth-js, loaded while tokens stand in the address, takes none', async ({ page, shop, complaints }) => {
  const stranger = await signIn(shop, { email: await makeUser(shop), password })
  await page.goto('/auth')
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill('nobody@example.com')
  await form.getByLabel('Password', { exact: true }).fill('not the password')
  // No event tells of this, so the page cannot have taken them away.
  await page.evaluate(
    (hash) => history.replaceState(history.state, '', hash),
    `#${tokensOf(stranger, 'signup')}`,
  )
  await form.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Sign In Failed')).toBeVisible()
  expect(await storedSession(page)).toBeNull()
  refusals(complaints)
})

test('a mailed link names the account that is signed in before it may lead to another', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/?token_hash=of-another-account&type=signup')
  const dialog = page.getByRole('dialog', { name: 'Confirm your email address' })
  await expect(dialog).toContainText(`You are signed in as ${email}.`)
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
})
