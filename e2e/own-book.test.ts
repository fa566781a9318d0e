// What visitors of an own book’s shop read and press: the author’s words, her price at hand, her script.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { book, openWithOwnBook } from './own-book.ts'
import { openOwnWords } from './own-words.ts'
import { admin, expect, test, visitHydrated, usable } from './shop.ts'
import { callAsAdmin, enter, enterAdmin, makeUser, saveSettings } from './users.ts'

const bar = (page: Page, name: string) => page.getByRole('complementary', { name })

const phone = { width: 390, height: 560 }

const question = (page: Page) => page.getByRole('dialog', { name: /^Buy / })

const epub = fileURLToPath(new URL(`../test/books/${book}`, import.meta.url))

test.describe('whose words are the author’s', () => {
  test.use({ shopName: 'a shop whose visitors read an own book' })

  test('a visitor of the own book’s shop reads the author’s words, the catalogue’s, the law’s and data, nothing else', async ({
    page: author,
    shop,
    chrome,
  }) => {
    const { expectOnly } = await openOwnWords(epub)
    await enterAdmin(author, shop, '/admin/setup')
    await openWithOwnBook(author)
    await author.goto('/admin/upload')
    await expect(author.getByRole('radio')).toHaveCount(2)
    await expect(author.getByRole('radio', { checked: true })).toHaveCount(0)
    await expect(author.getByRole('button', { name: 'Upload Ebook' })).toHaveCount(0)
    await author.getByLabel('A new edition of Songs of the Road').check()
    await expect(author.getByLabel('What changed (optional)')).toBeVisible()
    const asAdmin = await callAsAdmin(shop)
    const coming = { name: 'A Second Book', price: 3, format: 'digital', is_for_sale: false }
    expect((await asAdmin('POST', '/api/admin/products', { body: coming })).status).toBe(201)
    await author.reload()
    await expect(author.getByRole('radio')).toHaveCount(3)
    await expect(author.getByRole('radio', { checked: true })).toHaveCount(0)
    await author.getByLabel('The file of A Second Book').check()
    await expect(author.getByLabel('Ebook file')).toBeAttached()
    await expect(author.getByLabel('What changed (optional)')).toHaveCount(0)
    const page = visitHydrated(await chrome.newPage({ baseURL: shop.url, reducedMotion: 'reduce' }))
    await page.goto('/')
    await expect(page.getByText('Five Psalms for Travellers', { exact: true }).first()).toBeVisible()
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect(headings).toHaveText([
      'Read a Preview',
      'In this book',
      'Formats and prices',
      'Contact the Author',
      'Ready for the first page?',
    ])
    await expectOnly(page)
    const form = page.getByRole('region', { name: 'Contact the Author' })
    await form.getByLabel('Name').fill('Ruth')
    await form.getByLabel('Email').fill('ruth@example.com')
    await form.getByLabel('Subject').fill('A word')
    await form.getByLabel('Message').fill('Thank you.')
    await form.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Thank you for your message.', { exact: true })).toBeVisible()
    const notice = await shop.mailbox.to(admin.email, /A word/)
    expect(notice.text).toContain('Reply to this email to write to Ruth.')
    expect(notice.text).not.toMatch(/promised|business days/)
    for (const path of ['/preview', '/auth', '/nowhere', '/terms']) {
      await page.goto(path)
      await expectOnly(page)
    }
    await enter(page, shop, await makeUser(shop))
    await page.goto('/dashboard')
    await expect(page.getByText('No purchases yet')).toBeVisible()
    await expectOnly(page)

    const call = await callAsAdmin(shop)
    expect((await publishLegal({ call }, filledLegal())).status).toBe(200)
    await saveSettings(shop, 'payments', { without_key: 'free' })

    for (const [path, title] of [
      ['/terms', 'Terms'],
      ['/privacy', 'Privacy'],
      ['/imprint', 'Imprint'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expectOnly(page)
    }
    const email = await makeUser(shop)
    await enter(page, shop, email)
    await page.goto('/')
    await page.getByRole('button', { name: 'Get Digital' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('link', { name: /^Receipt/ }).first()).toBeVisible()
    await expectOnly(page)
    await page
      .getByRole('link', { name: /^Receipt/ })
      .first()
      .click()
    await expect(page.getByText('No payment was taken.')).toBeVisible()
    await expectOnly(page)
    const { html } = await shop.mailbox.to(email, /receipt/i)
    await page.goto('about:blank', { waitUntil: 'load' })
    await page.setContent(html ?? '')
    await expectOnly(page)
    await page.close()
  })
})

test.describe('with one product', () => {
  test.use({ shopName: 'a shop with one book of its own', takesMoney: true })

  test.describe.configure({ mode: 'serial' })

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
    const untilAlive = () => visitor.locator(usable).waitFor({ state: 'attached' })
    await visitor.goto('/')
    await untilAlive()
    const title = visitor.getByRole('region', { name: 'Songs of the Road' })
    await expect(title).toContainText('by David and others')
    await expect(title).toContainText('Digital · Nothing to ship')
    await expect(bar(visitor, 'Get the Book')).toHaveCount(0)
    await title.getByRole('button', { name: 'Buy for US$7' }).click()
    await expect(question(visitor)).toBeVisible()
    await visitor.keyboard.press('Escape')
    await expect(question(visitor)).toHaveCount(0)

    await visitor.locator('#preview h3').first().scrollIntoViewIfNeeded()
    await expect(bar(visitor, 'Get the Book')).toContainText('US$7 · Digital')
    // axe has looked at wide windows as well.
    await visitor.setViewportSize(phone)
    await visitor.locator('#preview h3').first().scrollIntoViewIfNeeded()
    await bar(visitor, 'Get the Book').getByRole('button', { name: 'Buy for US$7' }).click()
    await expect(question(visitor)).toBeVisible()
    await visitor.keyboard.press('Escape')
    await visitor.locator('#book-sales').scrollIntoViewIfNeeded()
    await expect(bar(visitor, 'Get the Book')).toHaveCount(0)
    await expect(visitor.locator('#book-sales').getByRole('article')).toContainText('US$7.00')

    // Nothing here knows what a code takes off.
    await visitor.goto('/preview?code=LESS')
    await expect(bar(visitor, 'Where you are').getByRole('link', { name: 'Get the Book' })).toBeVisible()
    await visitor.goto('/preview')
    await untilAlive()
    await expect(bar(visitor, 'Where you are')).toContainText('0% read')
    await visitor.setViewportSize(phone)
    await bar(visitor, 'Where you are').getByRole('link', { name: 'Buy for US$7' }).click()
    await expect(question(visitor)).toBeVisible()
    await visitor.reload()
    await untilAlive()
    await expect(question(visitor)).toHaveCount(0)
  })

  test('a sign-in with a chosen product begins with the sign-up where no account is known', async ({
    page,
  }) => {
    const products = (await (await page.request.get('/api/products')).json()) as { id: string }[]
    const chosen = `/auth?next=${encodeURIComponent(`/?product=${products[0]!.id}#book-sales`)}`
    await page.goto(chosen)
    const tab = (name: string) => page.getByRole('tab', { name })
    await expect(tab('Sign Up')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('region', { name: 'The product you chose' })).toContainText(
      'Songs of the Road · US$7.00',
    )
    await tab('Sign In').click()
    await page.reload()
    await expect(tab('Sign In')).toHaveAttribute('aria-selected', 'true')

    await page.goto('/auth')
    await expect(tab('Sign In')).toHaveAttribute('aria-selected', 'true')
    await page.evaluate(() => localStorage.setItem('shop.device', '0123456789abcdef0123456789abcdef'))
    await page.goto(chosen)
    await expect(tab('Sign In')).toHaveAttribute('aria-selected', 'true')
  })
})

test.describe('with a book in Arabic', () => {
  test.use({ shopName: 'a shop with a book in Arabic' })

  test('the page and the preview run from right to left', async ({ page, shop }) => {
    await enterAdmin(page, shop, '/admin/setup')
    await openWithOwnBook(page, 'ebooklib-bidaya.epub', 'في البدء')
    expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
    await page.goto('/')
    for (const path of ['/', '/preview']) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
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
