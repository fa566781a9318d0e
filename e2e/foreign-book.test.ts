// Books by other programs and in other scripts: from the file to the page that visitors see.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../test/books/${name}`, import.meta.url))

async function open(page: Page, file: string, title: string) {
  const next = () => page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Your book', { exact: true }).setInputFiles(fixture(file))
  await expect(page.getByLabel('Title', { exact: true }).first()).toHaveValue(title)
  const description = page.getByLabel('Description').first()
  if ((await description.inputValue()) === '') await description.fill('Readings for the road.')
  await next()
  await page.getByRole('checkbox', { name: 'Digital' }).check()
  await page.getByLabel('Price of digital').fill('7')
  await next()
  await next()
  await page.getByRole('button', { name: /^Open (the shop|all the same)$/ }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Your shop is open' })).toBeVisible()
}

test.describe('a long book', () => {
  test.use({ shopName: 'a shop with a book of 34 chapters' })

  test('the contents show all chapters, folded after twelve, also by the keyboard', async ({
    page,
    shop,
  }) => {
    await enterAdmin(page, shop, '/admin/setup')
    await open(page, 'pandoc-words-beyond-jordan.epub', 'Words beyond Jordan')
    await page.goto('/')
    const contents = page.getByRole('region', { name: 'In this book' })
    await expect(contents.getByRole('listitem').filter({ visible: true })).toHaveCount(12)
    await expect(contents.getByText('The Death of Moses')).toBeHidden()
    await expectAccessible(page)
    const more = contents.locator('summary', { hasText: 'and 22 more' })
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(contents.getByRole('listitem').filter({ visible: true })).toHaveCount(34)
    await expect(contents.getByText('The Death of Moses')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(contents.getByText('The Death of Moses')).toBeHidden()
  })
})

test.describe('a book in Arabic', () => {
  test.use({ shopName: 'a shop with a book in Arabic' })

  test('the page and the preview run from right to left', async ({ page, shop }) => {
    await enterAdmin(page, shop, '/admin/setup')
    await open(page, 'ebooklib-bidaya.epub', 'في البدء')
    expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
    await page.goto('/')
    for (const path of ['/', '/preview']) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      await expectAccessible(page)
    }
    const first = page.locator('.book-page > p').first()
    const [text, side] = await first.evaluate((paragraph) => {
      const { direction } = getComputedStyle(paragraph)
      return [paragraph.textContent, direction]
    })
    expect(text).toMatch(/^في البدء خلق/)
    expect(side).toBe('rtl')
  })
})
