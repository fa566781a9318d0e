// The page of an own book with one product: its price and its button are at hand on the page and in the preview.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { openWithOwnBook } from './own-book.ts'
import { expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

test.use({ shopName: 'a shop with one book of its own', takesMoney: true })
test.describe.configure({ mode: 'serial' })

const bar = (page: Page, name: string) => page.getByRole('complementary', { name })
const phone = { width: 390, height: 560 }
const question = (page: Page) => page.getByRole('dialog', { name: /^Buy / })

test('a visitor buys from the hero, from the bar on a phone and from the preview', async ({
  page,
  shop,
  chrome,
}) => {
  await enterAdmin(page, shop, '/admin/setup')
  await openWithOwnBook(page)
  await using context = await chrome.newContext({
    baseURL: shop.url,
    viewport: phone,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000)
  const visitor = await context.newPage()
  const untilAlive = () => visitor.locator('html[data-alive]').waitFor({ state: 'attached' })
  await visitor.goto('/')
  await untilAlive()
  const title = visitor.getByRole('region', { name: 'Songs of the Road' })
  await expect(title).toContainText('by David and others')
  await expect(title).toContainText('Digital · Nothing to ship')
  await expect(bar(visitor, 'Get the Book')).toHaveCount(0)
  await title.getByRole('button', { name: 'Buy for $7' }).click()
  await expect(question(visitor)).toBeVisible()
  await visitor.keyboard.press('Escape')
  await expect(question(visitor)).toHaveCount(0)

  await visitor.locator('#preview h3').first().scrollIntoViewIfNeeded()
  await expect(bar(visitor, 'Get the Book')).toContainText('$7 · Digital')
  await expectAccessible(visitor)
  // axe has looked at wide windows as well.
  await visitor.setViewportSize(phone)
  await visitor.locator('#preview h3').first().scrollIntoViewIfNeeded()
  await bar(visitor, 'Get the Book').getByRole('button', { name: 'Buy for $7' }).click()
  await expect(question(visitor)).toBeVisible()
  await visitor.keyboard.press('Escape')
  await visitor.locator('#book-sales').scrollIntoViewIfNeeded()
  await expect(bar(visitor, 'Get the Book')).toHaveCount(0)
  await expect(visitor.locator('#book-sales').getByRole('article')).toContainText('$7.00')

  await visitor.goto('/preview')
  await untilAlive()
  await expect(bar(visitor, 'Where you are')).toContainText('0% read')
  await expectAccessible(visitor)
  await visitor.setViewportSize(phone)
  await bar(visitor, 'Where you are').getByRole('link', { name: 'Buy for $7' }).click()
  await expect(question(visitor)).toBeVisible()
  await visitor.reload()
  await untilAlive()
  await expect(question(visitor)).toHaveCount(0)
})

test('a sign-in with a wanted product begins with the sign-up where no account is known', async ({
  page,
}) => {
  const products = (await (await page.request.get('/api/products')).json()) as { id: string }[]
  const wanted = `/auth?next=${encodeURIComponent(`/?product=${products[0]!.id}#book-sales`)}`
  await page.goto(wanted)
  const tab = (name: string) => page.getByRole('tab', { name })
  await expect(tab('Sign Up')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('region', { name: 'The product you chose' })).toContainText(
    'Songs of the Road · $7.00',
  )
  await expectAccessible(page)
  await tab('Sign In').click()
  await page.reload()
  await expect(tab('Sign In')).toHaveAttribute('aria-selected', 'true')

  await page.goto('/auth')
  await expect(tab('Sign In')).toHaveAttribute('aria-selected', 'true')
  await page.evaluate(() => localStorage.setItem('shop.device', '0123456789abcdef0123456789abcdef'))
  await page.goto(wanted)
  await expect(tab('Sign In')).toHaveAttribute('aria-selected', 'true')
})
