// Messages in the admin area, and the log of what is done there.
import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { AuditEntry } from '#contract/overview/audit.ts'
import type { Message, MessageDetail, Snippet } from '#contract/readers/messages.ts'
import type { Page } from '#contract/fields.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { sweepMessages } from './messages.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { changeJobs } from '#test/changes.ts'
import { randomUUID } from 'node:crypto'
import { openSmtpServer } from '#test/smtp.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'
import { sweepMails } from '#domains/mail/mail-retention.ts'
import { readMessage } from './replies.ts'

test('a message is unread until it is read, and comes back when its deletion is taken back', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const admin = await shop.person({ role: 'admin' })
  for (const subject of ['First', 'Second']) {
    await shop.call('POST', '/api/contact', {
      body: { name: 'R', email: 'r@example.com', subject, message: 'M' },
    })
  }
  const list = async (query = '') =>
    (await (await admin.call('GET', `/api/admin/messages${query}`)).json()) as Page<Message> & {
      unread: number
    }
  const { items, unread } = await list()
  expect([unread, items.map(({ subject, is_read }) => [subject, is_read])]).toEqual([
    2,
    [
      ['Second', false],
      ['First', false],
    ],
  ])
  const path = `/api/admin/messages/${items[0]!.id}`
  await admin.call('PATCH', path, { body: { is_read: true } })
  expect((await list('?only=unread')).items.map(({ subject }) => subject)).toEqual(['First'])
  await admin.call('DELETE', path)
  expect((await list()).items).toHaveLength(1)
  await admin.call('POST', `${path}/restore`, { body: {} })
  expect((await list()).items).toHaveLength(2)
  await admin.call('DELETE', path)
  const before = now
  now = new Date(now.getTime() + 31 * dayMs)
  await sweepMessages(shop.services)
  now = before
  expect((await admin.call('POST', `${path}/restore`, { body: {} })).status).toBe(404)

  const log = async (q: string) =>
    ((await (await admin.call('GET', `/api/admin/audit?q=${q}`)).json()) as Page<AuditEntry>).items
  expect((await log('messages')).map(({ action }) => action)).toEqual([
    'messages.deleted',
    'messages.restored',
    'messages.deleted',
  ])
  expect((await log('r%40example.com')).length).toBe(3)
  expect((await log('restored%20the')).map(({ action }) => action)).toEqual(['messages.restored'])
  expect(await log('nothing')).toEqual([])
})

// Rules of writing to the author.

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

test('one address writes sixty messages in an hour at most, a whole network of version 6 counting as one', async () => {
  await using shop = await openTestShop({ env: { TRUST_PROXY: '1' }, hasWorkers: false })
  const from = async (ip: string) => {
    const headers = { 'x-forwarded-for': ip }
    return (await shop.call('POST', '/api/contact', { body: message, headers })).status
  }
  for (let at = 0; at < 60; at++) expect(await from(`2001:db8:1:2:${at}::1`)).toBe(201)
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

// Messages that are answered in the admin area.

const author = 'author@books.example'

async function writeMessage(shop: TestShop, change: object = {}): Promise<void> {
  const body = {
    name: 'Ruth',
    email: 'ruth@example.com',
    subject: 'Chapter four',
    message: 'Is it long?',
    ...change,
  }
  expect((await shop.call('POST', '/api/contact', { body })).status).toBe(201)
}

async function list(admin: Person, query = ''): Promise<Message[]> {
  return ((await (await admin.call('GET', `/api/admin/messages${query}`)).json()) as { items: Message[] })
    .items
}

const read = async (admin: Person, id: string) =>
  (await (await admin.call('GET', `/api/admin/messages/${id}`)).json()) as MessageDetail
const answer = (admin: Person, id: string, body: string, reply_id: string = randomUUID()) =>
  admin.call('PUT', `/api/admin/messages/${id}/replies/${reply_id}`, { body: { body } })

test('a reply is mailed once, with the message quoted, and what is written back goes to the author', async () => {
  await using shop = await openTestShop({ env: { ADMIN_EMAIL: author } })
  const admin = await shop.person({ role: 'admin' })
  await writeMessage(shop)
  const [message] = await list(admin)
  const reply_id = randomUUID()
  const text = 'Dear Ruth,\n\nit has nine pages. <b>Peace</b>\nYours'
  const responses = await Promise.all([1, 2, 3].map(() => answer(admin, message!.id, text, reply_id)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])

  const mail = await shop.mailbox.to('ruth@example.com')
  expect(mail).toMatchObject({ subject: 'Re: Chapter four', replyTo: [{ address: author }] })
  for (const words of ['Dear Ruth,', 'it has nine pages. <b>Peace</b>', 'Is it long?'])
    expect(mail.text).toContain(words)
  expect(mail.html).toMatch(/&lt;b&gt;Peace&lt;\/b&gt;<br ?\/>Yours/)
  await expect
    .poll(async () => (await read(admin, message!.id)).replies)
    .toEqual([expect.objectContaining({ id: reply_id, body: text, mail: 'unsent', error: null })])
  const replies = (await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('Re:'))
  expect(replies).toHaveLength(1)

  const other = await answer(admin, message!.id, 'Something else', reply_id)
  expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([
    409,
    'messages.reply_exists',
  ])
  const log = (await (await admin.call('GET', '/api/admin/audit?q=ruth%40example.com')).json()) as {
    items: { action: string }[]
  }
  expect(log.items.map(({ action }) => action)).toEqual(['messages.answered'])
})

test('a message is new, answered or done, and each is found by its state', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  for (const subject of ['First', 'Second', 'Third']) await writeMessage(shop, { subject })
  const [third, second] = await list(admin)
  const repeated = randomUUID()
  await answer(admin, second!.id, 'Yes.', repeated)
  const change = (id: string, body: object) => admin.call('PATCH', `/api/admin/messages/${id}`, { body })
  expect(await (await change(third!.id, { is_done: true })).json()).toMatchObject({
    state: 'done',
    is_read: true,
  })
  const states = async () =>
    Promise.all(
      ['new', 'answered', 'done'].map(async (state) =>
        (await list(admin, `?state=${state}`)).map(({ subject }) => subject),
      ),
    )
  expect(await states()).toEqual([['First'], ['Second'], ['Third']])
  await change(second!.id, { is_done: true })
  // The same reply again changes nothing.
  await answer(admin, second!.id, 'Yes.', repeated)
  expect(await states()).toEqual([['First'], [], ['Third', 'Second']])
  await change(third!.id, { is_done: false })
  expect(await states()).toEqual([['Third', 'First'], [], ['Second']])
  expect((await change(third!.id, {})).status).toBe(422)
  expect((await admin.call('GET', '/api/admin/messages?state=lost')).status).toBe(422)
})

test('beside a message stand the orders and the other messages of its writer', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person({ display_name: 'Ruth' })]
  const { id } = await user.buy((await shop.product('digital')).id)
  await writeMessage(shop, { email: user.email, subject: 'Before' })
  await writeMessage(shop, { email: user.email, subject: 'Now' })
  await writeMessage(shop, { subject: 'Of somebody else' })
  const [newest, now, before] = await list(admin)
  expect(await read(admin, now!.id)).toMatchObject({
    neighbors: { newer: newest!.id, older: before!.id },
    subject: 'Now',
    user: { user_id: user.id, display_name: 'Ruth' },
    orders: [{ id }],
    others: [{ subject: 'Before', state: 'new' }],
    replies: [],
  })
  const [stranger] = await list(admin)
  expect(await read(admin, stranger!.id)).toMatchObject({ user: null, orders: [], others: [] })
  await admin.call('DELETE', `/api/admin/messages/${stranger!.id}`)
  expect((await admin.call('GET', `/api/admin/messages/${stranger!.id}`)).status).toBe(404)
  expect((await read(admin, now!.id)).neighbors.newer).toBeNull()
  expect((await answer(admin, stranger!.id, 'Too late.')).status).toBe(404)
})

test('what became of a mail is not known any more after 90 days', async () => {
  await using shop = await openTestShop({ clock })
  const admin = await shop.person({ role: 'admin' })
  await writeMessage(shop)
  const [message] = await list(admin)
  await answer(admin, message!.id, 'Yes.')
  const outcome = async () => (await readMessage(shop.services, message!.id)).replies[0]?.mail
  await expect.poll(outcome).toBe('unsent')
  time.ahead = 91 * dayMs
  await sweepMails(shop.services)
  expect(await outcome()).toBe(null)
})

test('stock answers are saved, changed and deleted, twenty at most', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const save = (id: string, body: object) => admin.call('PUT', `/api/admin/snippets/${id}`, { body })
  const ids = Array.from({ length: 20 }, () => randomUUID())
  await Promise.all(ids.map((id, n) => save(id, { title: `Answer ${n + 10}`, body: 'Peace.' })))
  const [full, changed] = await Promise.all([
    save(randomUUID(), { title: 'One more', body: 'Peace.' }),
    save(ids[0]!, { title: 'A first', body: 'Grace.' }),
  ])
  expect([full.status, changed.status]).toEqual([409, 200])
  const all = async () =>
    ((await (await admin.call('GET', '/api/admin/snippets')).json()) as { items: Snippet[] }).items
  expect((await all())[0]).toEqual({ id: ids[0], title: 'A first', body: 'Grace.' })
  await admin.call('DELETE', `/api/admin/snippets/${ids[0]}`)
  expect(await all()).toHaveLength(19)
})

test('a reply says what became of its mail: kept without a mail server, taken, or refused', async () => {
  const outcome = async (env: Record<string, string>) => {
    await using shop = await openTestShop({ env })
    const admin = await shop.person({ role: 'admin' })
    await writeMessage(shop)
    const [message] = await list(admin)
    await answer(admin, message!.id, 'Yes.')
    const first = async () => (await read(admin, message!.id)).replies[0]
    await expect.poll(async () => (await first())?.mail).not.toBe('waiting')
    const { sends_mail } = await read(admin, message!.id)
    return [sends_mail, (await first())!.mail, (await first())!.error]
  }
  expect(await outcome({})).toEqual([false, 'unsent', null])
  await using taking = await openSmtpServer()
  expect(await outcome({ SMTP_URL: taking.url })).toEqual([true, 'sent', null])
  await using refusing = await openSmtpServer('knows no such mailbox')
  expect(await outcome({ SMTP_URL: refusing.url })).toEqual([true, 'failed', expect.stringContaining('550')])
})

test('an admin’s session mails others sixty times an hour at most, by whatever call', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await writeMessage(shop)
  const [message] = await list(admin)
  const offer = () => admin.call('POST', `/api/admin/users/${reader.id}/data-offer`)
  expect((await offer()).status).toBe(200)
  const statuses = new Map<number, number>()
  for (let n = 0; n < 60; n += 1) {
    const { status } = await answer(admin, message!.id, `Reply ${n}`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [200, 59],
    [429, 1],
  ])
  expect((await offer()).status).toBe(429)
  const other = await shop.person({ role: 'admin' })
  expect((await answer(other, message!.id, 'From another account')).status).toBe(200)
})
