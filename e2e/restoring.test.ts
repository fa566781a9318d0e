// A shop is copied by its admin, and comes back as a new shop in another folder, by screens only.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startShop } from '#test/running-shop.ts'
import { codeOf, enrol, prove } from './factors.ts'
import type { Shop } from './open-shop.ts'
import { sessionOf } from './paying.ts'
import { printSetupLink } from './setup-link.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { buy, makeUser, orderOf, password, saveSession, signIn } from './users.ts'

test.use({
  shopName: 'a shop that moves',
  takesMoney: true,
  // Not an address of this machine, so that the restored shop is a copy of it (docs/decisions/0025).
  settings: { SITE_URL: 'http://books.example' },
})

test('a shop is downloaded, and restored as a new one that asks for the second factor and whether it is the shop now', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  // A backup is made, sent and read twice; each takes a whole core.
  test.slow()
  const reader = await makeUser(shop)
  const session = await signIn(shop, { email: reader, password })
  await buy(shop, session, 'digital')
  stripe.pay(sessionOf(stripe, reader).id)
  await stripe.sendEvent('checkout.session.completed', sessionOf(stripe, reader))
  await shop.mailbox.to(reader, /receipt/)
  const { number } = await orderOf(shop, session)
  const half = await signIn(shop, admin)
  const factor = await enrol(shop, half)
  await saveSession(page, JSON.stringify(await prove(shop, half, factor)))

  const passphrase = await makePassphrase(page, codeOf(factor.secret))
  const copy = await downloadCopy(page, shop)
  // The proof that was missing, and the passphrase that was not that of the page.
  expect(refusals(complaints)).toHaveLength(2)

  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-restored-'))
  const env = { ...stripe.env, ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
  await using restored = await startShop(folder.path, { env, host: 'localhost' })
  const { stdout } = await printSetupLink({
    ...shop,
    url: restored.url,
    dataDir: folder.path,
    databaseUrl: '',
  })
  await page.goto(stdout.trim())
  await restore(page, { copy, passphrase })
  // Of the calls while the shop was closed.
  refusals(complaints)

  await page.getByRole('link', { name: 'Sign in' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(admin.email)
  await form.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByLabel('Six-digit code').fill(codeOf(factor.secret, 1))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${restored.url}/admin`)
  await page.goto(`${restored.url}/admin/purchases`)
  await expect(page.getByRole('main')).toContainText(String(number))
  await expect(page.getByRole('main')).toContainText(reader)

  await page.goto(`${restored.url}/admin`)
  const question = page.getByRole('listitem').filter({ hasText: 'Is this the shop now?' })
  await expect(page.getByText('Payments do not work as they should')).toHaveCount(0)
  await question.getByRole('link', { name: 'Answer' }).click()
  await expect(page.getByRole('main')).toContainText('http://books.example')
  await page.getByRole('button', { name: 'This is the shop now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'This is the shop now' }).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'This is the shop now' })).toBeHidden()

  await page.goto(`${restored.url}/admin/backups`)
  const history = page.getByRole('listitem').filter({ hasText: 'by setup link' })
  await expect(history).toContainText('Restore')
  await expect(history).toContainText('done')
  // Else the page asks for the figures of a shop that is gone.
  await page.goto('about:blank', { waitUntil: 'load' })
  expect(await restored.stop('SIGTERM')).toBe(0)
})

/** What stands on the page to print, entered again before it counts. */
async function makePassphrase(page: Page, code: string): Promise<string> {
  await page.goto('/admin/backups')
  await page.getByRole('link', { name: 'Make the passphrase first' }).click()
  await page.getByRole('button', { name: 'Make the passphrase' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(admin.password)
  await proof.getByLabel('Six-digit code').fill(code)
  await page.keyboard.press('Enter')
  const groups = page.getByRole('group', { name: 'Passphrase', exact: true }).locator('code')
  await expect(groups).toHaveText(Array.from({ length: 5 }, () => /^[a-z]{5}$/))
  const passphrase = (await groups.allTextContents()).join('-')
  await page.getByRole('button', { name: 'I have it on paper' }).click()
  const field = page.getByLabel('Passphrase', { exact: true })
  await field.fill('abcde abcde abcde abcde abcde')
  await page.getByRole('button', { name: 'Use this passphrase' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Couldn’t take it')).toHaveCount(0)
  await field.fill(passphrase.replaceAll('-', ' '))
  await page.getByRole('button', { name: 'Use this passphrase' }).click()
  await expect(page).toHaveURL(/\/admin\/backups$/)
  await expect(page.getByText(passphrase)).toHaveCount(0)
  return passphrase
}

async function downloadCopy(page: Page, shop: Shop): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download a copy' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.tar$/)
  await shop.mailbox.to(admin.email, /copy/i)
  const path = test.info().outputPath(download.suggestedFilename())
  await download.saveAs(path)
  return path
}

async function restore(
  page: Page,
  { copy, passphrase }: { copy: string; passphrase: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Restore a shop that you have' }).click()
  await page.getByLabel('Backup', { exact: true }).setInputFiles(copy)
  await page.getByLabel('Passphrase', { exact: true }).fill('abcde abcde abcde abcde abcde')
  await page.getByRole('button', { name: 'Open the backup' }).click()
  await expect(page.getByRole('alert')).toContainText('This is not the passphrase of this file')
  await page
    .getByLabel('Passphrase', { exact: true })
    .fill(` ${passphrase.toUpperCase().replaceAll('-', '  ')} `)
  await page.getByRole('button', { name: 'Open the backup' }).click()
  await expect(page.getByRole('heading', { name: 'Is this your shop?' })).toBeFocused()
  const fact = (name: string) => page.locator('dl > div').filter({ hasText: name })
  await expect(fact('Address')).toContainText('http://books.example')
  await expect(fact('Orders')).toContainText('1')
  await expect(fact('Backed up')).toContainText(String(new Date().getFullYear()))
  await page.getByRole('button', { name: 'Restore this shop' }).click()
  await expect(page.getByRole('heading', { name: 'Your shop is back' })).toBeFocused({ timeout: 120_000 })
}
