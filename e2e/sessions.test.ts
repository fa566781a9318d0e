// Staying signed in and being signed out: over tabs, time, and what others leave in the browser's memory.
import type { Page } from '@playwright/test'
import { storageKey } from '#web/stored-session.ts'
import { buy, enter, saveSession, storedSession, makeUser, password, post, signIn } from './users.ts'
import { admin, expect, refusals, test, watch } from './shop.ts'

test('a sign-in greets once, in its own tab; the others follow in silence, and follow out again', async ({
  page,
  context,
  shop,
  complaints,
}) => {
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
  await expect(other).toHaveURL(/\/auth/)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth/)
})

test('a session that becomes another’s in one tab shows that one’s purchases in all of them', async ({
  page,
  context,
  shop,
}) => {
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
  await page.goto('/dashboard')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  const email = await makeUser(shop)
  await enter(await context.newPage(), shop, email)
  await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
  await expect(page.getByText('No purchases yet')).toBeVisible()
})

test('signing out leads home from every private page, not by way of the sign-in', async ({
  page,
  shop,
  complaints,
}) => {
  const places: string[] = []
  page.on('framenavigated', (frame) => places.push(new URL(frame.url()).pathname))
  for (const path of ['/dashboard', '/admin']) {
    await saveSession(page, JSON.stringify(await signIn(shop, admin)))
    await page.goto(path)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByText('Signed Out')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(page).toHaveURL(`${shop.url}/`)
  }
  expect(places).toContain('/admin')
  expect(places).not.toContain('/auth')
  // What was still being asked for when the session ended.
  refusals(complaints)
})

test('an access token that has expired is renewed in silence', async ({ page, shop }) => {
  const session = await enter(page, shop, await makeUser(shop))
  await saveSession(page, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 3600 }))
  await page.goto('/dashboard')
  await expect(page.getByText('No purchases yet')).toBeVisible()
  const renewed = await storedSession(page)
  expect(renewed.refresh_token).not.toBe(session.refresh_token)
  expect(renewed.expires_at * 1000).toBeGreaterThan(Date.now())
})

test('two tabs that wake at the same moment with an old token both stay signed in', async ({
  page,
  context,
  shop,
  complaints,
}) => {
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
    expect((await storedSession(page)).refresh_token).not.toBe(before.refresh_token)
    await context.unroute(renewal)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  for (const tab of tabs) {
    await tab.reload()
    await expect(tab.getByText('No purchases yet')).toBeVisible()
  }
})

test('a session that was ended elsewhere leads from the dashboard to the sign-in, and says why', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  for (const isOld of [false, true]) {
    const session = await enter(page, shop, email)
    await post(shop, '/auth/v1/logout?scope=global', {}, session.access_token)
    if (isOld) await saveSession(page, JSON.stringify({ ...session, expires_at: 1 }))
    await page.goto('/dashboard')
    await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
    await expect(page).toHaveURL(`${shop.url}/auth?next=/dashboard`)
    expect(await storedSession(page)).toBeNull()
  }
  expect(refusals(complaints).length).toBeGreaterThan(0)
})

test('after the sign-in only a path of this site is gone to', async ({ page, shop }) => {
  await enter(page, shop, await makeUser(shop))
  for (const [next, place] of [
    ['/preview', '/preview'],
    ['/#book-sales', '/#book-sales'],
    ['//elsewhere.example', '/'],
    ['/\\elsewhere.example', '/'],
    ['https://elsewhere.example/', '/'],
    ['javascript:alert(1)', '/'],
  ] as const) {
    await page.goto(`/auth?next=${encodeURIComponent(next)}`)
    await expect(page).toHaveURL(shop.url + place)
  }
})

test('what is no session in the browser’s memory is none, and breaks nothing', async ({ page, shop }) => {
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
