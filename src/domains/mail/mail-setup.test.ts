// Mail set up on the screen: in force at once, tried with a real server, and explained where it refuses.
import { expect, test } from 'vitest'
import { openSecondShop } from '#test/second-shop.ts'
import { openMailShop, path, save, sendTest, valuesOf } from '#test/mail-setup.ts'
import { openSmtpServer, type SmtpBehavior } from '#test/smtp.ts'
import type { SettingsGroup } from '#contract/operations/settings.ts'
import { explainRefusal } from './mail-setup.ts'
import type { SenderDns } from '#contract/mail/mail-settings.ts'

test('a mail server that is entered takes the next mail, in every process and without a restart', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop()
  await using other = await openSecondShop(shop)
  const { admin } = shop
  expect(shop.services.mail.isKept()).toBe(true)
  const values = { ...valuesOf(smtp), user: 'books', password: 'a password of the mail server' }
  expect(await save(admin, values)).toMatchObject({ status: 200 })
  expect(shop.services.mail.isKept()).toBe(false)
  await expect.poll(() => other.services.mail.isKept(), { timeout: 1_000 }).toBe(false)
  await other.services.mail.send({ to: 'a@example.com', subject: 'A', html: 'A', text: 'A' }, 'id-00')

  const { is_accepted, answer, to } = await sendTest(admin)
  expect({ is_accepted, to }).toEqual({ is_accepted: true, to: admin.email })
  expect(answer).toMatch(/^250 /)
  const { email, envelope } = smtp.emails.at(-1)!
  expect(envelope).toEqual({ from: 'shop@books.example', to: [admin.email] })
  expect(email).toMatchObject({
    from: { name: 'The Book', address: 'shop@books.example' },
    subject: 'Your shop can send email',
  })
  await admin.buy((await shop.product('digital')).id)
  await smtp.arrived(3)

  expect(await save(admin, { host: '' }, 1)).toMatchObject({ status: 200 })
  expect(shop.services.mail.isKept()).toBe(true)
  const refused = await admin.call('POST', '/api/admin/mail/test', { body: {} })
  expect(await refused.json()).toMatchObject({ status: 409, code: 'mail_setup.no_server' })
})

test('the password of the mail server is never sent back, and not written into the log', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false })
  const { admin } = shop
  const password = 'a password of the mail server'
  await save(admin, { ...valuesOf(smtp), user: 'books', password })
  await sendTest(admin)
  const group = (await (await admin.call('GET', path)).json()) as SettingsGroup
  expect(group.secrets['password']).toMatchObject({ ends_in: 'rver', is_readable: true })
  const log = await (await admin.call('GET', '/api/admin/audit')).text()
  expect(log).toContain('mails.tested')
  for (const text of [JSON.stringify(group), log]) expect(text).not.toContain(password)
})

test.each([
  ['refuses the password', '535 5.7.8 Authentication failed', 'did not accept user and password'],
  ['refuses the sender', '554 5.7.1 Sender not verified', 'does not send for this sender'],
  ['knows no such mailbox', '550 5.1.1 No such user here', 'does not send to your address'],
  ['refuses for good', '550 Not today', 'refused the mail itself'],
] as const satisfies [SmtpBehavior, string, string][])(
  'of a server that %s, the admin reads its own words and what to do',
  async (behavior, words, advice) => {
    await using smtp = await openSmtpServer(behavior)
    await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
    await save(shop.admin, { ...valuesOf(smtp), user: 'books', password: 'wrong' })
    const tested = await sendTest(shop.admin)
    expect(tested).toMatchObject({ is_accepted: false, answer: words })
    expect(tested.advice).toContain(advice)
  },
)

test('a server that does not respond and one that cannot encrypt give different errors', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
  const { admin } = shop
  await save(admin, { ...valuesOf(smtp), encryption: 'starttls' })
  expect((await sendTest(admin)).advice).toContain('could not be encrypted')
  await save(admin, { encryption: 'tls' }, 1)
  expect((await sendTest(admin)).advice).toContain('Choose STARTTLS')
  await save(admin, { encryption: 'none' }, 2)
  await smtp.goAway()
  expect((await sendTest(admin)).advice).toContain('Nothing listens on this port')
  expect(smtp.emails).toEqual([])
})

test('errors that only real servers cause are explained, too', () => {
  const advice = (error: object) => explainRefusal(Object.assign(new Error(), error)).advice
  expect(advice({ code: 'EDNS', message: 'getaddrinfo ENOTFOUND smtp.example.con' })).toContain(
    'no server of this name',
  )
  expect(advice({ code: 'ETIMEDOUT', message: 'Connection timeout' })).toContain('did not answer')
  expect(advice({ code: 'ESOCKET', message: 'self-signed certificate' })).toContain('certificate')
  expect(advice({ code: 'ESTREAM', message: 'odd' })).toContain('Compare the settings')
})

test('mails and their password leave this machine encrypted only', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
  const server = { host: 'smtp.example.com', port: 25, encryption: 'none' }
  expect(await save(shop.admin, server)).toMatchObject({
    status: 422,
    body: { fields: { encryption: expect.stringContaining('only a server on this machine') } },
  })
  expect(shop.services.mail.isKept()).toBe(true)
})

test('bad values are refused at their fields', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
  const bad = {
    host: 'smtp.example.com/mail',
    port: 70_000,
    encryption: 'ssl3',
    from_name: 'A "B"',
    from_address: 'nobody',
    dkim_selector: '-x-',
  }
  const { status, body } = await save(shop.admin, bad)
  expect([status, Object.keys(body.fields ?? {}).toSorted()]).toEqual([422, Object.keys(bad).toSorted()])
})

test('SMTP_URL and MAIL_FROM win, are named, and cannot be changed on the screen', async () => {
  await using smtp = await openSmtpServer()
  const SMTP_URL = smtp.url.replace('//', '//books:secret%40home@')
  await using shop = await openMailShop({
    hasWorkers: false,
    env: { SMTP_URL, MAIL_FROM: '"A B" <a@b.example>' },
  })
  const { admin } = shop
  const { values, variables } = (await (await admin.call('GET', path)).json()) as SettingsGroup
  expect(values).toMatchObject({
    host: '127.0.0.1',
    user: 'books',
    from_name: 'A B',
    from_address: 'a@b.example',
  })
  expect(variables).toMatchObject({ host: 'SMTP_URL', password: 'SMTP_URL', from_address: 'MAIL_FROM' })
  expect((await save(admin, { host: 'smtp.example.com' })).body.code).toBe('settings.fixed')
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
  expect(smtp.emails[0]?.envelope.from).toBe('a@b.example')
})

test('a sender without a domain of the internet has no records to look at', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
  const found = (await (await shop.admin.call('GET', '/api/admin/mail/sender')).json()) as SenderDns
  expect(found).toEqual({ address: 'shop@127.0.0.1', domain: '127.0.0.1', findings: [] })
})

test('tests are limited, so that nobody guesses passwords of mail servers through the shop', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
  await save(shop.admin, valuesOf(smtp))
  const statuses: number[] = []
  for (let tries = 0; tries < 21; tries += 1)
    statuses.push((await shop.admin.call('POST', '/api/admin/mail/test', { body: {} })).status)
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429])
})
