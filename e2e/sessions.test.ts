// Staying signed in and being signed out: over tabs, time, addresses, and what others leave in the browser’s memory.
import type { Page } from '@playwright/test'
import { storageKey } from '#web/session/session-key.ts'
import { expectSignInPage } from './leaving.ts'
import { part } from './part.ts'
import { admin, expect, refusals, test, watch } from './shop.ts'
import { expectToast } from './toast.ts'
import {
  buy,
  enter,
  makeUser,
  password,
  post,
  saveSession,
  type Session,
  signIn,
  storedSession,
} from './users.ts'

const forms = [
  (tokens: string) => `/#${tokens}`,
  (tokens: string) => `/?${tokens}`,
  (tokens: string) => `/auth?next=/dashboard#${tokens}`,
]

test('tabs share a session: its sign-in, its renewal, its end', async ({
  page,
  context,
  shop,
  complaints,
}) => {
  await part(
    page,
    'a sign-in greets once, in its own tab; the others follow in silence, and follow out again',
    async () => {
      const email = await makeUser(shop)
      const other = await context.newPage()
      watch(other, complaints)
      await other.goto('/')
      await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()

      await page.goto('/auth')
      const form = page.getByRole('tabpanel', { name: 'Sign In' })
      await form.getByLabel('Email').fill(email)
      await form.getByLabel('Password', { exact: true }).fill(password)
      await form.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByText('Welcome back!')).toHaveCount(1)
      await expect(page).toHaveURL(`${shop.url}/`)
      await expect(other.getByRole('link', { name: 'Dashboard' })).toBeVisible()
      await expect(other.getByText('Welcome back!')).toHaveCount(0)

      await page.reload()
      await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
      await other.goto('/auth')
      await expect(other).toHaveURL(`${shop.url}/`)
      for (const tab of [page, other]) await expect(tab.getByText('Welcome back!')).toHaveCount(0)

      await other.goto('/dashboard')
      await expect(other.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page.getByText('Signed Out')).toBeVisible()
      await expectSignInPage(other, /\/auth/)
      await page.goto('/dashboard')
      await expectSignInPage(page, /\/auth/)
    },
  )

  await part(
    page,
    'a session that becomes another’s in one tab shows that one’s purchases in all of them',
    async () => {
      await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
      await page.goto('/dashboard')
      await expect(page.getByRole('listitem')).toHaveCount(1)
      const email = await makeUser(shop)
      await enter(await context.newPage(), shop, email)
      await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
      await expect(page.getByText('No purchases yet')).toBeVisible()
    },
  )

  await part(
    page,
    'signing out leads home from every private page, not by way of the sign-in, and is told once, whatever is still asked for',
    async () => {
      const places: string[] = []
      page.on('framenavigated', (frame) => places.push(new URL(frame.url()).pathname))
      for (const [path, request] of [
        ['/dashboard', '/api/purchases'],
        ['/admin/users', '/api/admin/users'],
      ] as const) {
        await saveSession(page, JSON.stringify(await signIn(shop, admin)))
        const held = Promise.withResolvers<void>()
        await page.route(`**${request}*`, async (route) => {
          await held.promise
          await route.continue().catch(() => undefined)
        })
        const asked = page.waitForRequest(`**${request}*`)
        await page.goto(path)
        await asked
        const ended = page.waitForEvent('requestfailed', (each) => each.url().includes(request))
        await page.getByRole('button', { name: 'Sign Out' }).click()
        await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
        await ended
        held.resolve()
        await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
        await expect(page).toHaveURL(`${shop.url}/`)
        // Counted at once: a notice goes by itself, and waiting for one to be left would always end well.
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
        expect(await page.getByText('Signed Out', { exact: true }).count()).toBe(1)
        await page.unroute(`**${request}*`)
      }
      expect(places).toContain('/admin/users')
      expect(places).not.toContain('/auth')
      // What was still being asked for when the session ended.
      refusals(complaints)
    },
  )

  await part(
    page,
    'an access token that has expired is renewed in silence, also by two tabs that wake at the same moment',
    async () => {
      const email = await makeUser(shop)
      await enter(page, shop, email)
      const other = await context.newPage()
      watch(other, complaints)
      const tabs = [page, other]
      await Promise.all(tabs.map((tab) => tab.goto('/')))

      const statuses: number[] = []
      const renewal = '**/auth/v1/token?grant_type=refresh_token'
      const wakes: ((tab: Page) => Promise<unknown>)[] = [
        (tab) => tab.getByRole('link', { name: 'Dashboard', exact: true }).click(),
        (tab) => tab.reload(),
      ]
      for (const wake of wakes) {
        // Should both ask, they ask at once: the first waits for the second, for a while.
        const both = Promise.withResolvers<void>()
        let asked = 0
        await context.route(renewal, async (route) => {
          asked += 1
          if (asked === 2) both.resolve()
          await Promise.race([both.promise, new Promise((resolve) => setTimeout(resolve, 1_000))])
          const response = await route.fetch()
          statuses.push(response.status())
          await route.fulfill({ response })
        })
        const before = await storedSession(page)
        await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
          storageKey,
          JSON.stringify({ ...before, expires_at: Math.floor(Date.now() / 1000) - 3600 }),
        ] as const)
        await Promise.all(tabs.map(wake))
        for (const tab of tabs) {
          await expect(tab.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
          await expect(tab.getByText('No purchases yet')).toBeVisible()
        }
        const renewed = await storedSession(page)
        expect(renewed.refresh_token).not.toBe(before.refresh_token)
        expect(renewed.expires_at * 1000).toBeGreaterThan(Date.now())
        await context.unroute(renewal)
      }
      expect(new Set(statuses)).toEqual(new Set([200]))
      for (const tab of tabs) {
        await tab.reload()
        await expect(tab.getByText('No purchases yet')).toBeVisible()
      }
    },
  )

  await part(
    page,
    'a token is used as it was stored, and renewed before it ends by a page that only lies open',
    async () => {
      const session = await enter(page, shop, await makeUser(shop))
      const hasClient = () =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('/auth-client-')),
        )
      await page.goto('/dashboard')
      await expect(page.getByText('No purchases yet')).toBeVisible()
      expect(await hasClient()).toBe(false)
      const expires_at = Math.floor(Date.now() / 1000) + 100
      await saveSession(page, JSON.stringify({ ...session, expires_at }))
      await page.goto('/dashboard')
      await expect.poll(async () => (await storedSession(page)).access_token).not.toBe(session.access_token)
      expect(await hasClient()).toBe(true)
    },
  )

  await part(
    page,
    'a session that was ended elsewhere leads from the dashboard to the sign-in, says why, and shows nobody’s dashboard',
    async () => {
      const email = await makeUser(shop)
      for (const isOld of [false, true]) {
        const session = await enter(page, shop, email)
        await post(shop, '/auth/v1/logout?scope=global', {}, session.access_token)
        if (isOld) await saveSession(page, JSON.stringify({ ...session, expires_at: 1 }))
        await page.goto('/dashboard')
        await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
        await expectSignInPage(page, `${shop.url}/auth?next=/dashboard`)
        expect(await storedSession(page)).toBeNull()
      }
      const { access_token } = await enter(page, shop, email)
      await page.goto('/')
      await post(shop, '/auth/v1/logout?scope=global', {}, access_token)
      // The way to the sign-in is long enough for whatever would be shown meanwhile.
      await page.route('**/assets/auth-*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 800))
        await route.continue()
      })
      await page.addInitScript(() => {
        const look = () => {
          if (document.body?.innerText.includes('could not be loaded'))
            sessionStorage.setItem('failure', 'seen')
        }
        new MutationObserver(look).observe(document, { childList: true, subtree: true })
      })
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
      await expectToast(page, 'Signed Out', 'Your session has ended. Please sign in again.')
      await expectSignInPage(page, `${shop.url}/auth?next=/dashboard`)
      await page.goBack()
      await expect(page).toHaveURL(`${shop.url}/`)
      expect(await page.evaluate(() => sessionStorage.getItem('failure'))).toBeNull()
      expect(refusals(complaints).length).toBeGreaterThan(0)
    },
  )
})

test('no session comes from an address or from a broken memory', async ({ page, shop, complaints }) => {
  await part(
    page,
    'a link with a session signs nobody in and moves nobody into another account, and its tokens leave the address',
    async () => {
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

      // A mailed link names the account that is signed in before it may lead to another.
      await page.goto('/?token_hash=of-another-account&type=signup')
      const dialog = page.getByRole('dialog', { name: 'Confirm your email address' })
      await expect(dialog).toContainText(`You are signed in as ${email}.`)
      await dialog.getByRole('button', { name: 'Not now' }).click()
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
    },
  )

  await part(page, 'auth-js, loaded while tokens stand in the address, takes none', async () => {
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

  await part(page, 'what is no session in the browser’s memory is none, and breaks nothing', async () => {
    for (const stored of [
      '{broken',
      'null',
      '[]',
      '"text"',
      '{}',
      '{"user":null}',
      '{"user":{}}',
      '{"user":7}',
    ]) {
      await saveSession(page, stored)
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign In' }), stored).toBeVisible()
      await page.goto('/dashboard')
      await expect(page, stored).toHaveURL(/\/auth/)
    }
    await expect(page).toHaveURL(new RegExp(`^${shop.url}`))
  })
})

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
