// A new shop: its author opens the setup link, makes the admin account, and is asked for the book.
import { join } from 'node:path'
import { startProcess } from '#test/start-process.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test, type Shop } from './shop.ts'

test.use({ shopName: 'a shop without an admin', settings: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })

const author = { email: 'author@books.example', password: 'nine good words' }

async function printSetupLink({ url, dataDir, databaseUrl }: Shop) {
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SITE_URL: url, NODE_ENV: 'production' }
  const args = [join(import.meta.dirname, '../tools/start.ts'), 'admin', 'setup-link']
  return startProcess(process.execPath, args, { env }).ended
}

test('the setup link leads from an empty form to the admin area, once', async ({
  page,
  shop,
  complaints,
}) => {
  await page.goto('/setup#made-up')
  await expect(page.getByRole('alert')).toContainText('This setup link is not valid')
  await expectAccessible(page)
  expect(refusals(complaints)).toHaveLength(1)

  const { stdout } = await printSetupLink(shop)
  const link = stdout.trim()
  expect(link).toMatch(`${shop.url}/setup#`)
  await page.goto('about:blank', { waitUntil: 'load' })
  await page.goto(link)
  await page.getByLabel('Email').fill(author.email)
  await page.getByLabel('Password', { exact: true }).fill('password123')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Email')).toHaveValue(author.email)
  expect(refusals(complaints)).toHaveLength(1)

  await page.getByLabel('Password', { exact: true }).fill(author.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${shop.url}/admin/setup`)
  await expect(page.getByRole('heading', { name: 'Bring your book' })).toBeVisible()

  await page.goto('about:blank', { waitUntil: 'load' })
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('has an admin already')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
  const again = await printSetupLink(shop)
  expect(again).toMatchObject({ code: 1, stderr: 'This shop has an admin already. Please sign in.\n' })
})
