// The script of a page of the site by itself (src/web/site/loader.ts), on a page made for it: which press is carried out
// by an island, which by the form, and that none is by both.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findCachingChromium } from '#test/chromium.ts'
import { islandsDist } from '#tools/islands.ts'
import { expect, flags, test } from './shop.ts'

const origin = 'http://loader.example'
/** As it was built. */
const { loader } = JSON.parse(readFileSync(join(islandsDist, 'islands.json'), 'utf8')) as { loader: string }

const page = (form: string, isSignedIn: boolean) => `<!doctype html>
<html lang="en"${isSignedIn ? ' data-signed-in' : ''}><head><title>A page</title><script>${loader}</script></head><body>
<div data-island="buy" data-files="/buy.js">
  <form method="post" action="/buy" ${form}>
    <input type="hidden" name="key"><label>Note <input name="note"></label>
    <button type="submit" data-busy="Buying...">Buy</button>
  </form>
  <button type="button" data-busy="Opening...">Discount</button>
</div>
<template data-lost="offline"><p data-lost-shown>You are offline.</p></template>
<template data-lost="online"><p data-lost-shown>Could not be loaded. <button data-load-again>Load again</button></p></template>
</body></html>`

/** Says what it took over. */
const island = `export function start([island]) {
  island.dataset.alive = ''
  const take = (event) => {
    event.preventDefault()
    const button = event.submitter ?? event.currentTarget
    document.body.append(Object.assign(document.createElement('output'), { textContent: 'took ' + button.textContent }))
  }
  island.querySelector('form').addEventListener('submit', take)
  island.querySelector('[type=button]').addEventListener('click', take)
}`

type Made = { form?: string; isSignedIn?: boolean; answer?: 'island' | 'error' | 'silence' }

/** The bodies of the forms that were posted. */
async function open(
  made: Page,
  { form = '', isSignedIn = false, answer = 'island' }: Made,
): Promise<string[]> {
  const posted: string[] = []
  await made.unrouteAll()
  await made.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const method = route.request().method()
    if (method === 'POST') {
      posted.push(route.request().postData() ?? '')
      await route.fulfill({ contentType: 'text/html', body: '<h1>Posted</h1>' })
    } else if (pathname === '/buy.js' && answer === 'error') await route.abort()
    else if (pathname === '/buy.js' && answer === 'island')
      await route.fulfill({ contentType: 'text/javascript', body: island })
    else if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: page(form, isSignedIn) })
  })
  await made.goto(origin, { waitUntil: 'domcontentloaded' })
  return posted
}

test('a press before the island is there is carried out once, by the island or by the form', async ({
  page: made,
  complaints,
}) => {
  const buy = made.getByRole('button', { name: /Buy/ })
  const taken = made.getByRole('status')

  await test.step('the island takes it, and its own label is back', async () => {
    const posted = await open(made, {})
    await buy.click()
    await expect(taken).toHaveText('took Buy')
    await expect(buy).not.toHaveAttribute('aria-busy')
    await buy.click()
    await expect(taken).toHaveCount(2)
    expect(posted).toEqual([])
  })

  await test.step('several presses meanwhile are one', async () => {
    await made.clock.install()
    const posted = await open(made, { answer: 'silence' })
    for (let press = 0; press < 3; press += 1) await buy.click()
    await made.getByRole('button', { name: 'Discount' }).click()
    await expect(buy).toHaveText('Buying...')
    await made.clock.fastForward(8_000)
    await expect(made.getByRole('heading', { name: 'Posted' })).toBeVisible()
    expect(posted.map((body) => body.replace(/[\da-f]{8}-[\da-f]{4}-4[\da-f-]{18,}/, 'a key'))).toEqual([
      'key=a key&note=',
    ])
    await made.clock.resume()
  })

  await test.step('whose script is lost posts at once, with what was typed', async () => {
    const posted = await open(made, { answer: 'error' })
    await made.getByLabel('Note').fill('for Ruth')
    await buy.click()
    await expect(made.getByRole('heading', { name: 'Posted' })).toBeVisible()
    expect(posted).toEqual([expect.stringMatching(/^key=[\da-f-]{36}&note=for\+Ruth$/)])
  })

  await test.step('with a session no form of it is posted: the page says so, and a later press tries again', async () => {
    const posted = await open(made, { form: 'data-session', isSignedIn: true, answer: 'error' })
    await buy.click()
    await expect(made.getByText('Could not be loaded.')).toBeVisible()
    await expect(buy).toHaveText('Buy')
    await buy.click()
    await expect(made.getByText('Could not be loaded.')).toHaveCount(1)
    expect(posted).toEqual([])
  })

  await test.step('a button of no form waits for its island, or says that it cannot', async () => {
    await open(made, { answer: 'error' })
    await made.getByRole('button', { name: 'Discount' }).click()
    await expect(made.getByText('Could not be loaded.')).toBeVisible()
    await expect(made.getByRole('button', { name: 'Discount' })).toBeEnabled()
  })

  await test.step('where the answer can only be the sign-in the form goes at once, and nothing is loaded', async () => {
    const posted = await open(made, { form: 'data-at-once', answer: 'silence' })
    await made.getByLabel('Note').press('Enter')
    await expect(made.getByRole('heading', { name: 'Posted' })).toBeVisible()
    expect(posted).toHaveLength(1)
  })

  for (const form of ['', 'data-at-once'])
    await test.step(`offline the page says so, and a press afterwards is carried out ${form}`, async () => {
      const posted = await open(made, { form, answer: 'error' })
      await made.context().setOffline(true)
      await made.getByLabel('Note').fill('for Ruth')
      await buy.click()
      await expect(made.getByText('You are offline.')).toBeVisible()
      await expect(buy).toHaveText('Buy')
      expect(posted).toEqual([])
      await made.context().setOffline(false)
      await buy.click()
      await expect(made.getByRole('heading', { name: 'Posted' })).toBeVisible()
      expect(posted).toEqual([expect.stringMatching(/note=for\+Ruth$/)])
    })

  await test.step('what is typed stays in the tab', async () => {
    await open(made, { form: 'data-draft="a-draft"' })
    await made.getByLabel('Note').fill('half a sent')
    await made.reload({ waitUntil: 'domcontentloaded' })
    await expect(made.getByLabel('Note')).toHaveValue('half a sent')
  })
  complaints.length = 0
})

test('a page from the browser’s cache forgets the press that left it, and can be pressed again', async ({
  shop,
}) => {
  const executablePath = findCachingChromium()
  test.skip(!executablePath, 'Chromium’s headless shell has no such cache: install chromium')
  const browser = await chromium.launch({
    executablePath,
    args: flags,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const visitor = await browser.newPage({ baseURL: shop.url })
    await visitor.goto('/')
    await visitor.evaluate(() => Object.assign(globalThis, { isSame: true }))
    const buy = visitor.getByRole('main').getByRole('button', { name: /^Buy/ }).first()
    const label = await buy.textContent()
    await buy.click()
    await expect(visitor).toHaveURL(/\/auth/)
    await visitor.goBack({ waitUntil: 'commit' })
    await expect(visitor).toHaveURL(`${shop.url}/`)
    expect(await visitor.evaluate(() => 'isSame' in globalThis), 'it came from the cache').toBe(true)
    await expect(buy).toHaveText(label!)
    await expect(buy).not.toHaveAttribute('aria-busy')
    await buy.click()
    await expect(visitor).toHaveURL(/\/auth/)
    await expect(visitor.getByText('Authentication Required')).toBeVisible()
  } finally {
    await browser.close()
  }
})

test('what was said before a change of page is not said again by the browser’s Back', async ({
  page: visitor,
}) => {
  await visitor.goto('/')
  await visitor.getByRole('main').getByRole('button', { name: /^Buy/ }).first().click()
  await expect(visitor.getByText('Authentication Required')).toBeVisible()
  await visitor.goBack()
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(visitor.getByText('Authentication Required')).toHaveCount(0)
  await visitor.goForward()
  await expect(visitor.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(visitor.getByText('Authentication Required')).toHaveCount(0)
})
