// Mails of a shop without a mail server, as its admins read them.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile, utimes } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { outboxFolder, listOutbox, writeToOutbox } from '#platform/mail.ts'
import { mails } from '#tables/mail.ts'
import { loseAdmins, age } from '#test/changes.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import { dayMs } from '#contract/durations.ts'
import type { MailDetail, MailList } from '#contract/mail/mails.ts'
import { soon } from '#test/retries.ts'
import { mailsOfOrders } from '#domains/orders/entitlements.ts'
import { sendUnsentMails } from './unsent-mails.ts'
import { join } from 'node:path'
import { sweep } from '../../background.ts'

async function list(admin: Person): Promise<MailList> {
  const response = await admin.call('GET', '/api/admin/mails')
  expect(response.status).toBe(200)
  return (await response.json()) as MailList
}

async function open(admin: Person, id: string): Promise<MailDetail> {
  const response = await admin.call('GET', `/api/admin/mails/${id}`)
  expect(response.status).toBe(200)
  return (await response.json()) as MailDetail
}

/** Of an unsent mail in this machine's outbox. */
async function openFile(admin: Person, id: string) {
  const { file, ...mail } = await open(admin, id)
  if (!file) throw new Error('the mail has no file')
  return { ...mail, ...file }
}

async function findId(admin: Person, subject: RegExp): Promise<string> {
  const find = async () => (await list(admin)).items.find((mail) => subject.test(mail.subject))?.id
  await expect.poll(find).toBeDefined()
  return (await find())!
}

/** As the outbox and its job write it. */
async function saveMail(shop: TestShop, at: Date, { to, subject }: { to: string; subject: string }) {
  const folder = outboxFolder(shop.services.config)
  await mkdir(folder, { recursive: true })
  const id = randomUUID()
  const message = `From: shop@books.example\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nHello\r\n`
  const file = `${folder}/${at.toISOString().replaceAll(/[:.]/g, '-')}-${id}.eml`
  await writeFile(file, message)
  await shop.services.db
    .insert(mails)
    .values({ id, kind: 'recovery', recipient: to, subject, status: 'unsent', created_at: at })
  return { id, file }
}

test('an admin reads what was not sent, newest first, and never a link to somebody else', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person({ display_name: 'Ruth' })
  await reader.buy((await shop.product('digital')).id)
  await shop.mailbox.to(reader.email, /receipt/)
  await shop.call('POST', '/auth/v1/recover', { body: { email: reader.email } })
  const sent = await shop.mailbox.to(reader.email, /new password/)
  const [, token = ''] = /token_hash=([\w-]+)/.exec(sent.text ?? '') ?? []
  expect(token).toHaveLength(43)

  // The row is written after the file.
  const unsent = { recipient: reader.email, status: 'unsent' }
  await expect
    .poll(async () => (await list(admin)).items)
    .toMatchObject([
      { ...unsent, subject: 'Choose a new password', kind: 'recovery' },
      { ...unsent, subject: expect.stringContaining('Your receipt'), kind: 'receipt' },
    ])
  const folder = outboxFolder(shop.services.config)
  const { items, ...rest } = await list(admin)
  expect(rest).toEqual({ next: null, sends_mail: false, sendable: null, folder })

  const mail = await openFile(admin, items[0]!.id)
  expect(mail).toMatchObject({ recipient: reader.email, from: expect.stringContaining('@'), is_own: false })
  expect(mail.path).toBe(`${folder}/${(await readdir(folder)).find((file) => file.includes(mail.id))}`)
  expect(mail.hides_links).toBe(true)
  expect(mail.text).toContain('Choose a new password http')
  const page = await shop.call('GET', mail.page_url)
  const html = await page.text()
  expect(html).toContain('Somebody, probably you, asked for a new password')
  for (const shown of [JSON.stringify(mail), html])
    expect(shown).not.toMatch(new RegExp(`${token}|token_hash`))
  expect(html).not.toContain('href=')
  expect(html).toContain(`src="${shop.url}/cover/mail.jpg`)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('an admin’s own mails keep their links, except those that sign in or confirm an address', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  await admin.buy((await shop.product('digital')).id)
  await shop.mailbox.to(admin.email, /receipt/)
  await shop.call('POST', '/auth/v1/recover', { body: { email: admin.email.toUpperCase() } })
  await shop.mailbox.to(admin.email, /new password/)

  const receipt = await openFile(admin, await findId(admin, /receipt/))
  expect(receipt).toMatchObject({ is_own: true, hides_links: false })
  const page = await shop.call('GET', receipt.page_url)
  expect(await page.text()).toContain(`href="${shop.url}/dashboard`)
  expect(page.headers.get('content-security-policy')).toMatch(
    /; sandbox allow-popups allow-popups-to-escape-sandbox$/,
  )
  const recovery = await openFile(admin, await findId(admin, /new password/))
  expect(recovery).toMatchObject({ is_own: true, hides_links: true })
  expect(JSON.stringify(recovery)).not.toContain('token_hash')
  const html = await (await shop.call('GET', recovery.page_url)).text()
  expect(html).toContain(`href="${shop.url}"`)
  expect(html).not.toContain('token_hash')
})

test('the address of a mail is valid for minutes, for one mail, and while its holder is an admin', async () => {
  let now = new Date()
  await using shop = await openTestShop({ clock: () => now })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await saveMail(shop, now, { to: 'someone@example.com', subject: 'Hello' })
  const { page_url } = await openFile(admin, id)
  const status = async (path: string) => (await shop.call('GET', path)).status
  expect(await status(page_url)).toBe(200)
  expect(await status(`${page_url}x`)).toBe(404)
  const [payload = '', signature] = page_url.split('/').at(-1)!.split('.')
  const claim = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const forged = Buffer.from(JSON.stringify({ ...claim, content: '../../secret' })).toString('base64url')
  expect(await status(`/api/mails/${forged}.${signature}`)).toBe(404)
  // A link to a list is none to a mail.
  const exported = await admin.call('POST', '/api/admin/exports', { body: { list: 'users' } })
  const { url } = (await exported.json()) as { url: string }
  expect(await status(url.replace('exports', 'mails'))).toBe(404)

  await loseAdmins(shop.services.db)
  expect(await status(page_url)).toBe(403)
  await shop.services.database.pool.query(`insert into user_roles select id, 'admin' from auth.users`)
  expect(await status(page_url)).toBe(200)
  now = new Date(now.getTime() + 5 * 60_000 + 1)
  expect(await status(page_url)).toBe(410)
  const again = await openFile(admin, id)
  await admin.call('POST', '/auth/v1/logout')
  expect(await status(again.page_url)).toBe(403)
})

test('a mail whose file another machine has is listed with its saved text; other files are not', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  expect(await list(admin)).toMatchObject({ items: [], next: null })
  const folder = outboxFolder(shop.services.config)
  const { id, file } = await saveMail(shop, new Date(), { to: 'someone@example.com', subject: 'Hello' })
  await writeFile(`${folder}/notes.txt`, 'mine')
  await writeFile(`${folder}/.half.eml`, 'From: x')
  expect((await list(admin)).items.map((mail) => mail.id)).toEqual([id])
  for (const other of ['none', '..%2fsecret', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00', `${id}.eml`])
    expect((await admin.call('GET', `/api/admin/mails/${other}`)).status).toBe(404)

  const { page_url } = await openFile(admin, id)
  await rm(file)
  expect((await shop.call('GET', page_url)).status).toBe(404)
  expect(await open(admin, id)).toMatchObject({ status: 'unsent', file: null, text: null })
  await shop.services.db.update(mails).set({ body: 'Your receipt' })
  expect(await open(admin, id)).toMatchObject({ file: null, text: 'Your receipt' })
})

test('with a mail server nothing more is kept, and what was kept before stays to be read', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await saveMail(shop, new Date(), { to: 'a@example.com', subject: 'From before' })
  await admin.buy((await shop.product('digital')).id)
  await smtp.arrived(1)
  await expect
    .poll(() => list(admin))
    .toMatchObject({
      items: [{ status: 'sent' }, { id, status: 'unsent' }],
      sends_mail: true,
      sendable: null,
    })
  expect(await openFile(admin, id)).toMatchObject({ from: 'shop@books.example', text: null })
  expect(await readdir(outboxFolder(shop.services.config))).toHaveLength(1)
  expect(await (await admin.call('GET', '/api/me')).json()).toMatchObject({ reads_mails: false })
})

test('only an admin’s account says that mails are not sent', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const me = async (person: Person) => (await person.call('GET', '/api/me')).json()
  expect(await me(await shop.person({ role: 'admin' }))).toMatchObject({ reads_mails: true })
  expect(await me(await shop.person())).toMatchObject({ reads_mails: false })
})

// Mails that were kept go out once mail is set up: each once, and none whose link has expired.

const send = (admin: Person) => admin.call('POST', '/api/admin/mails/send')

async function setUp(admin: Person, { url }: Pick<TestSmtpServer, 'url'>) {
  const { hostname: host, port } = new URL(url)
  const values = { host, port: Number(port), encryption: 'none', from_address: 'shop@books.example' }
  const response = await admin.call('PUT', '/api/admin/settings/mail', { body: { revision: 0, values } })
  expect(response.status).toBe(200)
}

/** Two receipts, of which one was asked for twice, a free copy and a forgotten password. */
async function saveMails(shop: TestShop, admin: Person, reader: Person) {
  const { id: product_id } = await shop.product('digital')
  const { pool } = shop.services.database
  const first = await reader.buy(product_id)
  await reader.buy((await shop.product('paperback')).id)
  await admin.call('POST', '/api/admin/gifts', {
    body: { product_id, list: 'friend@example.com', message: '' },
  })
  await shop.call('POST', '/auth/v1/recover', { body: { email: reader.email } })
  const count = async () => (await pool.query('select from mails')).rowCount
  await soon(shop, count).toBe(4)
  await age({ pool }, 'mails.created_at', '1 hour', { purchase_id: first.id })
  await admin.call('POST', `/api/admin/purchases/${first.id}/receipt`)
  await soon(shop, count).toBe(5)
}

test('each unsent mail is sent once, with the data of today, however many admins ask for it', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SMTP_PRIVATE_HOSTS: 'on' } })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await saveMails(shop, admin, reader)
  expect(await list(admin)).toMatchObject({ sends_mail: false, sendable: null })
  expect(await (await send(admin)).json()).toMatchObject({ status: 409, code: 'mails.not_set_up' })

  await setUp(admin, smtp)
  expect(await list(admin)).toMatchObject({ sends_mail: true, sendable: { count: 3 } })
  const pressed = await Promise.all([send(admin), send(admin), send(admin)])
  const counts = await Promise.all(
    pressed.map(async (each) => ((await each.json()) as { count: number }).count),
  )
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 3])
  await smtp.arrived(3)
  const arrived = smtp.emails.map(({ email, envelope }) => [envelope.from, envelope.to[0], email.subject])
  const receipt = ['shop@books.example', reader.email, expect.stringMatching(/Your receipt/)]
  const gift = ['shop@books.example', 'friend@example.com', expect.stringMatching(/A gift for you/)]
  const byAddress = arrived.toSorted(([, a = ''], [, b = '']) => b.localeCompare(a))
  expect(byAddress).toEqual([receipt, receipt, gift])
  await expect
    .poll(async () => (await list(admin)).items.filter(({ status }) => status === 'sent').length)
    .toBe(3)
  expect(await list(admin)).toMatchObject({ sendable: null })
  expect(await (await send(admin)).json()).toEqual({ count: 0 })
  expect(smtp.emails).toHaveLength(3)
  const { rows } = await shop.services.database.pool.query(
    `select subject from audit_log where action = 'mails.sent_later'`,
  )
  expect(rows).toEqual([{ subject: '3 emails that were written before mail was set up' }])
})

test('what was kept can be sent as long as it is shown; what cannot be run again is not counted', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SMTP_PRIVATE_HOSTS: 'on' } })
  const { services } = shop
  const { pool } = services.database
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await saveMails(shop, admin, reader)
  const { rows } = await pool.query(`
    select distinct deletion_seconds / 86400 as days from pgboss.job where name in ('mail.receipt', 'mail.gift')`)
  expect(rows).toEqual([{ days: 90 }])

  await setUp(admin, smtp)
  const actor = { id: null, email: 'a@example.com', ip: null }
  const [lost] = (await pool.query<{ id: string }>(`select id from mails where kind = 'gift'`)).rows
  const runAgain: typeof services.queue.runAgain = async (tx, id) =>
    id !== lost?.id && services.queue.runAgain(tx, id)
  const queue = { ...services.queue, runAgain }
  expect(await sendUnsentMails({ ...services, queue }, actor, mailsOfOrders)).toEqual({ count: 2 })
  expect((await list(admin)).sendable?.count).toBe(1)
})

test('nothing is marked as sent when the shop stops in between, and a mail that fails is tried again', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_PRIVATE_HOSTS: 'on' } })
  const { services } = shop
  const admin = await shop.person({ role: 'admin' })
  await admin.buy((await shop.product('digital')).id)
  await soon(shop, async () => (await services.database.pool.query('select from mails')).rowCount).toBe(1)
  await setUp(admin, smtp)
  const actor = { id: null, email: 'a@example.com', ip: null }
  const stops = async () => {
    throw new Error('the database is away')
  }
  const queue = { ...services.queue, runAgain: stops }
  await expect(sendUnsentMails({ ...services, queue }, actor, mailsOfOrders)).rejects.toThrow('away')
  expect((await list(admin)).sendable?.count).toBe(1)

  smtp.behavior = 'refuses for now'
  await send(admin)
  await expect.poll(() => list(admin)).toMatchObject({ sendable: null, items: [{ status: 'waiting' }] })
  await smtp.arrived(1)
  smtp.behavior = 'takes mails'
  await soon(shop, async () => (await list(admin)).items[0]?.status).toBe('sent')
})

test('a mail that was kept is deleted after 90 days, as its record is', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const { config } = shop.services
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
  const nameOf = async (id: string) => (await listOutbox(config)).find((name) => name.endsWith(id))
  const [old, young] = [randomUUID(), randomUUID()]
  for (const [id, days] of [
    [old, 91],
    [young, 89],
  ] as const) {
    const message = Buffer.from(`Subject: ${days} days old\r\n\r\nHello`)
    await writeToOutbox(config, id, { message })
    await utimes(join(outboxFolder(config), `${await nameOf(id)}.eml`), daysAgo(days), daysAgo(days))
  }
  const kept = await nameOf(young)
  await sweep(shop.services)
  expect(await readdir(outboxFolder(config))).toEqual([`${kept}.eml`])
})
