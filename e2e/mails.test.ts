// Emails of a shop that cannot send any yet, and the mail server that is set on the screen.
import { SMTPServer } from 'smtp-server'
import { findFreePort } from '#test/find-free-port.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { admin, expect, test } from './shop.ts'
import { buy, enterAdmin, linksTo, makeUser, password, post, signIn } from './users.ts'

test.describe('before a mail server is set and after', () => {
  test.use({ shopName: 'the shop without a mail server' })

  test.describe.configure({ mode: 'serial' })

  test('unsent emails: why they are there, with links for the admin who reads her own, without those of a reader’s', async ({
    page,
    context,
    shop,
    complaints,
  }) => {
    await enterAdmin(page, shop)
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Mail' }).click()
    await expect(page.getByRole('heading', { name: 'No emails yet' })).toBeVisible()
    await expect(page.getByText('Email is not set up, so nothing is sent yet.')).toBeVisible()
    await expect(page.getByText(`${shop.dataDir}/outbox`)).toBeVisible()

    await page.goto('/#book-sales')
    await page.getByRole('button', { name: 'Buy Digital' }).click()
    await expect(page.getByText(/^Email is not set up, so nothing is sent yet:/)).toBeVisible()
    await shop.mailbox.to(admin.email, /receipt/)
    await page.getByRole('link', { name: 'read the email in the admin area' }).click()
    await page.getByRole('link', { name: /Your receipt for/ }).click()

    const own = page.frameLocator('iframe')
    await expect(own.getByText('Thank you for your purchase')).toBeVisible()
    await expect(page.getByText('The links are taken out here')).toHaveCount(0)
    const opened = context.waitForEvent('page')
    await own.getByRole('link', { name: 'Get your book' }).click()
    await expect(await opened).toHaveURL('/dashboard')
    await page.getByText('Plain text').click()
    await expect(page.getByText('THANK YOU FOR YOUR PURCHASE')).toBeVisible()

    const email = await makeUser(shop)
    await buy(shop, await signIn(shop, { email, password }), 'digital')
    await shop.mailbox.to(email, /receipt/)
    await post(shop, '/auth/v1/recover', { email })
    await linksTo(shop, email, /new password/)
    await enterAdmin(page, shop, '/admin/mails')
    const rows = page.getByRole('table', { name: 'Mail' }).locator('tbody').getByRole('row')
    await expect(rows.first()).toContainText('Choose a new password')
    await expect(rows.first()).toContainText(email)
    await expect(rows.first()).toContainText('Unsent')

    await rows.first().getByRole('link').click()
    await expect(page.getByText(`The links are taken out here: they are for ${email} alone.`)).toBeVisible()
    await expect(page.getByText('It is not sent later, as it was of use at its time only.')).toBeVisible()
    const mail = page.frameLocator('iframe')
    await expect(mail.getByText('Somebody, probably you, asked for a new password')).toBeVisible()
    await expect(mail.locator('[href]')).toHaveCount(0)
    await mail.getByText('Choose a new password').last().click()
    await expect(page).toHaveURL(/\/admin\/mails\/.+/)
    await page.getByText('Plain text').click()
    await expect(page.getByText('token_hash')).toHaveCount(0)
    const former = (await page.getByText(/outbox\/.+\.eml$/).textContent())?.split(/\/|\.eml/).at(-2)
    await page.getByRole('link', { name: 'All emails' }).click()
    await expect(rows.first()).toBeVisible()
    await page.getByLabel('Search the emails').fill(admin.email)
    await expect(rows).toHaveCount(1)
    await page.getByLabel('State').selectOption('Sent')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()

    await page.goto(`/admin/mails/${former}`)
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    await page.goto('/admin/mails/none')
    await expect(page.getByRole('heading', { name: 'There is no such email' })).toBeVisible()
    await page.getByRole('link', { name: 'All emails' }).click()
    await expect(page.getByRole('heading', { name: 'Mail', exact: true })).toBeVisible()

    const message = { name: 'Lydia', email: 'lydia@example.com', subject: 'Purple', message: 'Come.' }
    await post(shop, '/api/contact', message)
    await shop.mailbox.to(admin.email, /Purple/)
    // The email is written before its row.
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('link', { name: /Purple/ })).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.getByRole('link', { name: /Purple/ }).click()
    const main = page.getByRole('main')
    await expect(main.getByText('The message stands under Messages.')).toBeVisible()
    await expect(main.getByRole('link', { name: 'Messages' })).toBeVisible()
    complaints.splice(0)
  })

  test('once mail is set up, what was unsent is sent after a question', async ({ page, shop }) => {
    await using smtp = await openSmtpServer()
    const { hostname: host, port } = new URL(smtp.url)
    const values = { host, port: Number(port), encryption: 'none', from_address: 'shop@books.example' }
    const { access_token } = await enterAdmin(page, shop, '/admin/mails')
    const headers = { authorization: `Bearer ${access_token}` }
    const saved = await page.request.put('/api/admin/settings/mail', {
      headers,
      data: { revision: 0, values },
    })
    expect(saved.status()).toBe(200)

    await page.goto('/admin/mails/settings')
    await expect(page.getByText('2 emails are unsent, from before mail was set up.')).toBeVisible()
    await page.getByRole('link', { name: 'See what can be sent now' }).click()
    await page.getByRole('button', { name: 'Send 2 unsent emails' }).click()
    await expect(page.getByText('its recipient may no longer expect it')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Send 2 emails' }).click()
    await expect(page.getByText('2 emails are on the way.')).toBeVisible()
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('cell', { name: /Unsent/ })).toHaveCount(2, { timeout: 1000 })
    }).toPass()
    await expect(page.getByRole('button', { name: /unsent/ })).toHaveCount(0)
    await page.getByLabel('State').selectOption('Sent')
    await page
      .getByRole('link', { name: /Your receipt for/ })
      .first()
      .click()
    await expect(page.getByText('THANK YOU FOR YOUR PURCHASE')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible()

    smtp.behavior = 'knows no such mailbox'
    await page.goto('/#book-sales')
    await page.getByRole('button', { name: 'Buy Paperback' }).click()
    await expect(page.getByText(`The receipt goes to ${admin.email}`)).toBeVisible()
    await expect(async () => {
      await page.goto('/admin/mails?status=failed')
      await page.getByRole('link', { name: /Your receipt for/ }).click({ timeout: 1000 })
    }).toPass()
    await expect(
      page.getByText('The shop no longer tries to send it; it is listed under Needs attention.'),
    ).toBeVisible()
    smtp.behavior = 'takes mails'
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('Retrying')).toBeVisible()
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible({ timeout: 1000 })
    }).toPass()
  })
})

test.describe('of a shop that gets one', () => {
  test.use({ shopName: 'the shop that gets a mail server' })

  test('a mail server is entered, refuses, is corrected, and sends', async ({ page, shop }) => {
    await using server = await openMailServer()
    await enterAdmin(page, shop, '/admin/mails')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Set it up' }).click()
    const test = main.getByRole('button', { name: 'Send me a test' })
    const save = main.getByRole('button', { name: 'Save' })
    const saved = page.getByText('Settings saved')
    await expect(test).toBeDisabled()

    await main.getByLabel('Provider').selectOption('Resend')
    await expect(main.getByLabel('Server')).toHaveValue('smtp.resend.com')
    await expect(main.getByLabel('Port')).toHaveValue('465')
    await expect(main.getByLabel('User')).toHaveValue('resend')
    await main.getByLabel('Provider').selectOption('Another mail server')
    await main.getByLabel('Server').fill('')
    await save.click()
    await expect(main.getByLabel('Server')).toHaveAccessibleDescription(
      'Please enter the name of the server.',
    )
    await expect(main.getByLabel('User')).toHaveValue('resend')

    await main.getByLabel('Server').fill('127.0.0.1')
    await main.getByLabel('Port').fill(String(server.port))
    await main.getByLabel('Encryption').selectOption('none')
    await main.getByLabel('User').fill('books')
    await main.getByLabel('Password', { exact: true }).fill('a wrong password')
    await main.getByLabel('Sender’s name').fill('The Book')
    await main.getByLabel('Sender’s address').fill('shop@another.example')
    await save.click()
    await expect(saved).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await test.click()
    await expect(main.getByText('The email was not sent.')).toBeVisible()
    await expect(main.getByText('535 5.7.8 Authentication credentials invalid')).toBeVisible()
    await expect(main.getByText('did not accept user and password', { exact: false })).toBeVisible()
    await expect(main.getByText('Mail providers ask another.example', { exact: false })).toBeVisible()

    const password = main.getByLabel('Password', { exact: true })
    await main.getByLabel('Port').fill('2525')
    await expect(password).toHaveAccessibleDescription(/The stored one belongs to another/)
    await main.getByLabel('Port').fill(String(server.port))
    await main.getByRole('button', { name: 'Replace' }).click()
    await main.getByLabel('Password', { exact: true }).fill('a right password')
    await save.click()
    await expect(saved).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await test.click()
    await expect(main.getByText('553 5.7.1 Sender address not verified')).toBeVisible()

    await main.getByLabel('Sender’s address').fill('shop@books.example')
    await save.click()
    await expect(saved).toBeVisible()
    await test.click()
    await expect(main.getByText('The mail server took the email.')).toBeVisible()
    expect(server.taken).toEqual([admin.email])
  })
})

/** Takes mails from the user `books` with the right password, sent by the right sender. */
async function openMailServer() {
  const port = await findFreePort()
  const taken: string[] = []
  const refuse = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username = '', password }, _session, done) {
      const isRight = username === 'books' && password === 'a right password'
      done(isRight ? null : refuse(535, '5.7.8 Authentication credentials invalid'), { user: username })
    },
    onMailFrom({ address }, _session, done) {
      done(address === 'shop@books.example' ? null : refuse(553, '5.7.1 Sender address not verified'))
    },
    onData(stream, { envelope }, done) {
      taken.push(...envelope.rcptTo.map(({ address }) => address))
      stream.resume().on('end', () => done())
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return { port, taken, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)) }
}
