// A purchase under a mistyped address: moved by the author, opened by its buyer, gone for the other, who objects.
import { expectAccessible } from './accessible.ts'
import { admin, expect, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, post, signIn } from './users.ts'

test.use({ shopName: 'the shop whose buyers mistype' })

test('a purchase under a mistyped address is moved to the right one, and the other may object', async ({
  page,
  shop,
  chrome,
}) => {
  const [wrong, right] = [await makeUser(shop), await makeUser(shop)]
  const { name } = await buy(shop, await signIn(shop, { email: wrong, password }), 'digital')
  await enterAdmin(page, shop, '/admin/purchases')
  await page.getByRole('row').filter({ hasText: wrong }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Move to another address' }).click()
  const question = page.getByRole('dialog', { name: 'Move to another address' })
  await expectAccessible(page)
  await question.getByLabel('New address').fill(right)
  await question.getByLabel('Reason').fill('The buyer wrote from the right address.')
  await question.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('Purchase moved')).toBeVisible()
  await expect(page.getByText(`From ${wrong} to ${right}`)).toBeVisible()
  await expectAccessible(page)

  const see = async (email: string) => {
    const context = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
    context.setDefaultTimeout(30_000)
    const tab = await context.newPage()
    await enter(tab, shop, email)
    await tab.goto('/dashboard')
    return tab
  }
  const own = await see(right)
  await expect(own.getByRole('heading', { name })).toBeVisible()
  const [file] = await Promise.all([
    own.waitForEvent('download'),
    own.getByRole('button', { name: /^Download EPUB/ }).click(),
  ])
  expect(await file.failure()).toBe(null)
  await own.context().close()
  const former = await see(wrong)
  await expect(former.getByText('No purchases yet')).toBeVisible()

  const mail = await shop.mailbox.to(wrong, /moved away/)
  await former.goto(/\S+\/purchase-moved#\S+/.exec(mail.text!)![0])
  await expectAccessible(former)
  await former.getByLabel('What should the author know? (optional)').fill('I bought it for my sister.')
  await former.getByRole('button', { name: 'I object' }).click()
  await expect(former.getByRole('heading', { name: 'The author has your objection' })).toBeVisible()
  await former.context().close()
  await page.reload()
  await expect(page.getByText('The former address has objected')).toBeVisible()
  await page.goto('/admin/messages')
  await page.getByRole('link', { name: /^Objection: order/ }).click()
  await expect(page.getByText('I bought it for my sister.')).toBeVisible()
})

test('who cannot find a purchase writes to the author, who sees the order of the mistyped address', async ({
  page,
  shop,
  chrome,
}) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const { access_token } = await signIn(shop, admin)
  const wrong = `naomi-${mark}@exmaple.com`
  await post(shop, '/functions/v1/admin-create-user', { email: wrong, password }, access_token)
  await buy(shop, await signIn(shop, { email: wrong, password }), 'digital')
  await using context = await chrome.newContext({ baseURL: shop.url })
  context.setDefaultTimeout(30_000)
  const tab = await context.newPage()
  await tab.goto('/auth?form=code&next=/dashboard')
  const form = tab.getByRole('region', { name: 'Sign in with a code' })
  await form.getByLabel('Email').fill(`naomi-${mark}@example.com`)
  await form.getByLabel('Email').press('Enter')
  await tab.getByRole('link', { name: 'No code came, or your purchase is not there?' }).click()
  await expect(tab.getByRole('heading', { name: 'Find your purchase' })).toBeVisible()
  await expectAccessible(tab)
  await tab.getByRole('button', { name: 'Write to the author' }).click()
  await expect(tab.getByLabel('Name')).toBeFocused()
  await tab.getByLabel('Name').fill('Naomi')
  await tab.getByLabel('Email').fill(`naomi-${mark}@example.com`)
  await tab.getByLabel('When you bought, about (optional)').fill('Last Sunday')
  await tab.getByRole('button', { name: 'Write to the author' }).click()
  await expect(tab.getByText('The author has your message')).toBeVisible()

  await enterAdmin(page, shop, '/admin/messages')
  await page.getByRole('link', { name: 'I cannot find my purchase' }).click()
  await expect(page.getByText('Last Sunday')).toBeVisible()
  const writer = page.getByRole('complementary', { name: 'The writer' })
  await expect(writer.getByText(wrong)).toBeVisible()
  await writer.getByRole('link', { name: /^#/ }).click()
  await expect(page.getByRole('button', { name: 'Move to another address' })).toBeVisible()
})
