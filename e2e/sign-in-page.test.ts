// The page of sign-in before it is alive: it loads no script by itself, its forms are never posted as they are, a lost
// script is said, and who is signed in is sent on.
import type { Page } from '@playwright/test'
import { part } from './part.ts'
import { expect, test } from './shop.ts'
import { enter, makeUser, password } from './users.ts'

const scriptsOf = (page: Page) =>
  page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length,
  )

const form = (page: Page) => page.getByRole('tabpanel', { name: 'Sign In' })

const lost = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'A part of this page was not loaded.' })

test('the page of sign-in wakes at the press, loses nothing with a script, and sends on who is signed in', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'no script is loaded before a touch, and what was typed stands in both forms',
    async () => {
      await page.goto('/auth?next=/dashboard')
      await expect(form(page).getByLabel('Email')).toBeFocused()
      expect(await scriptsOf(page)).toBe(0)
      await page.keyboard.type('ruth@example.com')
      await page.reload()
      await expect(form(page).getByLabel('Email')).toHaveValue('ruth@example.com')
      await expect(form(page).getByLabel('Password', { exact: true })).toBeFocused()
      await page.getByRole('tab', { name: 'Sign In' }).press('ArrowRight')
      await expect(page.getByRole('tabpanel', { name: 'Sign Up' }).getByLabel('Email')).toHaveValue(
        'ruth@example.com',
      )
    },
  )

  await part(page, 'who is signed in is sent on without a script, to this site only', async () => {
    await enter(page, shop, await makeUser(shop))
    for (const [next, path] of [
      ['', '/'],
      ['?next=/preview%23top', '/preview#top'],
      ['?next=//elsewhere.example', '/'],
    ] as const) {
      await page.goto(`/auth${next}`).catch(() => undefined)
      await expect(page).toHaveURL(shop.url + path)
    }
    await page.evaluate(() => localStorage.clear())
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/admin?x=1').catch(() => undefined)
    await expect(page).toHaveURL(`${shop.url}/auth?next=/admin%3Fx%3D1`)
    // It has left before the app is there.
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
  })

  await part(page, 'a lost script is said, and no password leaves the page', async () => {
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.url())
    })
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/auth')
    await form(page).getByLabel('Email').fill('ruth@example.com')
    await form(page).getByLabel('Password', { exact: true }).fill(password)
    await form(page).getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(lost(page)).toBeVisible()
    await expect(form(page).getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
    await expect(form(page).getByLabel('Password', { exact: true })).toHaveValue(password)
    await page.goto('/auth?form=forgot')
    await expect(lost(page)).toBeVisible()
    await enter(page, shop, await makeUser(shop))
    // A visit by the test would wait until the page is alive.
    await page.evaluate(() => location.assign('/dashboard'))
    await expect(lost(page)).toBeVisible()
    await page.unroute('**/assets/*.js')
    await lost(page).getByRole('button', { name: 'Load again' }).click()
    await expect(page.getByText('No purchases yet')).toBeVisible()
    await expect(lost(page)).toBeHidden()
    expect(posted).toEqual([])
    complaints.splice(0)
  })
})

test('without scripts the page of sign-in says so, and leads to what works', async ({ chrome, shop }) => {
  const context = await chrome.newContext({ baseURL: shop.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/auth')
  await expect(page.getByText('Signing in needs JavaScript.')).toBeVisible()
  await expect(form(page)).toBeHidden()
  await page.getByRole('link', { name: 'Find your purchase' }).click()
  await expect(page).toHaveURL(`${shop.url}/find-purchase`)
  await page.goto('/dashboard')
  await expect(page.locator('.animate-pulse').first()).toBeHidden()
  await context.close()
})
