// The excerpt by email: the author uploads its file, a visitor asks for it, and the link of the email gives it.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { upload } from '#test/upload.ts'
import { expectAccessible } from './accessible.ts'
import { mailTo } from './mailing.ts'
import { offerLetters } from './offered-letters.ts'
import { part } from './part.ts'
import { admin, expect, refusals, test, type Shop } from './shop.ts'
import { expectToast } from './toast.ts'
import { translate } from './translate.ts'
import { callAsAdmin, enterAdmin, signIn, someone } from './users.ts'

test.use({ hasOwnBook: true, sendsMail: true })

const file = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))

const widths = [390, 1360] as const

const linkIn = (text = '') => /https?:\/\/\S+\/sample#[\w-]+/.exec(text)?.[0] ?? ''

async function give(shop: Shop) {
  const { access_token: token } = await signIn(shop, admin)
  const upload_id = await upload(shop, { token }, await readFile(file), 'excerpt.epub')
  const call = await callAsAdmin(shop)
  expect((await call('PUT', '/api/admin/excerpt', { body: { upload_id } })).status).toBe(200)
  await expect.poll(async () => (await fetch(shop.url)).text()).toContain('href="/sample"')
}

async function leaveAdmin(page: Page) {
  await page.goto('/')
  await page.evaluate(() => localStorage.clear())
}

async function ask(page: Page, email: string) {
  await page.goto('/')
  await page.getByRole('link', { name: 'Get an excerpt by email' }).click()
  await expect(page.getByRole('heading', { name: 'An excerpt for you' })).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(email)
}

async function expectDownload(page: Page) {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the excerpt' }).click()
  const download = await started
  expect(download.suggestedFilename()).toMatch(/, excerpt\.epub$/)
  expect(await readFile(await download.path())).toEqual(await readFile(file))
}

for (const width of widths)
  test(`at ${width} px an author gives an excerpt, and letters come only by their own press`, async ({
    page,
    shop,
    smtp,
    complaints,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await part(page, 'a file that is no ebook is refused in words, and an EPUB is taken', async () => {
      await enterAdmin(page, shop)
      await page.goto('/admin/products')
      const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('notes') }
      await page.getByLabel('The file of the excerpt').setInputFiles(notes)
      await expect(page.getByRole('alert').filter({ hasText: 'not an ebook' })).toBeVisible()
      await page.getByLabel('The file of the excerpt').setInputFiles(file)
      await expectToast(page, 'Excerpt saved', 'Links in emails give this file from now on.')
      await expect(page.getByRole('link', { name: 'See the page' })).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
      await expect(page.getByText(/\d emails? with a link to it (was|were) asked for/)).toBeVisible()
      await expect(page.getByText('This is the whole file that you sell')).toBeVisible()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: /^Download .*, excerpt\.epub$/ }).click()
      expect((await downloading).suggestedFilename()).toMatch(/, excerpt\.epub$/)
      await leaveAdmin(page)
    })
    const email = someone()
    await part(page, 'without letters nothing of them is shown', async () => {
      const mistyped = someone()
      await ask(page, mistyped)
      await expect(page.getByRole('checkbox')).toHaveCount(0)
      await page.getByRole('button', { name: 'Send me the excerpt' }).click()
      await expect(page.getByText(`The email goes to ${mistyped}.`)).toBeVisible()
      await page.getByRole('button', { name: 'Use another address' }).click()
      const field = page.getByLabel('Email', { exact: true })
      await expect(field).toBeFocused()
      await expect(field).toHaveValue(mistyped)
      await field.fill(email)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Please look into your mailbox' })).toBeFocused()
      await expect(page.getByText(`The email goes to ${email}.`)).toBeVisible()
      const mail = await mailTo(smtp, email, /excerpt/)
      expect(mail.text).not.toContain('letters')
      await page.goto(linkIn(mail.text))
      await expect(page.getByRole('heading', { name: 'Your excerpt' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Send me letters too' })).toHaveCount(0)
      await expectDownload(page)
    })
    await part(page, 'the ticked box is asked about once more', async () => {
      await offerLetters(shop)
      const reader = someone()
      await expect
        .poll(async () => (await fetch(`${shop.url}/sample`)).text())
        .toContain('Send me letters by email')
      await ask(page, reader)
      const box = page.getByRole('checkbox', { name: /^Send me letters by email from Anna Miller/ })
      await expect(box).not.toBeChecked()
      await expectAccessible(page)
      await page.setViewportSize({ width, height: 900 })
      await box.check()
      await page.getByRole('button', { name: 'Send me the excerpt' }).click()
      await expect(page.getByRole('heading', { name: 'Please look into your mailbox' })).toBeVisible()
      const link = linkIn((await mailTo(smtp, reader, /excerpt/)).text)
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Your excerpt' })).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize({ width, height: 900 })
      await expect(page.getByText(`For the address ${reader[0]}…@${reader.split('@')[1]}:`)).toBeVisible()
      await expect(page.getByText('The letters come only if you press the button')).toBeVisible()
      await page.getByRole('button', { name: 'Send me letters too' }).click()
      await expect(page.getByRole('heading', { name: 'You get the letters' })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { name: 'You get the letters' })).toBeVisible()
      await expect(page.getByText('To leave it, enter the address on the page of the letters')).toBeVisible()
      await expectDownload(page)
    })
    await part(page, 'a removed excerpt is said in words, and nothing leads to it', async () => {
      await enterAdmin(page, shop)
      await page.goto('/admin/products')
      await page.getByRole('button', { name: 'Remove the excerpt' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expectToast(page, 'Excerpt removed', 'Your page no longer offers it.')
      await leaveAdmin(page)
      await page.goto(linkIn((await mailTo(smtp, email, /excerpt/)).text))
      await expect(page.getByRole('heading', { name: 'The excerpt is not there any more' })).toBeVisible()
      await page.getByRole('link', { name: 'Back to the book' }).click()
      await expect(page.getByRole('link', { name: 'Get an excerpt by email' })).toHaveCount(0)
      await page.goto('/sample')
      await expect(page.getByRole('heading', { name: 'There is no excerpt here' })).toBeVisible()
    })
  })

test('on a page that the browser translates an excerpt is asked for, and downloaded', async ({
  page,
  shop,
  smtp,
}) => {
  await give(shop)
  await offerLetters(shop)
  await translate(page)
  const email = someone()
  await page.goto('/sample')
  await expect(page.locator('font').first()).toBeAttached()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send me the excerpt' }).click()
  await expect(page.getByRole('heading', { name: 'Please look into your mailbox' })).toBeVisible()
  await page.goto(linkIn((await mailTo(smtp, email, /excerpt/)).text))
  await expectDownload(page)
  await page.getByRole('button', { name: 'Send me letters too' }).click()
  await expect(page.getByRole('heading', { name: 'You get the letters' })).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ contextOptions: { javaScriptEnabled: false } })

  test('an address is asked for, what is wrong is said, and the email comes', async ({
    page,
    shop,
    smtp,
    complaints,
  }) => {
    await give(shop)
    await ask(page, 'nobody@nowhere')
    await page.getByRole('button', { name: 'Send me the excerpt' }).click()
    await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nobody@nowhere')
    expect(refusals(complaints).length).toBeLessThanOrEqual(1)
    const email = someone()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Send me the excerpt' }).click()
    await expect(page.getByRole('heading', { name: 'Please look into your mailbox' })).toBeVisible()
    await expect(page).toHaveURL('/sample/sent')
    expect(linkIn((await mailTo(smtp, email, /excerpt/)).text)).not.toBe('')
  })
})
