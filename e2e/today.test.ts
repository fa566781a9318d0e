// The first screen of the admin area in the morning: what waits is done there, until nothing waits.
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { buy, enterAdmin, makeUser, password, post, signIn } from './users.ts'

test.use({ shopName: 'the shop in the morning' })

test('two parcels are shipped and a message is answered from the first screen, and then nothing waits', async ({
  page,
  shop,
}) => {
  for (let at = 0; at < 2; at += 1)
    await buy(shop, await signIn(shop, { email: await makeUser(shop), password }), 'paperback')
  const message = { name: 'Lydia', email: 'lydia@example.com', subject: 'Purple', message: 'Come and stay.' }
  await post(shop, '/api/contact', message)

  await enterAdmin(page, shop)
  const today = page.locator('section', { has: page.getByRole('heading', { name: 'Today' }) })
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(today).toContainText('2 sold, $49.98')
  await expect(today.getByRole('button', { name: /^Ship parcel/ })).toHaveCount(2)
  await expect(today.getByText('no address yet')).toHaveCount(2)
  await expect(views.getByRole('link', { name: /^Shipping/ })).toHaveText('Shipping2')
  await expect(views.getByRole('link', { name: /^Messages/ })).toHaveText('Messages1')
  await expectAccessible(page)

  for (const left of [1, 0]) {
    await today
      .getByRole('button', { name: /^Ship parcel/ })
      .first()
      .click()
    const question = page.getByRole('dialog', { name: 'Ship 1 parcel?' })
    await question.getByRole('button', { name: 'Mark as shipped' }).click()
    await expect(today.getByRole('button', { name: /^Ship parcel/ })).toHaveCount(left)
  }
  await expect(views.getByRole('link', { name: /^Shipping/ })).toHaveText('Shipping')

  await today.getByRole('link', { name: 'Reply' }).click()
  await page.getByLabel('Reply to lydia@example.com').fill('We gladly come.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('We gladly come.')).toBeVisible()
  await expect(views.getByRole('link', { name: /^Messages/ })).toHaveText('Messages')
  await views.getByRole('link', { name: 'Today' }).click()
  await expect(today).toContainText('Nothing waits for you')
  await expectAccessible(page)
})
