// Rules of writing to the author.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { changeJobs } from '#test/changes.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'

const message = {
  name: 'Ada Lovelace',
  email: 'Ada@Example.com',
  subject: 'Chapter nine',
  message: 'Dear author,\n\nthank you for “Presence”. <b>Amen</b>',
}

const write = (shop: TestShop, body: unknown) => shop.call('POST', '/api/contact', { body })

async function storedIn({ services }: TestShop) {
  const { rows } = await services.database.pool.query(
    'select name, email, subject, message from contact_messages',
  )
  return rows
}

test('a message is stored and mailed to the author, whose reply goes to the visitor', async () => {
  await using shop = await openTestShop({ env: { ADMIN_EMAIL: 'author@books.example' } })
  const response = await write(shop, { ...message, name: '  Ada Lovelace ', website: '' })
  expect([response.status, await response.json()]).toEqual([201, { success: true }])
  expect(await storedIn(shop)).toEqual([{ ...message, email: 'ada@example.com' }])

  const mail = await shop.mailbox.to('author@books.example')
  expect(mail).toMatchObject({
    subject: 'Message from Ada Lovelace: Chapter nine',
    from: { address: 'author@books.example' },
    replyTo: [{ address: 'ada@example.com' }],
  })
  for (const words of ['Ada Lovelace', 'ada@example.com', 'Chapter nine', 'thank you for “Presence”']) {
    expect(mail.text).toContain(words)
    expect(mail.html).toContain(words)
  }
  expect(mail.html).toContain('&lt;b&gt;Amen&lt;/b&gt;')
  expect(await shop.mailbox.all()).toHaveLength(1)
})

test('a message that is sent again with its key arrives once; other words are another message, whoever has the key', async () => {
  await using shop = await openTestShop({ env: { ADMIN_EMAIL: 'author@books.example' } })
  const keyed = { ...message, key: crypto.randomUUID() }
  const responses = await Promise.all([1, 2, 3].map(() => write(shop, keyed)))
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(await storedIn(shop)).toHaveLength(1)
  expect((await write(shop, { ...keyed, message: 'Something else' })).status).toBe(201)
  expect(await storedIn(shop)).toHaveLength(2)
  expect((await write(shop, { ...message, key: 'mine' })).status).toBe(422)
})

test('without ADMIN_EMAIL a message goes to the first admin', async () => {
  await using shop = await openTestShop()
  const [first] = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })]
  expect((await write(shop, message)).status).toBe(201)
  expect((await shop.mailbox.to(first.email)).subject).toContain('Chapter nine')
})

test('a visitor’s name and subject bring no link and no header into the notice', async () => {
  await using shop = await openTestShop({ env: { ADMIN_EMAIL: 'author@books.example' } })
  const forged = await write(shop, { ...message, subject: 'Hello\r\nBcc: all@books.example' })
  expect(forged.status).toBe(422)
  const given = { ...message, name: 'www.evil.example', subject: 'Sign in at http://evil.example/admin' }
  expect((await write(shop, given)).status).toBe(201)
  const mail = await shop.mailbox.to('author@books.example')
  expect(mail.subject).toBe('Message from www .evil .example: Sign in at http: //evil .example/admin')
  for (const part of [mail.html, mail.text]) expect(part).not.toMatch(/www\.evil|evil\.example/)
})

test('without an author’s address the message goes to the shop’s own', async () => {
  await using shop = await openTestShop({ env: { MAIL_FROM: 'The Book <shop@books.example>' } })
  expect((await write(shop, message)).status).toBe(201)
  const { replyTo } = await shop.mailbox.to('shop@books.example')
  expect(replyTo?.[0]?.address).toBe('ada@example.com')
})

test('what cannot be a message is refused with a word on each field, and a robot is not let in', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', ADMIN_EMAIL: 'author@books.example' } })
  const empty = await write(shop, { name: ' ', email: 'nobody', subject: '', message: '\n' })
  expect(empty.status).toBe(422)
  expect(await empty.json()).toMatchObject({
    code: 'request.invalid',
    fields: {
      name: 'Please fill in this field.',
      email: 'Please enter a valid email address.',
      subject: 'Please fill in this field.',
      message: 'Please fill in this field.',
    },
  })
  const bad = [
    { name: 'x'.repeat(201) },
    { subject: 'x'.repeat(301) },
    { message: 'x'.repeat(10_001) },
    { email: `${'x'.repeat(250)}@example.com` },
    { name: 'Ada\r\nBcc: all@example.com' },
    { subject: 'Hello\u0000' },
    { name: 'A\uD800da' },
    { email: 'ada@example.com, eve@example.com' },
    { email: 'ada@example.com\r\nBcc: eve@example.com' },
    { to: 'eve@example.com' },
  ]
  for (const change of bad) expect((await write(shop, { ...message, ...change })).status).toBe(422)

  const robot = await write(shop, { ...message, website: 'https://spam.example' })
  expect(await robot.json()).toMatchObject({ status: 422, code: 'contact.not_accepted' })
  expect(await storedIn(shop)).toEqual([])
  expect((await write(shop, { ...message, name: '恵 🕊️ O’Neil', message: 'x'.repeat(10_000) })).status).toBe(
    201,
  )
})

test('one address writes ten messages in an hour at most, a whole network of version 6 counting as one', async () => {
  await using shop = await openTestShop({ env: { TRUST_PROXY: '1' }, hasWorkers: false })
  const from = async (ip: string) => {
    const headers = { 'x-forwarded-for': ip }
    return (await shop.call('POST', '/api/contact', { body: message, headers })).status
  }
  for (let at = 0; at < 10; at++) expect(await from(`2001:db8:1:2:${at}::1`)).toBe(201)
  expect(await from('2001:db8:1:2:ffff::1')).toBe(429)
  expect(await from('2001:db8:1:3::1')).toBe(201)
  expect(await from('192.0.2.1')).toBe(201)
})

test('an outside form service gets exactly the four fields, again when it failed at first', async () => {
  const posts: { type: string | undefined; body: unknown }[] = []
  async function take(request: IncomingMessage, response: ServerResponse) {
    posts.push({ type: request.headers['content-type'], body: JSON.parse(await text(request)) })
    response.writeHead(posts.length === 1 ? 500 : 200).end('thanks')
  }
  const service = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  using _ = { [Symbol.dispose]: () => service.close() }
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/f/abc`
  await using shop = await openTestShop({ env: { CONTACT_FORM_URL: url } })
  expect((await write(shop, message)).status).toBe(201)

  const states = async () =>
    (
      await shop.services.database.pool.query(
        "select state from pgboss.job where name = 'contact.forward' order by state",
      )
    ).rows
  await expect.poll(states).toEqual([{ state: 'retry' }])
  expect(await storedIn(shop)).toHaveLength(1)
  await changeJobs(shop.services.database, { isDue: true })
  // Another one wakes the workers, who else look for old jobs every few seconds.
  expect((await write(shop, { ...message, subject: 'More' })).status).toBe(201)
  await expect.poll(states).toEqual([{ state: 'completed' }, { state: 'completed' }])

  const sent = { type: 'application/json', body: { ...message, email: 'ada@example.com' } }
  expect(posts[0]).toEqual(sent)
  expect(posts).toHaveLength(3)
  expect(posts.slice(1)).toContainEqual(sent)
  expect(posts).toContainEqual({ ...sent, body: { ...sent.body, subject: 'More' } })
})
