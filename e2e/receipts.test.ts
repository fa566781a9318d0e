// A user's receipt: found on the dashboard, whole, printed without what belongs to the screen, and nobody else's.
import { buy, enter, saveSession, makeUser, password, post, signIn } from './users.ts'
import { admin, expect, refusals, test } from './shop.ts'

test('a user opens the receipt, sees what went back of it, and prints it; another user finds nothing', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  const session = await enter(page, shop, email)
  await buy(shop, session, 'hardcover')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^Receipt for/ }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  const paper = page.getByRole('article')
  for (const words of [email, '$39.99', 'Total paid', 'contact form'])
    await expect(paper).toContainText(words)
  await expect(paper).not.toContainText('Kept')

  const id = page.url().split('/').at(-1)!
  const { access_token } = await signIn(shop, admin)
  await post(shop, `/api/admin/purchases/${id}/refund`, { amount: 10, reason: 'A bent corner' }, access_token)
  const mail = await shop.mailbox.to(email, /Your refund/)
  expect(mail.text).toContain('$10.00')
  await page.reload()
  await expect(paper.getByRole('row', { name: /Refund/ })).toContainText('-$10.00')
  await expect(paper.getByRole('row', { name: /Kept/ })).toContainText('$29.99')

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Back to your purchases' })).toBeHidden()
  const colours = await paper.evaluate((element) => {
    const { color } = getComputedStyle(element)
    return { color, scheme: getComputedStyle(document.documentElement).colorScheme }
  })
  expect(colours).toEqual({ color: 'rgb(27, 36, 64)', scheme: 'light' })
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })

  const stranger = await signIn(shop, { email: await makeUser(shop), password })
  await saveSession(page, JSON.stringify(stranger))
  await page.goto(`/dashboard/receipts/${id}`)
  await expect(page.getByRole('heading', { name: 'There is no such receipt' })).toBeVisible()
  await expect(page.getByText('Perhaps the link was mistyped or copied only in part.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
  expect(refusals(complaints)).toHaveLength(1)
  await page.evaluate(() => localStorage.clear())
  await page.goto(`/dashboard/receipts/${id}`)
  await expect(page).toHaveURL(new RegExp(`/auth\\?next=.*${id}`))
})
