// Mails of a shop without a mail server, as its admins read them.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { outboxFolder } from '#platform/outbox.ts'
import { loseAdmins } from '#test/changes.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import type { KeptMail, KeptMails } from '#contract/mail/mails.ts'

async function list(admin: Person, query = ''): Promise<KeptMails> {
  const response = await admin.call('GET', `/api/admin/mails${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as KeptMails
}

async function open(admin: Person, name: string): Promise<KeptMail> {
  const response = await admin.call('GET', `/api/admin/mails/${name}`)
  expect(response.status).toBe(200)
  return (await response.json()) as KeptMail
}

async function findName(admin: Person, subject: RegExp): Promise<string> {
  const { items } = await list(admin)
  const found = items.find((mail) => subject.test(mail.subject))
  if (!found) throw new Error(`no mail like ${String(subject)}`)
  return found.name
}

/** A file as the outbox writes it, without a job that has written it. */
async function saveMail(shop: TestShop, at: Date, { to, subject }: { to: string; subject: string }) {
  const folder = outboxFolder(shop.services.config)
  await mkdir(folder, { recursive: true })
  const name = `${at.toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID()}`
  const message = `From: shop@books.example\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nHello\r\n`
  await writeFile(`${folder}/${name}.eml`, message)
  return name
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

  // The kind is recorded after the mail was written.
  await expect
    .poll(async () => (await list(admin)).items)
    .toMatchObject([
      { to: reader.email, subject: 'Choose a new password', kind: 'recovery' },
      { to: reader.email, subject: expect.stringContaining('Your receipt'), kind: 'receipt' },
    ])
  const { items, next, is_kept, may_be_elsewhere } = await list(admin)
  expect({ next, is_kept, may_be_elsewhere }).toEqual({ next: null, is_kept: true, may_be_elsewhere: false })

  const mail = await open(admin, items[0]!.name)
  expect(mail).toMatchObject({ to: reader.email, from: expect.stringContaining('@'), is_own: false })
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

  const receipt = await open(admin, await findName(admin, /receipt/))
  expect(receipt).toMatchObject({ is_own: true, hides_links: false })
  const page = await shop.call('GET', receipt.page_url)
  expect(await page.text()).toContain(`href="${shop.url}/dashboard`)
  expect(page.headers.get('content-security-policy')).toMatch(
    /; sandbox allow-popups allow-popups-to-escape-sandbox$/,
  )
  const recovery = await open(admin, await findName(admin, /new password/))
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
  const name = await saveMail(shop, now, { to: 'someone@example.com', subject: 'Hello' })
  const { page_url } = await open(admin, name)
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
  const again = await open(admin, name)
  await admin.call('POST', '/auth/v1/logout')
  expect(await status(again.page_url)).toBe(403)
})

test('only mails of the outbox can be opened, and other files are not listed', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  expect(await list(admin)).toMatchObject({ items: [], next: null })
  const folder = outboxFolder(shop.services.config)
  const name = await saveMail(shop, new Date(), { to: 'someone@example.com', subject: 'Hello' })
  await writeFile(`${folder}/notes.txt`, 'mine')
  await writeFile(`${folder}/.half.eml`, 'From: x')
  expect((await list(admin)).items.map((mail) => mail.name)).toEqual([name])
  for (const other of ['none', '..%2fsecret', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00', `${name}.eml`]) {
    expect((await admin.call('GET', `/api/admin/mails/${other}`)).status).toBe(404)
  }
  await rm(`${folder}/${name}.eml`)
  expect((await admin.call('GET', `/api/admin/mails/${name}`)).status).toBe(404)
})

test('a long list comes in pages, none of which repeats or misses a mail', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  const from = Date.parse('2026-11-01T00:00:00Z')
  for (let at = 0; at < 60; at += 1)
    await saveMail(shop, new Date(from + at * 60_000), { to: 'a@example.com', subject: `Mail ${at}` })
  const seen: string[] = []
  let query = ''
  for (let pages = 0; pages < 5; pages += 1) {
    const { items, next } = await list(admin, query)
    seen.push(...items.map(({ subject }) => subject))
    if (!next) break
    query = `?after=${next}`
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, at) => `Mail ${59 - at}`))
  expect((await admin.call('GET', '/api/admin/mails?after=nonsense')).status).toBe(422)
})

test('with a mail server nothing more is kept, and what was kept before stays to be read', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const name = await saveMail(shop, new Date(), { to: 'a@example.com', subject: 'From before' })
  await admin.buy((await shop.product('digital')).id)
  await smtp.arrived(1)
  expect(await list(admin)).toMatchObject({ items: [{ name, kind: null }], is_kept: false })
  expect(await readdir(outboxFolder(shop.services.config))).toHaveLength(1)
  expect(await (await admin.call('GET', '/api/me')).json()).toMatchObject({ reads_mails: false })
})

test('only an admin’s account says that mails are not sent', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const me = async (person: Person) => (await person.call('GET', '/api/me')).json()
  expect(await me(await shop.person({ role: 'admin' }))).toMatchObject({ reads_mails: true })
  expect(await me(await shop.person())).toMatchObject({ reads_mails: false })
})
