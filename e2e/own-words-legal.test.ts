// Also the legal pages and receipts of an own book's shop say what is the author's, the law's, or true.
import { fileURLToPath } from 'node:url'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { book, openWithOwnBook } from './own-book.ts'
import { openOwnWords } from './own-words.ts'
import { expect, test, visitUnhurried } from './shop.ts'
import { enter, enterAdmin, makeUser } from './users.ts'

test.use({ shopName: 'a shop with legal pages for an own book' })

const epub = fileURLToPath(new URL(`../test/books/${book}`, import.meta.url))

test('the legal pages and a receipt of the own book’s shop have the law’s words and data beside those', async ({
  page: author,
  shop,
  chrome,
}) => {
  const { expectOnly } = await openOwnWords(epub)
  const { access_token } = await enterAdmin(author, shop, '/admin/setup')
  await openWithOwnBook(author)
  const headers = { authorization: `Bearer ${access_token}` }
  const call = (method: string, path: string, { body }: { body?: unknown } = {}) =>
    fetch(shop.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  expect((await publishLegal({ call }, filledLegal())).status).toBe(200)
  const free = { revision: 0, values: { without_key: 'free' } }
  expect((await call('PUT', '/api/admin/settings/payments', { body: free })).status).toBe(200)

  const page = visitUnhurried(await chrome.newPage({ baseURL: shop.url, reducedMotion: 'reduce' }))
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
