// Mail set up on the screen: in force at once, tried with a real server, and explained where it refuses.
import { expect, test } from 'vitest'
import type { DraftState } from '#contract/book/book.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openMailShop, path, save, sendTest, valuesOf } from '#test/mail-setup.ts'
import { openSmtpServer, type SmtpBehavior } from '#test/smtp.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { explainRefusal } from './mail-trial.ts'
import { checkSender } from './sender-check.ts'
import {
  type SenderDns,
  findProvider,
  mailProviders,
  mailSettings,
  type MailTest,
} from '#contract/mail/mail-settings.ts'
import { logInToMailServer } from '#platform/mail.ts'
import type { Shop } from '../../shop.ts'

test('a mail server that is entered takes the next mail, in every process and without a restart', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop()
  await using other = await openSecondShop(shop)
  const { admin } = shop
  expect(shop.services.mail.sendsMail()).toBe(false)
  const values = { ...valuesOf(smtp), user: 'books', password: 'a password of the mail server' }
  expect(await save(admin, values)).toMatchObject({ status: 200 })
  expect(shop.services.mail.sendsMail()).toBe(true)
  await expect.poll(() => other.services.mail.sendsMail(), { timeout: 1_000 }).toBe(true)
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
  expect(shop.services.mail.sendsMail()).toBe(false)
  const refused = await admin.call('POST', '/api/admin/mail/test', { body: {} })
  expect(await refused.json()).toMatchObject({ status: 409, code: 'mail_setup.no_server' })
})

test('before the shop is opened, the test names the book that its author has entered', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false })
  const { admin } = shop
  await save(admin, valuesOf(smtp))
  const sample = 'that Change Everything'
  const newest = () => smtp.emails.at(-1)!.email
  await sendTest(admin)
  expect(newest().text).toContain(sample)

  const draft = '/api/admin/book/draft'
  const { document, revision } = (await (await admin.call('GET', draft)).json()) as DraftState
  const own = { ...document, title: 'Songs of the Road', cover: null }
  expect((await admin.call('PUT', draft, { body: { revision, document: own } })).status).toBe(200)
  await sendTest(admin)
  for (const text of [newest().text, String(newest().html)]) {
    expect(text).toContain('Songs of the Road')
    expect(text).not.toContain(sample)
  }
  expect(newest().html).not.toContain('<img')

  const untitled = { revision: revision + 1, document: { ...own, title: '' } }
  expect((await admin.call('PUT', draft, { body: untitled })).status).toBe(200)
  await sendTest(admin)
  expect(newest().text).toContain(new URL(shop.url).host)
  expect(newest().text).not.toContain(sample)
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
  const closed = { code: 'ECONNECTION', command: 'EHLO', response: '421 4.7.0 Try again later' }
  expect(advice(closed)).toContain('the host of the shop’s address')
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
  expect(await save(shop.admin, { ...server, encryption: 'opportunistic' })).toMatchObject({ status: 422 })
  expect(shop.services.mail.sendsMail()).toBe(false)
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

test('an empty password is none', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true })
  const server = { host: 'smtp.example.com', port: 587, encryption: 'starttls', user: 'books' }
  expect(await save(shop.admin, { ...server, password: '' })).toMatchObject({ status: 200 })
  const { secrets } = (await (await shop.admin.call('GET', path)).json()) as SettingsGroup
  expect(secrets).toMatchObject({ password: null })
})

test('beside SMTP_URL, whatever encryption it has, the sender can be entered', async () => {
  const env = { SMTP_URL: 'smtp://relay.example' }
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env })
  expect(await save(shop.admin, { from_name: 'The Garden' })).toMatchObject({ status: 200 })
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

// What is said of a sender's domain, by the records it has.

type Zone = Record<string, string[]>

async function check(
  zone: Zone,
  { host = 'smtp.fastmail.com', domain = 'books.example', selector = '' } = {},
) {
  const asked: string[] = []
  const lookUp = async (name: string) => {
    asked.push(name)
    return zone[name] ?? []
  }
  const { findings } = await checkSender(lookUp, `shop@${domain}`, { host, dkim_selector: selector })
  const of = (topic: string) => findings.find((finding) => finding.topic === topic)
  return { spf: of('SPF'), dkim: of('DKIM'), dmarc: of('DMARC'), findings, asked }
}

const key = 'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQ'

test('for a domain without records, each record to add is shown', async () => {
  const { spf, dkim, dmarc } = await check({})
  expect(spf).toMatchObject({
    state: 'missing',
    expected: [{ type: 'TXT', name: 'books.example', value: 'v=spf1 include:spf.messagingengine.com ~all' }],
  })
  expect(dkim).toMatchObject({ state: 'missing' })
  expect(dkim?.expected).toEqual(
    ['fm1', 'fm2', 'fm3'].map((name) => ({
      type: 'CNAME',
      name: `${name}._domainkey.books.example`,
      value: `${name}.books.example.dkim.fmhosted.com`,
    })),
  )
  expect(dmarc).toMatchObject({
    state: 'missing',
    expected: [{ type: 'TXT', name: '_dmarc.books.example', value: 'v=DMARC1; p=none' }],
  })
})

test('a domain that is set up is good, also by what its records include and by the domain above it', async () => {
  const { findings } = await check(
    {
      'mail.books.example': ['unrelated', 'v=spf1 mx include:spf.books.example -all'],
      'spf.books.example': ['v=spf1 include:spf.messagingengine.com ~all'],
      'fm2._domainkey.mail.books.example': [key],
      '_dmarc.books.example': ['v=DMARC1; p=reject; rua=mailto:a@books.example'],
    },
    { domain: 'mail.books.example' },
  )
  expect(findings.map(({ topic, state }) => [topic, state])).toEqual([
    ['SPF', 'good'],
    ['DKIM', 'good'],
    ['DMARC', 'good'],
  ])
})

test.each([
  ['v=spf1 mx -all', 'v=spf1 mx include:spf.messagingengine.com -all'],
  ['v=spf1 mx', 'v=spf1 mx include:spf.messagingengine.com ~all'],
  ['v=spf1 redirect=spf.other.example', 'v=spf1 include:spf.messagingengine.com redirect=spf.other.example'],
  ['v=spf1', 'v=spf1 include:spf.messagingengine.com ~all'],
])('an SPF record without the provider, %s, becomes %s', async (record, expected) => {
  const { spf } = await check({ 'books.example': [record] })
  expect(spf).toMatchObject({ state: 'wrong', found: [{ value: record }], expected: [{ value: expected }] })
})

test('several SPF records become one', async () => {
  const { spf } = await check({
    'books.example': ['v=spf1 mx include:a.example -all', 'v=spf1 include:spf.messagingengine.com mx ~all'],
  })
  expect(spf).toMatchObject({ state: 'wrong' })
  expect(spf?.expected[0]?.value).toBe('v=spf1 mx include:a.example include:spf.messagingengine.com -all')
})

test('records that include each other, or too many, end the search', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`${n}.example`, [`v=spf1 include:${n + 1}.example -all`]]),
  )
  const circle = { 'a.example': ['v=spf1 include:b.example'], 'b.example': ['v=spf1 include:a.example'] }
  for (const [first, zone] of [
    ['0.example', chain],
    ['a.example', circle],
  ] as const) {
    const { spf, asked } = await check({ 'books.example': [`v=spf1 include:${first} -all`], ...zone })
    expect(spf).toMatchObject({ state: 'wrong' })
    expect(asked.length).toBeLessThan(25)
  }
})

test('a revoked DKIM key and invalid DMARC records are reported', async () => {
  const { dkim, dmarc } = await check({
    'fm1._domainkey.books.example': ['v=DKIM1; p='],
    '_dmarc.books.example': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
  })
  expect([dkim?.state, dmarc?.state]).toEqual(['wrong', 'wrong'])
  const { dmarc: pointless } = await check({ '_dmarc.books.example': ['v=DMARC1; rua=mailto:a@b.example'] })
  expect(pointless).toMatchObject({ state: 'wrong', expected: [{ value: 'v=DMARC1; p=none' }] })
})

test('where keys have names of their own, the one that was entered is looked up', async () => {
  const host = 'smtp.postmarkapp.com'
  const zone = { '20260101pm._domainkey.books.example': [key] }
  const before = await check(zone, { host })
  expect([before.spf?.state, before.dkim?.state]).toEqual(['not_needed', 'unclear'])
  expect(before.dkim?.explanation).toContain('enter it above as the DKIM selector')
  const named = await check(zone, { host, selector: '20260101pm' })
  expect(named.dkim).toMatchObject({ state: 'good' })
  expect((await check(zone, { host, selector: 'other' })).dkim).toMatchObject({ state: 'missing' })
  const moved = await check({ 'fm1._domainkey.books.example': [key] }, { selector: '20260101pm' })
  expect(moved.dkim).toMatchObject({ state: 'good' })
})

test('a provider may have its SPF record on a name below the domain', async () => {
  const { spf } = await check({}, { host: 'smtp.resend.com' })
  expect(spf?.expected).toEqual([
    { type: 'TXT', name: 'send.books.example', value: 'v=spf1 include:amazonses.com ~all' },
  ])
})

test('for an unknown provider, only what DNS says is checked', async () => {
  const zone = { 'books.example': ['v=spf1 mx -all'] }
  const { spf, dkim } = await check(zone, { host: 'mail.books.example' })
  expect([spf?.state, dkim?.state]).toEqual(['unclear', 'unclear'])
  expect(await check({}, { host: 'mail.books.example' })).toMatchObject({
    spf: { state: 'missing', expected: [] },
  })
})

test('a free mail address is accepted with its own provider only', async () => {
  const own = await check({}, { host: 'smtp.gmail.com', domain: 'gmail.com' })
  expect(own.findings).toMatchObject([{ state: 'not_needed' }])
  const other = await check({}, { host: 'smtp.resend.com', domain: 'gmail.com' })
  expect(other.findings).toMatchObject([{ state: 'wrong' }])
  expect([...own.asked, ...other.asked]).toEqual([])
})

test('a local name is not looked up, and a failed lookup is unclear', async () => {
  for (const domain of ['localhost', '127.0.0.1']) {
    expect(await check({}, { domain })).toMatchObject({ findings: [], asked: [] })
  }
  const away = async () => Promise.reject(new Error('queryTxt ETIMEOUT books.example'))
  const { findings } = await checkSender(away, 'shop@books.example', {
    host: 'smtp.fastmail.com',
    dkim_selector: '',
  })
  expect(findings.map(({ state }) => state)).toEqual(['unclear', 'unclear', 'unclear'])
  expect(findings[0]?.explanation).toContain('ETIMEOUT')
})

test('each provider is known by its server, in other regions too, and is a valid setting', () => {
  const sender = { from_name: '', from_address: '', dkim_selector: '' }
  const rest = { user: '', ...sender, bulk_per_hour: 200, is_public_only: true }
  for (const provider of mailProviders) {
    const { host, port, encryption } = provider
    expect(findProvider(host)).toBe(provider)
    expect(mailSettings.safeParse({ host, port, encryption, ...rest }).success).toBe(true)
  }
  expect(findProvider('email-smtp.eu-central-1.amazonaws.com')?.name).toBe('Amazon SES')
  expect(findProvider('SMTP.EU.mailgun.org')?.name).toBe('Mailgun')
  expect(findProvider('smtp.fastmail.com.evil.example')).toBeUndefined()
})

// Mail servers inside the shop's own network: the screen reaches none.

async function storeMail({ database, settings }: Shop, fields: object): Promise<void> {
  await database.pool.query(
    `insert into settings (name, fields, revision, changed_at, changed_by) values ('mail', $1, 1, now(), 'x')
      on conflict (name) do update set fields = $1, revision = 1`,
    [fields],
  )
  await settings.refresh()
}

const onlyPublic = { SMTP_PRIVATE_HOSTS: 'off' }

test('the screen reaches no machine of the shop’s own network, and only ports of mail', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
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
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const { admin, services } = shop
  const results: MailTest[] = []
  // To the form these are names; the system looks them up as 127.0.0.1.
  const hosts = [
    ['127.1', 25],
    ['127.1', 465],
    ['2130706433', 587],
  ] as const
  for (const [revision, [host, port]] of hosts.entries()) {
    expect((await save(admin, { host, port, encryption: 'starttls' }, revision)).status).toBe(200)
    results.push(await sendTest(admin))
    await expect(logInToMailServer(services)).rejects.toThrow('The shop did not connect')
  }
  const refused = {
    to: admin.email,
    is_accepted: false,
    answer: 'The shop did not connect: the server is not on the internet.',
    advice: expect.stringContaining('SMTP_URL'),
  }
  expect(results).toEqual([refused, refused, refused])
})

test('a relay on the machine is set with SMTP_URL, also over a server that was entered before', async () => {
  await using smtp = await openSmtpServer()
  const env = { ...onlyPublic, SMTP_URL: smtp.url }
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env })
  const { admin, services } = shop
  await storeMail(services, { host: 'smtp.example.com', port: 587, is_public_only: true })
  expect((await save(admin, { from_name: 'Another' }, 1)).status).toBe(200)
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
})
