// Money back where Stripe was not paid: the shop only records it, and says so everywhere.
import { expectAccessible } from './accessible.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'
import { expect, test } from './shop.ts'

test('a refund without Stripe is recorded, and the author is told to send the money', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'digital')
  await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
  await page.getByRole('table', { name: 'Purchases' }).getByRole('link').first().click()
  await expect(page.getByText('you send the money to the reader yourself')).toBeVisible()
  await expectAccessible(page)
  const amount = page.getByLabel('Amount ($)')
  await amount.fill('15')
  await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
  await expect(amount).toHaveAccessibleDescription('14.99 at most.')
  await amount.fill('')
  await amount.pressSequentially('1,5')
  await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
  await page.getByRole('dialog', { name: 'Record a refund of $1.50?' }).getByText('Cancel').click()
  await amount.fill('10')
  await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Record a refund of $10.00?' })
  await expect(question).toContainText('The shop moves no money')
  await question.getByRole('button', { name: 'Record refund' }).click()
  await expect(page.getByText('Recorded. Now send $10.00 to the reader yourself.')).toBeVisible()
  await expect(page.getByText('on its way')).toHaveCount(0)
  const mail = await shop.mailbox.to(email, /Your refund/)
  expect(mail.text).toContain('The author sends it to you directly.')
  expect(mail.text).not.toContain('on its way')
})
