// Mail set up on the screen: in force at once, tried with a real server, and explained where it refuses.
import { expect, test } from 'vitest'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type SmtpBehavior, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import { logInToMailServer } from '#platform/mail.ts'
import type { SettingsGroup } from '../settings/contract/settings.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { MailTest } from './contract/mail-test.ts'
import type { SenderDns } from './contract/sender-dns.ts'

const path = '/api/admin/settings/mail'

function valuesOf(server: Pick<TestSmtpServer, 'url'>) {
  const { hostname: host, port } = new URL(server.url)
  const sender = { from_name: 'The Book', from_address: 'Shop@books.example' }
  return { host, port: Number(port), encryption: 'none', ...sender }
}

async function save(admin: Person, values: object, revision = 0) {
  const response = await admin.call('PUT', path, { body: { revision, values } })
  return { status: response.status, body: (await response.json()) as { fields?: object; code?: string } }
}

async function sendTest(admin: Person): Promise<MailTest> {
  const response = await admin.call('POST', '/api/admin/mail/test', { body: {} })
  expect(response.status).toBe(200)
  return (await response.json()) as MailTest
}

async function openShop(
  more: Parameters<typeof openTestShop>[0] = {},
): Promise<TestShop & { admin: Person }> {
  // The servers of these tests are on this machine.
  const shop = await openTestShop({ ...more, env: { SMTP_PRIVATE_HOSTS: 'on', ...more.env } })
  return Object.assign(shop, { admin: await shop.person({ role: 'admin' }) })
}

test('a mail server that is entered takes the next mail, in every process and without a restart', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openShop()
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
  await using shop = await openShop({ hasWorkers: false })
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
    await using shop = await openShop({ hasWorkers: false, isEmpty: true })
    await save(shop.admin, { ...valuesOf(smtp), user: 'books', password: 'wrong' })
    const tested = await sendTest(shop.admin)
    expect(tested).toMatchObject({ is_accepted: false, answer: words })
    expect(tested.advice).toContain(advice)
  },
)

test('a server that does not respond and one that cannot encrypt give different errors', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openShop({ hasWorkers: false, isEmpty: true })
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
  await using shop = await openShop({ hasWorkers: false, isEmpty: true })
  const server = { host: 'smtp.example.com', port: 25, encryption: 'none' }
  expect(await save(shop.admin, server)).toMatchObject({
    status: 422,
    body: { fields: { encryption: expect.stringContaining('only a server on this machine') } },
  })
  expect(shop.services.mail.isKept()).toBe(true)
})

test('bad values are refused at their fields', async () => {
  await using shop = await openShop({ hasWorkers: false, isEmpty: true })
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
  await using shop = await openShop({
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
  await using shop = await openShop({ hasWorkers: false, isEmpty: true })
  const found = (await (await shop.admin.call('GET', '/api/admin/mail/sender')).json()) as SenderDns
  expect(found).toEqual({ address: 'shop@127.0.0.1', domain: '127.0.0.1', findings: [] })
})

test('tests are limited, so that nobody guesses passwords of mail servers through the shop', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openShop({ hasWorkers: false, isEmpty: true })
  await save(shop.admin, valuesOf(smtp))
  const statuses: number[] = []
  for (let tries = 0; tries < 21; tries += 1)
    statuses.push((await shop.admin.call('POST', '/api/admin/mail/test', { body: {} })).status)
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429])
})

const onlyPublic = { SMTP_PRIVATE_HOSTS: 'off' }

test('the screen reaches no machine of the shop’s own network, and only ports of mail', async () => {
  await using shop = await openShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const server = { port: 587, encryption: 'starttls' }
  for (const host of [
    '127.0.0.1',
    'localhost',
    '10.0.0.7',
    '169.254.169.254',
    '[::1]',
    '[::ffff:10.0.0.7]',
    '[fd00::1]',
  ]) {
    const { status, body } = await save(shop.admin, { ...server, host })
    expect([host, status, Object.keys(body.fields ?? {})]).toEqual([host, 422, ['host']])
  }
  for (const port of [22, 80, 5432, 6379]) {
    const { status, body } = await save(shop.admin, { ...server, host: 'smtp.example.com', port })
    expect([port, status, Object.keys(body.fields ?? {})]).toEqual([port, 422, ['port']])
  }
  expect(await save(shop.admin, { is_public_only: false })).toMatchObject({ status: 422 })
})

test('a name that leads inside is refused in the same words, whether something listens there or not', async () => {
  await using shop = await openShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const { admin, services } = shop
  const answers: MailTest[] = []
  // To the form these are names; the system looks them up as 127.0.0.1.
  const hosts = [
    ['127.1', 25],
    ['127.1', 465],
    ['2130706433', 587],
  ] as const
  for (const [revision, [host, port]] of hosts.entries()) {
    expect((await save(admin, { host, port, encryption: 'starttls' }, revision)).status).toBe(200)
    answers.push(await sendTest(admin))
    await expect(logInToMailServer(services)).rejects.toThrow('The shop did not connect')
  }
  const refused = {
    to: admin.email,
    is_accepted: false,
    answer: 'The shop did not connect: the server is not on the internet.',
    advice: expect.stringContaining('SMTP_URL'),
  }
  expect(answers).toEqual([refused, refused, refused])
})

test('a server inside that an older version has stored stays in use until another is entered', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const { admin, services } = shop
  const fields = JSON.stringify(valuesOf(smtp))
  await services.database.pool.query(
    `insert into settings (name, fields, revision, changed_at, changed_by) values ('mail', $1, 1, now(), 'x')
      on conflict (name) do update set fields = $1, revision = 1`,
    [fields],
  )
  await services.settings.refresh()
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
  expect((await save(admin, { from_name: 'Another', dkim_selector: 's1' }, 1)).status).toBe(200)
  const { host, port } = valuesOf(smtp)
  expect((await save(admin, { host, port, from_name: 'A third' }, 2)).status).toBe(200)
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
  expect((await save(admin, { port: 6379 }, 3)).status).toBe(422)
  expect((await save(admin, { host: 'smtp.example.com', port: 587, encryption: 'tls' }, 3)).status).toBe(200)
  expect((await save(admin, valuesOf(smtp), 4)).status).toBe(422)
})

test('a relay on the machine is set with SMTP_URL, also over a server that was entered before', async () => {
  await using smtp = await openSmtpServer()
  const env = { ...onlyPublic, SMTP_URL: smtp.url }
  await using shop = await openShop({ hasWorkers: false, isEmpty: true, env })
  const { admin, services } = shop
  const fields = JSON.stringify({ host: 'smtp.example.com', port: 587, is_public_only: true })
  await services.database.pool.query(
    `insert into settings (name, fields, revision, changed_at, changed_by) values ('mail', $1, 1, now(), 'x')
      on conflict (name) do update set fields = $1, revision = 1`,
    [fields],
  )
  await services.settings.refresh()
  expect((await save(admin, { from_name: 'Another' }, 1)).status).toBe(200)
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
})
