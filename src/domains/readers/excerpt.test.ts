// The excerpt by email: its file, the request, the email's link, what it gives, and the letters that were ticked beside it.
import { readFile } from 'node:fs/promises'
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test, vi } from 'vitest'
import { maxExcerptMegabytes, type ExcerptState } from '#contract/catalog/excerpt-file.ts'
import { maxExcerptDownloads, type LinkedExcerpt } from '#contract/mail/excerpt-requests.ts'
import { lettersWords } from '#contract/mail/letters-words.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Download } from '#contract/orders/purchases.ts'
import { listShopFiles } from '#domains/backup/backup-tables.ts'
import { sweepStoredFiles } from '#domains/catalog/products.ts'
import { saveLostFiles } from '#domains/catalog/lost-files.ts'
import { sweepExcerptRequests, writeExcerptToken } from '#domains/mail/excerpt-requests.ts'
import { age } from '#test/changes.ts'
import { openGuestShop, rows } from '#test/guests.ts'
import { saveGroup } from '#test/settings.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { clock, time } from '#test/time.ts'
import { upload } from '#test/upload.ts'

const terms = { sender: 'Anna Miller', topics: 'news of my books', frequency: 'once a month', program: '' }
const words = lettersWords(terms)

async function openExcerpt({ hasMail = true, hasFile = true } = {}) {
  const stack = new AsyncDisposableStack()
  const stripe = stack.use(await startStripe())
  const smtp = stack.use(await openSmtpServer())
  const env = { RATE_LIMIT: 'on', ...(hasMail && { SMTP_URL: smtp.url }) }
  const shop = stack.use(await openGuestShop(stripe, { env, clock }))
  const admin = await shop.person({ role: 'admin' })
  async function save(content: Buffer, name: string) {
    const upload_id = await upload(shop, admin, content, name, 8 * 1024 * 1024)
    return admin.call('PUT', '/api/admin/excerpt', { body: { upload_id } })
  }
  if (hasFile) expect((await save(await sample('epub'), 'excerpt.epub')).status).toBe(200)
  const ask = (email: string, more: object = {}) =>
    shop.call('POST', '/api/excerpt', { body: { email, ...more } })
  async function tokenOf(email: string, nth = 1): Promise<string> {
    const mails = () => smtp.emails.filter(({ envelope }) => envelope.to[0] === email)
    const mail = await vi.waitUntil(() => mails()[nth - 1], 20_000)
    return /\/sample#([\w-]{43})/.exec(mail.email.text ?? '')?.[1] ?? ''
  }
  async function link(email: string, more: object = {}): Promise<string> {
    expect((await ask(email, more)).status).toBe(200)
    return tokenOf(email)
  }
  const press = (call: 'show' | 'download' | 'letters', token: string) =>
    shop.call('POST', `/api/excerpt/${call}`, { body: { token } })
  const show = async (token: string) => (await (await press('show', token)).json()) as LinkedExcerpt
  const offerLetters = async () =>
    expect(await saveGroup(admin, { revision: 0, values: { is_on: true, ...terms } }, 'letters')).toEqual({
      status: 200,
    })
  const list = () => rows(shop, 'select email, source, ended_at is not null as is_ended from subscribers')
  const requests = () => rows(shop, 'select email, words from excerpt_requests order by requested_at')
  return {
    shop,
    admin,
    smtp,
    save,
    ask,
    tokenOf,
    link,
    press,
    show,
    offerLetters,
    list,
    requests,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const sample = (extension: string) =>
  readFile(new URL(`../../../content/edition/sample.${extension}`, import.meta.url))

const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

test('the file is an EPUB or a PDF of 25 MB at most, belongs to no product, and is replaced and removed', async () => {
  await using excerpt = await openExcerpt({ hasFile: false })
  const { shop, admin, save } = excerpt
  const products = async () => (await (await shop.call('GET', '/api/products')).json()) as Product[]
  const before = await products()
  expect(await codeOf(await save(Buffer.from('no book'), 'excerpt.pdf'))).toBe('uploads.not_an_ebook')
  const mobi = Buffer.alloc(100)
  mobi.write('BOOKMOBI', 60)
  expect(await codeOf(await save(mobi, 'excerpt.mobi'))).toBe('excerpt.other_format')
  const pdf = await sample('pdf')
  const large = Buffer.concat([pdf, Buffer.alloc(maxExcerptMegabytes * 1024 * 1024)])
  expect(await codeOf(await save(large, 'excerpt.pdf'))).toBe('excerpt.too_large')
  expect(await rows(shop, 'select file_path from excerpt_file')).toEqual([])

  const state = (await (await save(pdf, 'excerpt.pdf')).json()) as ExcerptState
  expect(state).toMatchObject({ excerpt: { file_format: 'pdf', file_size: pdf.length }, sends_mail: true })
  const stored = async () => (await listShopFiles(shop.services.database.pool)).map(({ label }) => label)
  expect(await stored()).toContain('the excerpt (PDF)')
  const [first] = await rows<{ file_path: string }>(shop, 'select file_path from excerpt_file')
  const twice = await Promise.all([
    save(await sample('epub'), 'a.epub'),
    save(await sample('epub'), 'b.epub'),
  ])
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(await rows(shop, 'select file_format from excerpt_file')).toEqual([{ file_format: 'epub' }])
  expect(await products()).toEqual(before)

  // The sweep removes the files that were replaced, and leaves the one that is given.
  await age(shop.services.database, 'unsettled_files.created_at', '2 days')
  await sweepStoredFiles(shop.services)
  const [now] = await rows<{ file_path: string }>(shop, 'select file_path from excerpt_file')
  const { storage } = shop.services
  expect([await storage.stat(first!.file_path), (await storage.stat(now!.file_path)) !== undefined]).toEqual([
    undefined,
    true,
  ])
  expect(await rows(shop, 'select file_path from unsettled_files')).toEqual([])
  expect((await admin.call('DELETE', '/api/admin/excerpt')).status).toBe(200)
  expect((await admin.call('DELETE', '/api/admin/excerpt')).status).toBe(200)
  expect(await stored()).not.toContain('the excerpt (EPUB)')
  const logged = await rows<{ action: string }>(
    shop,
    `select action from audit_log where action like 'excerpt.%'`,
  )
  expect(logged.map(({ action }) => action)).toEqual([
    'excerpt.saved',
    'excerpt.saved',
    'excerpt.saved',
    'excerpt.removed',
  ])
})

test('the author opens the file as long as the session lasts, and hears that it is a whole file that is sold', async () => {
  await using excerpt = await openExcerpt()
  const { shop, admin, save } = excerpt
  const state = async () => (await (await admin.call('GET', '/api/admin/excerpt')).json()) as ExcerptState
  const shorter = Buffer.concat([await sample('pdf'), Buffer.from('\n')])
  expect((await save(shorter, 'shorter.pdf')).status).toBe(200)
  expect((await state()).excerpt).toMatchObject({
    file_name: expect.stringMatching(/, excerpt\.pdf$/),
    sold_as: null,
  })
  const { url } = (await (await admin.call('POST', '/api/admin/excerpt/link')).json()) as { url: string }
  const file = await shop.call('GET', url)
  expect(Buffer.from(await file.arrayBuffer()).equals(shorter)).toBe(true)

  expect((await save(await sample('pdf'), 'excerpt.pdf')).status).toBe(200)
  const names = await rows<{ name: string }>(shop, 'select name from products')
  expect(names.map(({ name }) => name)).toContain((await state()).excerpt?.sold_as)
  expect((await admin.call('POST', '/auth/v1/logout', { body: {} })).status).toBe(204)
  expect(await codeOf(await shop.call('GET', url))).toBe('downloads.session_ended')
})

test('an address gets a link whose file works for minutes, and the answer is the same whatever is known', async () => {
  await using excerpt = await openExcerpt()
  const { shop, ask, link, press, show, list, requests } = excerpt
  const email = 'visitor@example.com'
  expect(await codeOf(await ask(email, { website: 'https://spam.example' }))).toBe('contact.not_accepted')
  expect(await requests()).toEqual([])
  const first = await ask(email)
  const again = await ask(email)
  expect([first.status, await first.text()]).toEqual([again.status, await again.text()])
  expect(await requests()).toEqual([{ email, words: null }])
  const token = await excerpt.tokenOf(email)
  expect(await show(token)).toEqual({
    file: { file_format: 'epub', file_size: (await sample('epub')).length },
    is_replaced: false,
    downloads_left: maxExcerptDownloads,
    letters: null,
  })
  const { url, file_name } = (await (await press('download', token)).json()) as Download
  expect(file_name).toMatch(/, excerpt\.epub$/)
  const file = await shop.call('GET', url)
  expect(Buffer.from(await file.arrayBuffer()).equals(await sample('epub'))).toBe(true)
  expect(file.headers.get('content-disposition')).toContain('attachment')
  time.ahead = 16 * 60_000
  expect(await codeOf(await shop.call('GET', url))).toBe('downloads.link_expired')
  const page = await shop.call('GET', '/api/excerpt-files/none')
  expect(page.status).toBe(404)
  expect(await codeOf(await press('letters', token))).toBe('letters.not_offered')
  expect(await list()).toEqual([])
  // An email that is composed again, after an attempt whose end is unknown, has the link of the first.
  const [request] = await rows<{ id: string }>(shop, 'select id from excerpt_requests')
  expect(await writeExcerptToken(shop.services, request?.id ?? '')).toBe(token)
  const other = await link('other@example.com')
  expect(other).not.toBe(token)
})

test('a link gives the file 20 times, also to a flood at once, and ends after seven days with its address', async () => {
  await using excerpt = await openExcerpt()
  const { shop, link, press, show, requests } = excerpt
  const token = await link('visitor@example.com')
  const flood = await Promise.all(Array.from({ length: 30 }, () => press('download', token)))
  expect(flood.filter(({ status }) => status === 200)).toHaveLength(maxExcerptDownloads)
  const refused = flood.find(({ status }) => status !== 200)
  expect(await codeOf(refused!)).toBe('excerpt.used_up')
  expect(await show(token)).toMatchObject({ downloads_left: 0 })
  for (const other of ['', 'x'.repeat(43), `${token}x`, '\0'])
    expect(await codeOf(await press('show', other))).toBe('excerpt.link_over')
  time.ahead = 7 * 86_400_000 + 1
  expect(await codeOf(await press('show', token))).toBe('excerpt.link_over')
  expect(await codeOf(await press('download', token))).toBe('excerpt.link_over')
  const written = () => rows(shop, `select recipient from mails where kind = 'excerpt_link'`)
  // The line of another request of the address, which is open yet, stays.
  await excerpt.ask('visitor@example.com')
  const again = await excerpt.tokenOf('visitor@example.com', 2)
  // A line is written once the server has taken the email.
  await expect.poll(written).toHaveLength(2)
  // The database's own clock dates these lines.
  await shop.services.database.pool.query(`
    update mails set created_at = created_at + interval '7 days'
    where id = (select id from mails where kind = 'excerpt_link' order by created_at desc limit 1)`)
  await sweepExcerptRequests(shop.services)
  expect(await requests()).toEqual([{ email: 'visitor@example.com', words: null }])
  expect(await written()).toHaveLength(1)
  expect(await show(again)).toMatchObject({ letters: null })
  time.ahead += 7 * 86_400_000 + 1
  await sweepExcerptRequests(shop.services)
  expect(await requests()).toEqual([])
  expect(await written()).toEqual([])
})

test('requests for one address at once send one email, and three in the days at most', async () => {
  await using excerpt = await openExcerpt()
  const { ask, smtp, requests, tokenOf, show } = excerpt
  const email = 'flooded@example.com'
  await Promise.all(Array.from({ length: 3 }, () => ask(email)))
  expect(await requests()).toHaveLength(1)
  for (const nth of [1, 2, 3, 4]) {
    time.ahead = nth * 3_600_000
    expect((await ask(email)).status).toBe(200)
  }
  expect(await requests()).toHaveLength(3)
  // Each email has a link of its own, and all of them work.
  for (const nth of [1, 2, 3]) expect(await show(await tokenOf(email, nth))).toMatchObject({ letters: null })
  expect(smtp.emails.filter(({ envelope }) => envelope.to[0] === email)).toHaveLength(3)
})

test('links say in words that the file was replaced or removed, also where a restore has lost it', async () => {
  await using excerpt = await openExcerpt()
  const { shop, admin, ask, link, press, show, save } = excerpt
  const token = await link('visitor@example.com')
  const { url } = (await (await press('download', token)).json()) as Download
  await save(await sample('pdf'), 'new.pdf')
  expect(await show(token)).toMatchObject({ file: { file_format: 'pdf' }, is_replaced: true })
  expect((await shop.call('GET', url)).headers.get('content-type')).toBe('application/pdf')
  await admin.call('DELETE', '/api/admin/excerpt')
  expect(await show(token)).toMatchObject({ file: null, is_replaced: false })
  expect(await codeOf(await press('download', token))).toBe('excerpt.removed')
  expect(await codeOf(await shop.call('GET', url))).toBe('excerpt.removed')
  expect(await codeOf(await ask('other@example.com'))).toBe('excerpt.not_offered')

  await save(await sample('epub'), 'again.epub')
  const [{ file_path } = { file_path: '' }] = await rows<{ file_path: string }>(
    shop,
    'select file_path from excerpt_file',
  )
  await shop.services.storage.remove(file_path)
  expect(await codeOf(await press('download', token))).toBe('downloads.unavailable')
  await saveLostFiles(shop.services.db, [{ name: file_path, sha256: '' }], new Date())
  expect(await show(token)).toMatchObject({ file: null })
})

test('without a mail server, without a file and beside the sample nothing is offered or stored', async () => {
  await using unmailed = await openExcerpt({ hasMail: false })
  expect(await codeOf(await unmailed.ask('visitor@example.com'))).toBe('excerpt.not_offered')
  await using unset = await openExcerpt({ hasFile: false })
  expect(await codeOf(await unset.ask('visitor@example.com'))).toBe('excerpt.not_offered')
  expect(await unset.requests()).toEqual([])
  expect(await rows(unset.shop, `select key from rate_limits where key like '%visitor@%'`)).toEqual([])
})

test('the ticked box puts nobody on the list before its press, and the untick or other words never', async () => {
  await using excerpt = await openExcerpt()
  const { link, press, show, list, offerLetters, requests } = excerpt
  await offerLetters()
  const plain = await link('plain@example.com')
  const other = await link('other@example.com', { letters: 'Words that the shop does not say' })
  for (const token of [plain, other]) {
    expect((await show(token)).letters).toBeNull()
    expect(await codeOf(await press('letters', token))).toBe('letters.not_offered')
  }
  const email = 'ticked@example.com'
  const token = await link(email, { letters: words })
  expect(await requests()).toEqual([
    { email: 'plain@example.com', words: null },
    { email: 'other@example.com', words: null },
    { email, words },
  ])
  expect((await show(token)).letters).toEqual({
    email: 't…@example.com',
    words,
    state: 'unconfirmed',
    ended_at: null,
  })
  await press('download', token)
  expect(await list()).toEqual([])
  const presses = await Promise.all([press('letters', token), press('letters', token)])
  for (const pressed of presses) expect(await pressed.json()).toMatchObject({ state: 'confirmed' })
  expect(await list()).toEqual([{ email, source: 'excerpt', is_ended: false }])
})

test('who has left is not put back by the email of before, and by a later one is', async () => {
  await using excerpt = await openExcerpt()
  const { shop, link, press, show, list, offerLetters, tokenOf, ask } = excerpt
  await offerLetters()
  const email = 'reader@example.com'
  const token = await link(email, { letters: words })
  await press('letters', token)
  const [{ leaving } = { leaving: '' }] = await rows<{ leaving: string }>(
    shop,
    'select token as leaving from subscribers',
  )
  expect((await shop.call('POST', `/api/subscriptions/${leaving}/end`)).status).toBe(200)
  expect(await (await press('letters', token)).json()).toMatchObject({ state: 'ended' })
  expect((await show(token)).letters).toMatchObject({ state: 'ended' })
  expect(await list()).toEqual([{ email, source: 'excerpt', is_ended: true }])
  time.ahead = 3_600_000
  await ask(email, { letters: words })
  const later = await tokenOf(email, 2)
  const [ended, confirmed] = await Promise.all([press('letters', token), press('letters', later)])
  expect(await confirmed.json()).toMatchObject({ state: 'confirmed' })
  expect(((await ended.json()) as { state: string }).state).toMatch(/ended|confirmed/)
  expect(await list()).toEqual([{ email, source: 'excerpt', is_ended: false }])

  // The author ends all: what was ticked before is forgotten.
  const waiting = await link('waiting@example.com', { letters: words })
  const admin = await shop.person({ role: 'admin' })
  expect((await admin.call('POST', '/api/admin/subscribers/end')).status).toBe(200)
  expect((await show(waiting)).letters).toBeNull()
  expect(await codeOf(await press('letters', waiting))).toBe('letters.not_offered')
  expect(await list()).toEqual([{ email, source: 'excerpt', is_ended: true }])
})

test('letters that were switched off, or an address that was deleted, confirm nothing', async () => {
  await using excerpt = await openExcerpt()
  const { shop, admin, link, press, show, list, offerLetters } = excerpt
  await offerLetters()
  const email = 'reader@example.com'
  const token = await link(email, { letters: words })
  await press('letters', token)
  const [{ leaving } = { leaving: '' }] = await rows<{ leaving: string }>(
    shop,
    'select token as leaving from subscribers',
  )
  expect((await shop.call('DELETE', `/api/subscriptions/${leaving}`)).status).toBe(200)
  expect(await codeOf(await press('show', token))).toBe('excerpt.link_over')
  expect(await codeOf(await press('letters', token))).toBe('excerpt.link_over')
  expect(await excerpt.requests()).toEqual([])
  expect(await rows(shop, `select recipient from mails where kind = 'excerpt_link'`)).toEqual([])

  const other = await link('other@example.com', { letters: words })
  await saveGroup(admin, { revision: 1, values: { is_on: false } }, 'letters')
  expect((await show(other)).letters).toBeNull()
  expect(await codeOf(await press('letters', other))).toBe('letters.not_offered')
  expect(await list()).toEqual([])
})
