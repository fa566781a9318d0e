// Rules of sending mail: through a real SMTP server, and into the outbox.
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test, vi } from 'vitest'
import { defaultSettings } from './stored-settings.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { PermanentFailure } from './queue.ts'
import { logInToMailServer, openMail, SlowAnswer, UnknownOutcome, type Email } from './mail.ts'
import { openTestShop } from '#test/shop.ts'

const settings = defaultSettings({ port: 3000 })
settings.shop.site_url = 'https://books.example'
settings.mail.from_name = 'The Book'
settings.mail.from_address = 'shop@books.example'

function openTestMail(config: { smtpUrl?: string; dataDir?: string }, slowMs?: number) {
  const needs = {
    config: { smtpUrl: undefined, dataDir: '/nowhere', ...config },
    settings: { get: () => settings },
  }
  return openMail(needs, slowMs)
}

const id = '019a9b1c-0000-7000-8000-000000000001'
const sample: Email = {
  to: 'user@example.com',
  subject: 'Grüße aus dem Laden – 恵み',
  html: '<p>Guten Tag, <b>Ihr</b> Buch ist da.</p>',
  text: 'Guten Tag, Ihr Buch ist da.',
  replyTo: 'author@books.example',
}

test('an email arrives whole, under one Message-ID however often it is sent', async () => {
  await using server = await openSmtpServer()
  const mail = openTestMail({ smtpUrl: server.url })
  await mail.send(sample, id)
  await mail.send(sample, id)
  expect(server.emails).toHaveLength(2)
  const [{ email, envelope }] = server.emails as [(typeof server.emails)[0]]
  expect(envelope).toEqual({ from: 'shop@books.example', to: ['user@example.com'] })
  expect(email).toMatchObject({
    from: { name: 'The Book', address: 'shop@books.example' },
    to: [{ address: 'user@example.com' }],
    replyTo: [{ address: 'author@books.example' }],
    subject: sample.subject,
    messageId: `<${id}@books.example>`,
  })
  expect(email.html?.trim()).toBe(sample.html)
  expect(email.text?.trim()).toBe(sample.text)
  expect(email.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  )
  expect(new Set(server.emails.map(({ email: { messageId } }) => messageId)).size).toBe(1)
})

test('a mail server is greeted with the host of SITE_URL, by a new transport once that is another', async () => {
  await using server = await openSmtpServer()
  const shop = { ...settings.shop }
  const needs = {
    config: { smtpUrl: server.url, dataDir: '/nowhere' },
    settings: { get: () => ({ ...settings, shop: { ...shop } }) },
  }
  const mail = openMail(needs)
  const greetingOf = async (site_url: string) => {
    shop.site_url = site_url
    await mail.send(sample, id)
    return server.greetings.at(-1)
  }
  expect(await greetingOf('https://books.example')).toBe('books.example')
  expect(await greetingOf('https://bücher.example:8443')).toBe('xn--bcher-kva.example')
  expect(await greetingOf('https://books.example.')).toBe('books.example')
  expect(await greetingOf('http://192.0.2.7:3000')).toBe('[192.0.2.7]')
  expect(await greetingOf('http://[2001:db8::7]:3000')).toBe('[ipv6:2001:db8::7]')
  const machine = vi.spyOn(os, 'hostname').mockReturnValue('machine.example')
  for (const host of ['localhost', 'shop.localhost', 'shop', '127.0.0.1', '[::1]', 'localhost.'])
    expect([host, await greetingOf(`http://${host}:3000`)]).toEqual([host, 'machine.example'])
  machine.mockRestore()

  shop.site_url = 'https://books.example'
  const login = server.url.replace('//', '//user:password@')
  await logInToMailServer({ ...needs, config: { ...needs.config, smtpUrl: login } })
  expect(server.greetings.at(-1)).toBe('books.example')
  const named = { ...needs.config, smtpUrl: `${server.url}?name=relay.example` }
  await openMail({ ...needs, config: named }).send(sample, id)
  expect(server.greetings.at(-1)).toBe('relay.example')
})

test('an email to many is not marked as an automatic one', async () => {
  await using server = await openSmtpServer()
  const mail = openTestMail({ smtpUrl: server.url })
  await mail.send({ ...sample, isBulk: true }, id)
  expect(server.emails[0]?.email.headers.map(({ key }) => key)).not.toContain('auto-submitted')
})

test.each([
  ['refuses for good', '550'],
  ['refuses for now', '451'],
  ['says nothing', 'Timeout'],
  ['falls silent after a mail', 'did not answer'],
] as const)(
  'a server that %s is an error, and the same mail works once it takes mails',
  async (behavior, words) => {
    await using server = await openSmtpServer(behavior)
    const limits = 'greetingTimeout=2000&socketTimeout=2000'
    const mail = openTestMail({ smtpUrl: `${server.url}?${limits}` })
    await expect(mail.send(sample, id)).rejects.toThrow(words)
    server.behavior = 'takes mails'
    await mail.send(sample, id)
    expect(server.emails.at(-1)?.email.subject).toBe(sample.subject)
  },
)

test('a server that is away is an error, and the same mail works once it is back', async () => {
  await using server = await openSmtpServer()
  const mail = openTestMail({ smtpUrl: server.url })
  const comeBack = await server.goAway()
  await expect(mail.send(sample, id)).rejects.toThrow('ECONNREFUSED')
  await comeBack()
  await mail.send(sample, id)
  expect(server.emails).toHaveLength(1)
})

test('nothing in a subject or address adds a header, a recipient or a file', async () => {
  await using server = await openSmtpServer()
  const mail = openTestMail({ smtpUrl: server.url })
  const plain = await headersOf(sample)

  async function headersOf(sent: Email): Promise<string[]> {
    await mail.send(sent, id)
    return server.emails.at(-1)!.email.headers.map(({ key }) => key)
  }

  const evil = [
    '\r\nBcc: all@example.com',
    '\nContent-Type: text/html',
    '\r\n\r\n<script>',
    '\u2028X: y',
    '\0X: y',
  ]
  for (const ending of evil) {
    expect(await headersOf({ ...sample, subject: `Hello${ending}` })).toEqual(plain)
  }
  const strange = [
    'a@example.com, b@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    '<a@b.c> <d@e.f>',
  ]
  for (const to of strange) {
    await mail.send({ ...sample, to }, id).catch(() => undefined)
    expect(server.emails.at(-1)!.envelope.to).toHaveLength(1)
    expect(server.emails.at(-1)!.email.headers.map(({ key }) => key)).toEqual(plain)
  }
})

test('without SMTP an email is one file in the outbox, which is never seen half written', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-outbox-'))
  const mail = openTestMail({ dataDir: folder.path })
  const outbox = join(folder.path, 'outbox')
  const text = 'All scripture is given by inspiration. '.repeat(20_000)
  const seen = new Set<number>()
  const emails = async () => (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
  const sizeOf = async (name: string) => (await stat(join(outbox, name))).size
  await mail.send({ ...sample, text }, 'id-00')
  const [whole] = (await emails()) as [string]
  const size = await sizeOf(whole)
  const sending = Array.from({ length: 20 }, (_, at) => mail.send({ ...sample, text }, `id-${at + 10}`))
  while ((await emails()).length <= sending.length) {
    for (const name of await emails()) seen.add(await sizeOf(name))
  }
  await Promise.all(sending)
  expect([...seen]).toEqual([size])
  expect(await readdir(outbox)).toHaveLength(21)

  const email = await PostalMime.parse(await readFile(join(outbox, whole)))
  expect(email).toMatchObject({ subject: sample.subject, messageId: '<id-00@books.example>' })
  expect(((await stat(join(outbox, whole))).mode & 0o777).toString(8)).toBe('600')
})

test.each([
  ['knows no such mailbox', true],
  ['has the mailbox full for now', false],
  ['does not relay', false],
  ['refuses for now', false],
] as const)('a server that %s ends the tries: %s', async (behavior, isPermanent) => {
  await using server = await openSmtpServer(behavior)
  const error = await openTestMail({ smtpUrl: server.url })
    .send(sample, id)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error instanceof PermanentFailure).toBe(isPermanent)
})

test('with requireTLS a mail never leaves unencrypted', async () => {
  await using smtp = await openSmtpServer()
  const mail = openTestMail({ smtpUrl: `${smtp.url}?requireTLS=true` })
  await expect(mail.send(sample, id)).rejects.toThrow(/TLS/)
  expect(smtp.emails).toEqual([])
})

test('a mail server that takes its time is waited for, while other mail goes on', async () => {
  await using server = await openSmtpServer()
  server.slowMs = 1_500
  const mail = openTestMail({ smtpUrl: server.url }, 200)
  const send = (to: string, nth: number) => mail.send({ ...sample, to }, `${id.slice(0, -1)}${nth}`)
  const slow = await Promise.all(
    [1, 2].map((nth) => send(`slow-${nth}@example.com`, nth).catch((error) => error)),
  )
  expect(slow).toEqual([expect.any(SlowAnswer), expect.any(SlowAnswer)])
  await Promise.all([3, 4, 5].map((nth) => send(`quick-${nth}@example.com`, nth)))
  for (const { outcome } of slow as SlowAnswer[]) expect(await outcome).toContain('250')
  expect(server.emails).toHaveLength(5)
})

test('while three are slow, no more are begun', async () => {
  await using server = await openSmtpServer()
  server.slowMs = 1_000
  const mail = openTestMail({ smtpUrl: server.url }, 100)
  const begun = await Promise.all(
    [1, 2, 3, 4, 5].map((nth) =>
      mail.send({ ...sample, to: 'slow@example.com' }, `${id}-${nth}`).catch((error) => error),
    ),
  )
  const slow = begun.filter((error) => error instanceof SlowAnswer)
  await Promise.all(slow.map(({ outcome }) => outcome))
  expect(server.emails).toHaveLength(slow.length)
})

test('a connection that ends after the mail was written says nothing of what became of it', async () => {
  await using server = await openSmtpServer('falls silent after a mail')
  const mail = openTestMail({ smtpUrl: `${server.url}?socketTimeout=1000` })
  await expect(mail.send(sample, id)).rejects.toBeInstanceOf(UnknownOutcome)
  server.behavior = 'refuses for now'
  await expect(mail.send(sample, id)).rejects.not.toBeInstanceOf(UnknownOutcome)
  server.behavior = 'says nothing'
  const silent = openTestMail({ smtpUrl: `${server.url}?greetingTimeout=1000` })
  await expect(silent.send(sample, id)).rejects.not.toBeInstanceOf(UnknownOutcome)
})

// Rules of the mailbox page for development.

test('in development the mails of the outbox can be read, and nothing else', async () => {
  await using shop = await openTestShop({ env: { NODE_ENV: 'development' } })
  expect(await (await shop.call('GET', '/dev/mailbox')).text()).toContain('No mail yet')
  const user = await shop.person()
  await user.buy((await shop.product('digital')).id)
  await shop.mailbox.to(user.email)
  const list = await (await shop.call('GET', '/dev/mailbox')).text()
  expect(list).toContain('Your receipt for Nine P&#39;s that Change Everything')
  const [, path] = /href="(\/dev\/mailbox\/[^"]+)"/.exec(list)!
  expect(await (await shop.call('GET', path!)).text()).toContain('Thank you for your purchase')
  for (const name of ['none.eml', '..%2fsecret', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00']) {
    expect((await shop.call('GET', `/dev/mailbox/${name}`)).status).toBe(404)
  }
})

test('outside development there is no such page', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  expect((await shop.call('GET', '/dev/mailbox')).status).toBe(404)
})
