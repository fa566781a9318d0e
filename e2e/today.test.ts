// The first screen of the admin area in the morning: what waits is done there, until nothing waits.
import { expectAccessible } from './accessible.ts'
import { expect, test, type Shop } from './shop.ts'
import { beginCheckout, payHere } from './paying.ts'
import { enter, enterAdmin, makeUser, post, type Session } from './users.ts'

test.use({ shopName: 'the shop in the morning', takesMoney: true })

const home = {
  Name: 'Ruth Moab',
  Street: '1 Threshing Floor',
  City: 'Bethlehem',
  'Postal code': '18015',
  Phone: '555 0100',
}

test('two parcels are shipped, a message answered and a refund given from the first screen, and nothing waits', async ({
  page,
  shop,
}) => {
  test.setTimeout(90_000)
  const readers: Session[] = []
  for (let at = 0; at < 2; at += 1) {
    readers.push(await enter(page, shop, await makeUser(shop)))
    await beginCheckout(page, undefined, /paperback/i)
    for (const [label, value] of Object.entries(home))
      await page.getByLabel(label, { exact: true }).fill(value)
    await payHere(page)
    await page.waitForURL('**/dashboard*', { timeout: 15_000 })
  }
  const message = { name: 'Lydia', email: 'lydia@example.com', subject: 'Purple', message: 'Come and stay.' }
  await post(shop, '/api/contact', message)

  await enterAdmin(page, shop)
  const today = page.locator('section', { has: page.getByRole('heading', { name: 'Today' }) })
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(today).toContainText('2 sold, $49.98')
  await expect(today.getByRole('button', { name: /^Ship parcel/ })).toHaveCount(2)
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
  await page.getByRole('button', { name: 'Save reply' }).click()
  await expect(page.getByText('We gladly come.')).toBeVisible()
  await expect(views.getByRole('link', { name: /^Messages/ })).toHaveText('Messages')

  await askForRefund(shop, readers[0]!)
  await views.getByRole('link', { name: 'Today' }).click()
  await expect(today).toContainText('A buyer wants a refund')
  await expect(views.getByRole('link', { name: /^Needs attention/ })).toHaveText('Needs attention1')
  await today.getByRole('button', { name: 'Refund the buyer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(today).toContainText('Nothing waits for you')
  await expect(views.getByRole('link', { name: /^Needs attention/ })).toHaveText('Needs attention')
  await expectAccessible(page)
})

async function askForRefund(shop: Shop, { access_token }: Session): Promise<void> {
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await fetch(`${shop.url}/api/purchases`, { headers })
  const { items } = (await response.json()) as { items: { id: string }[] }
  await post(shop, `/api/purchases/${items[0]!.id}/refund`, { reason: 'It came twice.' }, access_token)
}
