// Free copies for addresses: each gets one once, and the mail is seen before it is sent.
import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/products.ts'
import type { Grant, GrantCheck, GrantsSent } from '#contract/delivery/gifts.ts'
import { age } from '#test/changes.ts'
import { openBrowser } from '#test/auth-client.ts'
import { given } from '#test/given.ts'
import { own } from '#test/paying.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import { readRecipients } from './recipients.ts'

const check = async (admin: Person, body: object) =>
  (await (await admin.call('POST', '/api/admin/gifts/check', { body })).json()) as GrantCheck
const send = async (admin: Person, body: object) =>
  (await (await admin.call('POST', '/api/admin/gifts', { body })).json()) as GrantsSent
const list = async (admin: Person) => (await (await admin.call('GET', '/api/admin/gifts')).json()) as Grant[]
const takeBack = (admin: Person, id: string) => admin.call('DELETE', `/api/admin/gifts/${id}`)
const give = (admin: Person, product_id: string, emails: string[]) =>
  send(admin, { product_id, list: emails.join('\n') })

const giftToken = (text: string | undefined) => /\/gift#(\S+)/.exec(text ?? '')![1]!
const call = (shop: TestShop, what: 'show' | 'open', token: string) =>
  shop.call('POST', `/api/gifts/${what}`, { body: { token } })
const open = async (shop: TestShop, token: string) =>
  (await (await call(shop, 'open', token)).json()) as { email: string; sign_in_token: string | null }
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
const outcomes = ({ recipients }: GrantsSent) => recipients.map(({ outcome }) => outcome)

test('a free copy is a purchase without a price, with an account for who has none, and a mail', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const [owner, reader] = [await shop.person(), await shop.person()]
  const { id: product_id, name } = await shop.product('digital')
  await owner.buy(product_id)
  const list = `${owner.email}\n${reader.email}\nnew@example.com, Nina\nnonsense`
  const request = { product_id, list, message: 'For your review.' }
  const checked = await check(admin, request)
  expect(outcomes(checked)).toEqual(['has_it', 'new', 'new'])
  expect(checked.bad_rows).toMatchObject([{ line: 4, text: 'nonsense' }])
  expect(checked.mail.subject).toBe(`A gift for you: ${name}`)
  expect(checked.mail.text).toContain('For your review.')
  const { pool } = shop.services.database
  expect((await pool.query('select from purchase_gifts')).rowCount).toBe(0)

  expect(outcomes(await send(admin, request))).toEqual(['has_it', 'new', 'new'])
  expect(outcomes(await send(admin, request))).toEqual(['has_it', 'given_before', 'given_before'])
  const [purchase] = await own(reader)
  expect(purchase).toMatchObject({ amount: 0, status: 'completed' })
  const file = await reader.call('POST', `/api/purchases/${purchase!.id}/download`, { body: {} })
  expect(file.status).toBe(200)
  const mail = await shop.mailbox.to('new@example.com', /A gift for you/)
  expect(mail.text).toContain('Dear Nina,')
  expect(mail.text).toMatch(/nothing to pay\.\n\n.+ writes:\n\nFor your review\.\n\n/)
  expect(mail.text).toContain('signs you in')
  const newcomer = await openBrowser(shop.url)
  const { email, sign_in_token: token_hash } = await open(shop, giftToken(mail.text))
  expect(email).toBe('new@example.com')
  expect((await newcomer.auth.verifyOtp({ type: 'magiclink', token_hash: token_hash! })).error).toBe(null)
  const again = await newcomer.auth.verifyOtp({ type: 'magiclink', token_hash: token_hash! })
  expect(again.error?.code).toBe('otp_expired')
  const toReader = await shop.mailbox.to(reader.email, /A gift for you/)
  expect(toReader.text).toContain('Sign in with this email address.')
  expect(await open(shop, giftToken(toReader.text))).toEqual({ email: reader.email, sign_in_token: null })
  const { rows } = await pool.query(`
    select p.email, a.email_confirmed_at is not null as is_verified, a.password_hash, b.is_given, b.amount
    from purchases b join profiles p using (user_id) join auth.users a on a.id = b.user_id
    where p.email = 'new@example.com'`)
  expect(rows).toMatchObject([{ is_verified: true, password_hash: null, is_given: true, amount: 0 }])
  const product = await (await admin.call('GET', `/api/admin/products/${product_id}`)).json()
  expect(product as AdminProduct).toMatchObject({ sold: 1, free: 2, tests: 0 })
  const sums = await pool.query('select sum(revenue) as revenue from sales_day')
  expect(sums.rows).toEqual([{ revenue: 14.99 }])
  const mails = await shop.mailbox.all()
  expect(mails.filter(({ subject }) => subject?.startsWith('A gift'))).toHaveLength(2)
})

test('sent twice at once, nobody gets it twice; and counted copies are given no more often than there are', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('paperback')
  await admin.call('PUT', `/api/admin/products/${product_id}/stock`, { body: { copies: 2, seen: null } })
  const list = 'a@example.com\nb@example.com\nc@example.com'
  const request = { product_id, list }
  const both = await Promise.all([send(admin, request), send(admin, request)])
  const all = both.flatMap(outcomes)
  expect(all.filter((outcome) => outcome === 'new')).toHaveLength(2)
  expect(all).toContain('sold_out')
  const { rows } = await shop.services.database.pool.query(`
    select (select count(*) from purchases) as purchases, (select count(*) from shipments) as shipments,
      (select copies from stock) as copies, (select count(*) from pgboss.job where name = 'mail.grant') as mails,
      (select count(*) from audit_log where action = 'gifts.copy_given') as logged`)
  expect(rows).toEqual([{ purchases: 2, shipments: 2, copies: 0, mails: 2, logged: 2 }])
})

test('while mail is not set up, the answer says so; and those who got something are mailed again on request', async () => {
  await using smtp = await openSmtpServer()
  await using unsent = await openTestShop({ hasWorkers: false })
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const request = { product_id, list: 'ann@example.com, Ann', message: 'First.' }
  const other = await unsent.person({ role: 'admin' })
  const elsewhere = {
    ...request,
    product_id: (await unsent.product('digital')).id,
  }
  expect(await check(other, elsewhere)).toMatchObject({ is_mail_unsent: true })
  expect(await send(other, elsewhere)).toMatchObject({ is_mail_unsent: true })
  expect(await check(admin, request)).toMatchObject({ is_mail_unsent: false })

  expect(outcomes(await send(admin, request))).toEqual(['new'])
  await smtp.arrived(1)
  const again = {
    ...request,
    list: 'ann@example.com\nben@example.com',
    message: 'Second.',
    mails_again: true,
  }
  // Who was mailed just now is not mailed again: an answer may have been lost.
  expect(outcomes(await send(admin, { ...again, list: request.list }))).toEqual(['given_before'])
  await age(shop.services.database, 'purchase_gifts.send_at', '11 minutes')
  const sent = await send(admin, again)
  expect([outcomes(sent), sent.is_mail_unsent]).toEqual([['mailed_again', 'new'], false])
  expect(outcomes(await send(admin, again))).toEqual(['given_before', 'given_before'])
  await smtp.arrived(3)
  const toAnn = smtp.emails.map(({ email }) => email.text ?? '').filter((text) => text.includes('Dear Ann,'))
  expect(toAnn).toEqual([expect.stringContaining('First.'), expect.stringContaining('Second.')])
  const { rows } = await shop.services.database.pool.query(`
    select (select count(*) from purchases) as purchases,
      (select count(*) from audit_log where action = 'gifts.mailed_again') as again`)
  expect(rows).toEqual([{ purchases: 2, again: 1 }])
})

test('a failure is the outcome of its own address; after three in a row the list ends', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const { pool } = shop.services.database
  await pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger fails before insert on purchase_gifts for each row when (new.email like 'b%') execute function fail()`)
  const listOf = (names: string[]) => names.map((name) => `${name}@example.com`).join('\n')
  const request = { product_id, list: listOf(['a', 'b', 'c']) }
  expect(outcomes(await send(admin, request))).toEqual(['new', 'failed', 'new'])
  const rest = { ...request, list: listOf(['b1', 'b2', 'b3', 'd']) }
  expect(outcomes(await send(admin, rest))).toEqual(['failed', 'failed', 'failed', 'failed'])
  expect((await pool.query('select email from purchase_gifts order by email')).rows).toEqual([
    { email: 'a@example.com' },
    { email: 'c@example.com' },
  ])
})

test('gifts are given with a recent proof, and only so many mails leave within a day', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const { pool } = shop.services.database
  await given.passwordsGiven(shop, '11 minutes')
  const request = { product_id, list: 'a@example.com\nb@example.com' }
  expect(await send(admin, request)).toMatchObject({ code: 'auth.reauthentication_needed' })
  await pool.query(
    `insert into rate_limits (key, window_start, hits) values ('gifts:account:${admin.id}', now(), 1999)`,
  )
  const proven = { ...request, current_password: admin.password }
  expect(outcomes(await send(admin, proven))).toEqual(['new', 'limited'])
  expect(outcomes(await send(admin, request))).toEqual(['limited', 'limited'])
})

test('a list that does not fit into a request is refused in its field', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  const body = { product_id: admin.id, list: 'ж'.repeat(26_000) }
  const response = await admin.call('POST', '/api/admin/gifts/check', { body })
  expect(await response.json()).toMatchObject({ fields: { list: expect.stringContaining('too long') } })
})

test('a free copy is taken back until it is opened: its stock, its sums and its link are as if it had not been given', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id, name } = await shop.product('paperback')
  await admin.call('PUT', `/api/admin/products/${product_id}/stock`, { body: { copies: 5, seen: null } })
  const { pool } = shop.services.database
  const state = async () => {
    const product = (await (
      await admin.call('GET', `/api/admin/products/${product_id}`)
    ).json()) as AdminProduct
    const sums = await pool.query(`
      select sum(purchases)::int as purchases, sum(completed)::int as completed, sum(free)::int as free,
        (select sum(total_purchases)::int from user_sums) as of_users from sales_day`)
    return { copies: product.copies, sold: product.sold, is_owned: product.is_owned, ...sums.rows[0] }
  }
  const before = await state()
  await give(admin, product_id, ['a@example.com'])
  const mail = await shop.mailbox.to('a@example.com', /A gift for you/)
  const token = giftToken(mail.text)
  const shown = await (await call(shop, 'show', token)).json()
  expect(shown).toMatchObject({
    product_name: name,
    sender_name: expect.stringMatching(/\S/),
    is_digital: false,
  })
  const [gift] = await list(admin)
  expect(gift).toMatchObject({
    email: 'a@example.com',
    product_name: name,
    format: 'paperback',
    opened_at: null,
  })
  const both = await Promise.all([takeBack(admin, gift!.id), takeBack(admin, gift!.id)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect(await list(admin)).toEqual([])
  expect(await codeOf(await call(shop, 'open', token))).toBe('purchase_gifts.link_over')
  expect(await state()).toEqual({ ...before, purchases: 0, completed: 0, free: 0, of_users: 0 })
  const rows = await pool.query(`
    select b.status, s.is_paid, (select count(*)::int from audit_log where action = 'gifts.taken_back') as logged
    from purchases b join shipments s on s.purchase_id = b.id`)
  expect(rows.rows).toEqual([{ status: 'canceled', is_paid: false, logged: 1 }])
  expect(outcomes(await give(admin, product_id, ['a@example.com']))).toEqual(['new'])
  expect(await state()).toMatchObject({ copies: 4, sold: 0, free: 1, is_owned: true })
})

test('what its recipient has opened, downloaded or gets by post is not taken back', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  const [digital, paperback] = [await shop.product('digital'), await shop.product('paperback')]
  await give(admin, digital.id, ['opens@example.com', reader.email, 'other@example.com'])
  await give(admin, paperback.id, ['paper@example.com'])
  const { pool } = shop.services.database
  const giftOf = async (email: string) => (await list(admin)).find((gift) => gift.email === email)!
  await open(shop, giftToken((await shop.mailbox.to('opens@example.com', /A gift/)).text))
  const [purchase] = await own(reader)
  const path = `/api/purchases/${purchase!.id}/download`
  const { url } = (await (await reader.call('POST', path, { body: {} })).json()) as { url: string }
  expect((await giftOf(reader.email)).opened_at).toBe(null)
  await (
    await shop.call('GET', new URL(url, shop.url).pathname + new URL(url, shop.url).search)
  ).arrayBuffer()
  await pool.query('update shipments set shipped_at = now() where purchase_id = $1', [
    (await giftOf('paper@example.com')).purchase_id,
  ])
  for (const email of ['opens@example.com', reader.email, 'paper@example.com']) {
    const gift = await giftOf(email)
    expect(gift.opened_at, email).not.toBe(null)
    expect(await codeOf(await takeBack(admin, gift.id)), email).toBe('gifts.opened')
  }

  // Opened and taken back at once, it is one of the two.
  const token = giftToken((await shop.mailbox.to('other@example.com', /A gift/)).text)
  const { id, purchase_id } = await giftOf('other@example.com')
  const [opened, taken] = await Promise.all([call(shop, 'open', token), takeBack(admin, id)])
  const { rows } = await pool.query('select status from purchases where id = $1', [purchase_id])
  expect([opened.status, taken.status, rows[0].status]).toEqual(
    opened.status === 200 ? [200, 409, 'completed'] : [403, 200, 'canceled'],
  )
  expect((await takeBack(admin, '00000000-0000-4000-8000-000000000000')).status).toBe(404)
})

test('the link of a free copy that has moved to another address opens nothing', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const other = await shop.person()
  await give(admin, (await shop.product('digital')).id, ['moved@example.com'])
  const mail = await shop.mailbox.to('moved@example.com', /A gift for you/)
  await shop.services.database.pool.query(
    `update purchases set user_id = $1 where user_id = (select user_id from profiles where email = 'moved@example.com')`,
    [other.id],
  )
  expect(await codeOf(await call(shop, 'open', giftToken(mail.text)))).toBe('purchase_gifts.link_over')
})

// Lists of recipients as people type, paste and export them.

test('a list is read from text and CSV, and errors name their line', () => {
  expect(readRecipients('a@example.com\nB@Example.com , Ben\n\nnobody\na@example.com')).toEqual({
    recipients: [
      { line: 1, email: 'a@example.com', name: null },
      { line: 2, email: 'b@example.com', name: 'Ben' },
    ],
    bad_rows: [
      { line: 4, text: 'nobody', reason: 'There is no email address in this row.' },
      { line: 5, text: 'a@example.com', reason: 'This address is in the list already.' },
    ],
  })
  const excel = '\ufeffName;E-Mail;City\r\n"Doe; Jane";jane@example.com;Rome\r\n;x@y;\r\n'
  expect(readRecipients(excel)).toMatchObject({
    recipients: [{ line: 2, email: 'jane@example.com', name: 'Doe; Jane' }],
    bad_rows: [{ line: 3, reason: 'Please enter a valid email address.' }],
  })
  const many = Array.from({ length: 501 }, (_, nth) => `r${nth}@example.com`).join('\n')
  expect(readRecipients(many)).toMatchObject({
    recipients: { length: 500 },
    bad_rows: [{ line: 501, reason: 'Only 500 addresses at once.' }],
  })
  expect(readRecipients('"Ann, a@example.com\nb@example.com').recipients).toMatchObject([
    { line: 1, email: 'a@example.com', name: '"Ann' },
    { line: 2, email: 'b@example.com' },
  ])
  expect(readRecipients('a@example.com, a@example.com, a@example.com').bad_rows).toEqual([
    { line: 1, text: 'a@example.com', reason: 'This address is in the list already.' },
  ])
  expect(readRecipients('ann＠例え。jp\n\u202aann@xn--r8jz45g.jp\u202c')).toMatchObject({
    recipients: [{ email: 'ann@xn--r8jz45g.jp' }],
    bad_rows: [{ line: 2, reason: 'This address is in the list already.' }],
  })
  expect(readRecipients('')).toEqual({ recipients: [], bad_rows: [] })
})

test('several addresses in one line, and names beside addresses, are as many recipients', () => {
  const read = (list: string) => {
    const { recipients, bad_rows } = readRecipients(list)
    return [
      recipients.map(({ email, name }) => [email, name]),
      bad_rows.map(({ text, reason }) => `${text}: ${reason}`),
    ]
  }
  const [anna, ben, carl] = ['anna@example.com', 'ben@example.com', 'carl@example.com']
  expect(read(`${anna}, ${ben}; ${carl},`)).toEqual([
    [
      [anna, null],
      [ben, null],
      [carl, null],
    ],
    [],
  ])
  expect(read(`Anna <${anna}>, "Lee, Ben" <${ben}>; Carl; <${carl}>; x@y`)).toEqual([
    [
      [anna, 'Anna'],
      [ben, 'Lee, Ben'],
      [carl, null],
    ],
    ['Carl: Please enter a valid email address.', 'x@y: Please enter a valid email address.'],
  ])
  expect(read(`Email\n${anna}, ${ben}`)).toEqual([
    [
      [anna, null],
      [ben, null],
    ],
    [],
  ])
  expect(read(`Name,Email\n${ben},${ben}`)).toEqual([[[ben, null]], []])
})

test('the column of email addresses is found beside a postal one, and whatever separates the columns', () => {
  const { recipients, bad_rows } = readRecipients(
    'Name;Address;E-Mail\nAnna;1 High Street, Rome;anna@example.com\n',
  )
  expect(recipients).toEqual([{ line: 2, email: 'anna@example.com', name: 'Anna' }])
  expect(bad_rows).toEqual([])
})
