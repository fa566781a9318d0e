// A copy for someone else: given, opened by its link and downloaded; and one that is taken back.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { mailTo, test } from './mailing.ts'
import { expect, refusals, type Shop } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, signIn, someone } from './users.ts'

test.use({ shopName: 'the shop whose books are given' })

async function enterAsBuyer(page: Page, shop: Shop) {
  const email = await makeUser(shop)
  const { name } = await buy(shop, await signIn(shop, { email, password }), 'digital')
  await enter(page, shop, email)
  await page.goto('/dashboard')
  return { email, name }
}

async function give(page: Page, name: string, to: string) {
  await page.getByRole('button', { name: `Give to someone: ${name}` }).click()
  const form = page.getByRole('dialog', { name: 'Give this copy to someone' })
  await form.getByLabel('Their email').fill(to)
  await form.getByLabel('Their name (optional)').fill('Priscilla')
  await form.getByLabel('Your name').fill('Aquila of Pontus')
  await form.getByLabel('Your message (optional)').fill('For your birthday.\nRead www.example.com too')
  await form.getByRole('button', { name: 'Give it' }).click()
  await expect(form.getByText('Links and email addresses cannot be sent here.')).toBeVisible()
  await expect(form.getByLabel('Your message (optional)')).toBeFocused()
  await form.getByLabel('Your message (optional)').fill('For your birthday.\nWith love')
  return form
}

test('a gift is given, opened by its link, which signs in, and downloaded; the author sees both orders', async ({
  page,
  shop,
  smtp,
  chrome,
}) => {
  const to = someone()
  const { email, name } = await enterAsBuyer(page, shop)
  const form = await give(page, name, to)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Give it' }).click()
  await expect(page.getByText('Gift Saved')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  const mail = await mailTo(smtp, to, /^Aquila of Pontus gives you/)
  await page.reload()
  await expect(page.getByText(`A gift for ${to}. The email was sent on`)).toBeVisible()
  await expectAccessible(page)

  await using reader = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
  reader.setDefaultTimeout(30_000)
  const tab = await reader.newPage()
  const link = /https?:\/\/\S+\/gift#\S+/.exec(mail.text!)![0]
  await tab.goto(link)
  await expect(tab.getByRole('heading', { name: `Aquila of Pontus gives you ${name}` })).toBeVisible()
  await expect(tab.getByText('With love')).toBeVisible()
  await expectAccessible(tab)
  await tab.getByRole('button', { name: 'Open the gift' }).click()
  await expect(tab.getByText('A gift from Aquila of Pontus.')).toBeVisible()
  await expectAccessible(tab)
  const [file] = await Promise.all([
    tab.waitForEvent('download'),
    tab
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  expect(await file.failure()).toBe(null)

  await page.reload()
  await expect(page.getByText(`Your gift for ${to} was opened on`)).toBeVisible()
  await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
  await page
    .getByRole('link', { name: /^#?\d+/ })
    .first()
    .click()
  await expect(page.getByText(`It was given to ${to}, who opened it`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Order #/ }).click()
  await expect(page.getByText('A gift, paid with')).toBeVisible()
  await expect(page.getByText('The file was downloaded whole')).toBeVisible()
})

test('a gift for a day waits for it, is corrected, and taken back; a link from before opens nothing', async ({
  page,
  shop,
  smtp,
  complaints,
}) => {
  const [wrong, right] = [someone(), someone()]
  const { name } = await enterAsBuyer(page, shop)
  const form = await give(page, name, wrong)
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  await form.getByLabel('On a day (optional)').fill(day)
  await form.getByRole('button', { name: 'Give it' }).click()
  await expect(page.getByText(`A gift for ${wrong}. The email goes out on`)).toBeVisible()

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const change = page.getByRole('dialog', { name: 'Change the gift' })
  await expect(change.getByLabel('Your message (optional)')).toHaveValue('For your birthday.\nWith love')
  await expect(change.getByLabel('On a day (optional)')).toHaveValue(day)
  await change.getByLabel('Their email').fill(right)
  await change.getByLabel('On a day (optional)').fill('')
  await change.getByRole('button', { name: 'Save the gift' }).click()
  const mail = await mailTo(smtp, right, /gives you/)
  await page.reload()
  await page.getByRole('button', { name: 'Take back', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText('Gift Taken Back')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
  await page.goto(/https?:\/\/\S+\/gift#\S+/.exec(mail.text!)![0])
  await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  await expectAccessible(page)
  expect(refusals(complaints)).toHaveLength(1)
})
