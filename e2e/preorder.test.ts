// A product that gets a day, is ordered before it, moved, released and downloaded.
import type { Product } from '#contract/catalog/products.ts'
import { expectAccessible } from './accessible.ts'
import { mailTo, test } from './mailing.ts'
import { expect, visitUnhurried } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, signIn, someone } from './users.ts'

test.use({ shopName: 'the shop with a pre-order' })

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const inWords = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

test('a pre-order says its day, is moved and released, and is downloaded then', async ({
  page,
  shop,
  smtp,
  chrome,
}) => {
  const [first, second] = [dayIn(30), dayIn(60)]
  const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const { id, name } = products.find(({ format }) => format === 'digital')!
  await enterAdmin(page, shop, `/admin/products/${id}`)
  await page.getByRole('button', { name: 'Set a day' }).click()
  await page.getByRole('dialog').getByLabel('Day').fill(first)
  await page.getByRole('dialog').getByRole('button', { name: 'Set a day' }).click()
  await expect(page.getByText(`It comes out on ${inWords(first)}`)).toBeVisible()
  await expectAccessible(page)

  await using context = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
  context.setDefaultTimeout(30_000)
  const reader = visitUnhurried(await context.newPage())
  await reader.goto('/')
  await expect(reader.getByText(`Pre-order: out on ${inWords(first)}`).first()).toBeVisible()
  await expectAccessible(reader)
  const waiting = someone()
  await reader.getByRole('link', { name: 'Tell me when it is out' }).first().click()
  await expect(reader.getByRole('heading', { name: 'Tell me when it is out' })).toBeVisible()
  await reader.getByLabel('Email').fill(waiting)
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Tell me' }).click()
  await expect(reader.getByRole('heading', { name: 'Please look into your mailbox' })).toBeVisible()
  const asked = await mailTo(smtp, waiting, /^Shall we tell you/)
  await reader.goto(/https?:\/\/\S+\/tell-me\/\S+/.exec(asked.text!)![0])
  await expect(reader.getByRole('heading', { name: 'Shall we tell you?' })).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Yes, tell me' }).click()
  await expect(reader.getByRole('heading', { name: 'We tell you when it is out' })).toBeVisible()

  const email = await makeUser(shop)
  await buy(shop, await signIn(shop, { email, password }), 'digital')
  await enter(reader, shop, email)
  await reader.goto('/dashboard')
  await expect(reader.getByText(`It comes out on ${inWords(first)}. You get an email then.`)).toBeVisible()
  await expect(reader.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  await expectAccessible(reader)
  const receipt = await mailTo(smtp, email, /receipt/)
  expect(receipt.text).toContain(`It comes out on ${inWords(first)}`)

  await page.reload()
  await expect(page.getByText('One reader has ordered it.')).toBeVisible()
  await page.getByRole('button', { name: 'Move the day' }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByText('An email goes to one reader')).toBeVisible()
  await form.getByLabel('Day').fill(second)
  await form.getByRole('button', { name: 'Move the day' }).click()
  await mailTo(smtp, email, new RegExp(`comes out on ${inWords(second)}$`))

  await page.getByRole('button', { name: 'Release it now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release it' }).click()
  await expect(page.getByText('It is out', { exact: true })).toBeVisible()
  await mailTo(smtp, waiting, /is out$/)
  const out = await mailTo(smtp, email, /is out$/)
  expect(out.text).toContain(name)
  await reader.reload()
  const [file] = await Promise.all([
    reader.waitForEvent('download'),
    reader
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  expect(await file.failure()).toBe(null)
})
