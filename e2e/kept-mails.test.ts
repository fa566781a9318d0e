// Mails of a shop that cannot send any yet, read in the admin area.
import { openSmtpServer } from '#test/smtp.ts'
import { expectAccessible } from './accessible.ts'
import { admin, expect, test } from './shop.ts'
import { buy, enterAdmin, linksTo, makeUser, password, post, signIn } from './users.ts'

test.use({ shopName: 'the shop without a mail server', settings: { SMTP_PRIVATE_HOSTS: 'on' } })
test.describe.configure({ mode: 'serial' })

test('before the first mail, the list says why it is there and how mail is set up', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Emails' }).click()
  await expect(page.getByRole('heading', { name: 'No emails here' })).toBeVisible()
  await expect(page.getByText('Email is not set up, so none of these was sent.')).toBeVisible()
  await expect(page.getByText(`${shop.dataDir}/outbox`)).toBeVisible()
  await expectAccessible(page)
})

test('an admin who buys is led to the receipt, whose links open beside it', async ({
  page,
  context,
  shop,
}) => {
  await enterAdmin(page, shop, '/#book-sales')
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await expect(page.getByText(/^Email is not set up, so nothing is sent yet:/)).toBeVisible()
  await shop.mailbox.to(admin.email, /receipt/)
  await page.getByRole('link', { name: 'read the email in the admin area' }).click()
  await page.getByRole('link', { name: /Your receipt for/ }).click()

  const mail = page.frameLocator('iframe')
  await expect(mail.getByText('Thank you for your purchase')).toBeVisible()
  await expect(page.getByText('The links are taken out here')).toHaveCount(0)
  await expectAccessible(page)
  const opened = context.waitForEvent('page')
  await mail.getByRole('link', { name: 'Get your book' }).click()
  await expect(await opened).toHaveURL('/dashboard')
  await page.getByText('Plain text').click()
  await expect(page.getByText('THANK YOU FOR YOUR PURCHASE')).toBeVisible()
})

test('a mail to a reader is shown without the links that are the reader’s', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await buy(shop, await signIn(shop, { email, password }), 'digital')
  await shop.mailbox.to(email, /receipt/)
  await post(shop, '/auth/v1/recover', { email })
  await linksTo(shop, email, /new password/)
  await enterAdmin(page, shop, '/admin/mails')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows.first()).toContainText('Choose a new password')
  await expect(rows.first()).toContainText(email)
  await expectAccessible(page)

  await rows.first().getByRole('link').click()
  await expect(page.getByText(`The links are taken out here: they are for ${email} alone.`)).toBeVisible()
  const mail = page.frameLocator('iframe')
  await expect(mail.getByText('Somebody, probably you, asked for a new password')).toBeVisible()
  await expect(mail.locator('[href]')).toHaveCount(0)
  await mail.getByText('Choose a new password').last().click()
  await expect(page).toHaveURL(/\/admin\/mails\/.+/)
  await page.getByText('Plain text').click()
  await expect(page.getByText('token_hash')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All emails' }).click()
  await expect(rows.first()).toBeVisible()
})

test('once mail is set up, what was kept is sent after a question', async ({ page, shop }) => {
  await using smtp = await openSmtpServer()
  const { hostname: host, port } = new URL(smtp.url)
  const values = { host, port: Number(port), encryption: 'none', from_address: 'shop@books.example' }
  const { access_token } = await enterAdmin(page, shop, '/admin/mails')
  const headers = { authorization: `Bearer ${access_token}` }
  const saved = await page.request.put('/api/admin/settings/mail', { headers, data: { revision: 0, values } })
  expect(saved.status()).toBe(200)

  await page.goto('/admin/settings/mail')
  await expect(page.getByText('2 emails were kept before mail was set up.')).toBeVisible()
  await page.getByRole('link', { name: 'See what can be sent now' }).click()
  await page.getByRole('button', { name: 'Send 2 kept emails' }).click()
  await expect(page.getByText('its reader may not expect it any more')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Send 2 emails' }).click()
  await expect(page.getByText('2 emails are on the way.')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('sent since')).toHaveCount(2, { timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('button', { name: /kept (e)?mail/ })).toHaveCount(0)
  await expectAccessible(page)

  await page.goto('/#book-sales')
  await page.getByRole('button', { name: 'Buy Paperback' }).click()
  await expect(page.getByText(`The receipt goes to ${admin.email}`)).toBeVisible()
})

test('a mail that is not there is said to be missing', async ({ page, shop, complaints }) => {
  await enterAdmin(page, shop, '/admin/mails/none')
  await expect(page.getByRole('heading', { name: 'There is no such email' })).toBeVisible()
  await page.getByRole('link', { name: 'All emails' }).click()
  await expect(page.getByRole('heading', { name: 'Emails', exact: true })).toBeVisible()
  complaints.splice(0)
})
