// Every word on the pages of an own book's shop is the author's, or true.
import { fileURLToPath } from 'node:url'
import { expectAccessible } from './accessible.ts'
import { book, openWithOwnBook } from './own-book.ts'
import { openOwnWords } from './own-words.ts'
import { admin, expect, test, visitUnhurried } from './shop.ts'
import { enter, enterAdmin, makeUser } from './users.ts'

test.use({ shopName: 'a shop whose visitors read an own book' })

const epub = fileURLToPath(new URL(`../test/books/${book}`, import.meta.url))

test('a visitor of the own book’s shop reads the author’s words, the catalogue’s and data, nothing else', async ({
  page: author,
  shop,
  chrome,
}) => {
  const { expectOnly } = await openOwnWords(epub)
  await enterAdmin(author, shop, '/admin/setup')
  await openWithOwnBook(author)
  const page = visitUnhurried(await chrome.newPage({ baseURL: shop.url, reducedMotion: 'reduce' }))
  await page.goto('/')
  await expect(page.getByText('Five Psalms for Travellers', { exact: true }).first()).toBeVisible()
  const headings = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect(headings).toHaveText([
    'Read a Preview',
    'In this book',
    'Get Your Copy Today',
    'Contact the Author',
  ])
  await expectOnly(page)
  await expectAccessible(page)
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
  await page.close()
})
