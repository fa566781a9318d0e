// Messages that are answered in the admin area.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Message, MessageDetail, Snippet } from '#contract/readers/messages.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'
import { sweepMails } from '#domains/mail/retention.ts'
import { readMessage } from './replies.ts'

const author = 'author@books.example'

async function write(shop: TestShop, change: object = {}): Promise<void> {
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
  await write(shop)
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
    .toEqual([expect.objectContaining({ id: reply_id, body: text, mail: 'kept', error: null })])
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
  for (const subject of ['First', 'Second', 'Third']) await write(shop, { subject })
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
  await write(shop, { email: user.email, subject: 'Before' })
  await write(shop, { email: user.email, subject: 'Now' })
  await write(shop, { subject: 'Of somebody else' })
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
  await write(shop)
  const [message] = await list(admin)
  await answer(admin, message!.id, 'Yes.')
  const outcome = async () => (await readMessage(shop.services, message!.id)).replies[0]?.mail
  await expect.poll(outcome).toBe('kept')
  time.ahead = 91 * 86_400_000
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
    await write(shop)
    const [message] = await list(admin)
    await answer(admin, message!.id, 'Yes.')
    const first = async () => (await read(admin, message!.id)).replies[0]
    await expect.poll(async () => (await first())?.mail).not.toBe('waiting')
    const { sends_mail } = await read(admin, message!.id)
    return [sends_mail, (await first())!.mail, (await first())!.error]
  }
  expect(await outcome({})).toEqual([false, 'kept', null])
  await using taking = await openSmtpServer()
  expect(await outcome({ SMTP_URL: taking.url })).toEqual([true, 'sent', null])
  await using refusing = await openSmtpServer('knows no such mailbox')
  expect(await outcome({ SMTP_URL: refusing.url })).toEqual([true, 'failed', expect.stringContaining('550')])
})

test('an admin’s session mails others sixty times an hour at most, by whatever call', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await write(shop)
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
