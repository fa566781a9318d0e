// Mail set up on the screen: a provider chosen, a server that refuses, and one that takes the mail.
import { SMTPServer } from 'smtp-server'
import { findFreePort } from '#test/find-free-port.ts'
import { expectAccessible } from './accessible.ts'
import { admin, expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

test.use({ shopName: 'the shop that gets a mail server', settings: { SMTP_PRIVATE_HOSTS: 'on' } })

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

test('a mail server is entered, refuses, is corrected, and sends', async ({ page, shop }) => {
  await using server = await openMailServer()
  await enterAdmin(page, shop, '/admin/mails')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Set it up' }).click()
  const test = main.getByRole('button', { name: 'Send me a test' })
  const save = main.getByRole('button', { name: 'Save' })
  const saved = page.getByText('Settings saved')
  await expect(test).toBeDisabled()
  await expectAccessible(page)

  await main.getByLabel('Provider').selectOption('Resend')
  await expect(main.getByLabel('Server')).toHaveValue('smtp.resend.com')
  await expect(main.getByLabel('Port')).toHaveValue('465')
  await expect(main.getByLabel('User')).toHaveValue('resend')
  await main.getByLabel('Provider').selectOption('Another mail server')
  await main.getByLabel('Server').fill('')
  await save.click()
  await expect(main.getByLabel('Server')).toHaveAccessibleDescription('Please enter the name of the server.')
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
  await expectAccessible(page)

  const password = main.getByLabel('Password', { exact: true })
  await main.getByLabel('Port').fill('2525')
  await expect(password).toHaveAccessibleDescription(/The stored one is for another/)
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
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views.getByRole('link', { name: 'Emails' })).toHaveCount(0)
  await expectAccessible(page)
})
