// Free copies and codes for addresses: each gets them once, and the mail is seen before it is sent.
import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { GiftCheck, GiftsSent } from '#contract/delivery/grants.ts'
import { age } from '#test/changes.ts'
import { linkIn, openBrowser } from '#test/auth-client.ts'
import { given } from '#test/given.ts'
import { own } from '#test/paying.ts'
import { openTestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'

const check = async (admin: Person, body: object) =>
  (await (await admin.call('POST', '/api/admin/gifts/check', { body })).json()) as GiftCheck
const send = async (admin: Person, body: object) =>
  (await (await admin.call('POST', '/api/admin/gifts', { body })).json()) as GiftsSent
const outcomes = ({ recipients }: GiftsSent) => recipients.map(({ outcome }) => outcome)

test('a free copy is a purchase without a price, with an account for who has none, and a mail', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const [owner, reader] = [await shop.person(), await shop.person()]
  const { id: product_id, name } = await shop.product('digital')
  await owner.buy(product_id)
  const list = `${owner.email}\n${reader.email}\nnew@example.com, Nina\nnonsense`
  const request = { present: { kind: 'copy', product_id }, list, message: 'For your review.' }
  const checked = await check(admin, request)
  expect(outcomes(checked)).toEqual(['has_it', 'new', 'new'])
  expect(checked.bad_rows).toMatchObject([{ line: 4, text: 'nonsense' }])
  expect(checked.mail.subject).toBe(`A gift for you: ${name}`)
  expect(checked.mail.text).toContain('For your review.')
  const { pool } = shop.services.database
  expect((await pool.query('select from gifts')).rowCount).toBe(0)

  expect(outcomes(await send(admin, request))).toEqual(['has_it', 'new', 'new'])
  expect(outcomes(await send(admin, request))).toEqual(['has_it', 'given_before', 'given_before'])
  const [purchase] = await own(reader)
  expect(purchase).toMatchObject({ amount: 0, status: 'completed' })
  const file = await reader.call('POST', `/api/purchases/${purchase!.id}/download`, { body: {} })
  expect(file.status).toBe(200)
  const mail = await shop.mailbox.to('new@example.com', /A gift for you/)
  expect(mail.text).toContain('Dear Nina,')
  expect(mail.text).toContain('For your review.')
  const newcomer = await openBrowser(shop.url)
  const { token_hash, type } = linkIn(mail)
  expect((await newcomer.auth.verifyOtp({ type, token_hash })).error).toBe(null)
  expect((await newcomer.auth.verifyOtp({ type, token_hash })).error?.code).toBe('otp_expired')
  expect((await shop.mailbox.to(reader.email, /A gift for you/)).text).toContain('/auth?next=%2Fdashboard')
  const { rows } = await pool.query(`
    select p.email, a.email_confirmed_at is not null as is_verified, a.password_hash, b.is_given, b.amount
    from purchases b join profiles p using (user_id) join auth.users a on a.id = b.user_id
    where p.email = 'new@example.com'`)
  expect(rows).toMatchObject([{ is_verified: true, password_hash: null, is_given: true, amount: 0 }])
  const product = await (await admin.call('GET', `/api/admin/products/${product_id}`)).json()
  expect(product as AdminProduct).toMatchObject({ sold: 1, given: 2 })
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
  const request = { present: { kind: 'copy', product_id }, list }
  const both = await Promise.all([send(admin, request), send(admin, request)])
  const all = both.flatMap(outcomes)
  expect(all.filter((outcome) => outcome === 'new')).toHaveLength(2)
  expect(all).toContain('sold_out')
  const { rows } = await shop.services.database.pool.query(`
    select (select count(*) from purchases) as purchases, (select count(*) from shipments) as shipments,
      (select copies from stock) as copies, (select count(*) from pgboss.job where name = 'mail.gift') as mails,
      (select count(*) from audit_log where action = 'gifts.copy_given') as logged`)
  expect(rows).toEqual([{ purchases: 2, shipments: 2, copies: 0, mails: 2, logged: 2 }])
})

test('a code is sent with a link that enters it, and only while it is valid', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const made = await admin.call('POST', '/api/admin/discounts', { body: { code: 'FRIENDS', percent: 30 } })
  const [code] = (await made.json()) as { id: string }[]
  const request = { present: { kind: 'code', code_id: code!.id }, list: 'friend@example.com' }
  expect(outcomes(await send(admin, request))).toEqual(['new'])
  const mail = await shop.mailbox.to('friend@example.com', /30% off/)
  expect(mail.text).toContain('/?code=FRIENDS#book-sales')
  expect(outcomes(await send(admin, request))).toEqual(['given_before'])
  await admin.call('PUT', `/api/admin/discounts/${code!.id}/ended`)
  const response = await admin.call('POST', '/api/admin/gifts', { body: request })
  expect(await response.json()).toMatchObject({ code: 'gifts.code_not_valid' })
  const { rows } = await shop.services.database.pool.query('select email from profiles where email like $1', [
    'friend@%',
  ])
  expect(rows).toEqual([])
})

test('while mail is not set up, the answer says so; and those who got something are mailed again on request', async () => {
  await using smtp = await openSmtpServer()
  await using unsent = await openTestShop({ hasWorkers: false })
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const request = { present: { kind: 'copy', product_id }, list: 'ann@example.com, Ann', message: 'First.' }
  const other = await unsent.person({ role: 'admin' })
  const elsewhere = {
    ...request,
    present: { kind: 'copy', product_id: (await unsent.product('digital')).id },
  }
  expect(await check(other, elsewhere)).toMatchObject({ is_mail_kept: true, uses_left: null })
  expect(await send(other, elsewhere)).toMatchObject({ is_mail_kept: true })
  expect(await check(admin, request)).toMatchObject({ is_mail_kept: false })

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
  await age(shop.services.database, 'gifts.mailed_at', '11 minutes')
  const sent = await send(admin, again)
  expect([outcomes(sent), sent.is_mail_kept]).toEqual([['mailed_again', 'new'], false])
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
    create trigger fails before insert on gifts for each row when (new.email like 'b%') execute function fail()`)
  const listOf = (names: string[]) => names.map((name) => `${name}@example.com`).join('\n')
  const request = { present: { kind: 'copy', product_id }, list: listOf(['a', 'b', 'c']) }
  expect(outcomes(await send(admin, request))).toEqual(['new', 'failed', 'new'])
  const rest = { ...request, list: listOf(['b1', 'b2', 'b3', 'd']) }
  expect(outcomes(await send(admin, rest))).toEqual(['failed', 'failed', 'failed', 'failed'])
  expect((await pool.query('select email from gifts order by email')).rows).toEqual([
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
  const request = { present: { kind: 'copy', product_id }, list: 'a@example.com\nb@example.com' }
  expect(await send(admin, request)).toMatchObject({ code: 'auth.reauthentication_needed' })
  await pool.query(
    `insert into rate_limits (key, window_start, hits) values ('gifts:account:${admin.id}', now(), 1999)`,
  )
  const proven = { ...request, current_password: admin.password }
  expect(outcomes(await send(admin, proven))).toEqual(['new', 'limited'])
  expect(outcomes(await send(admin, request))).toEqual(['limited', 'limited'])
})

test('a code with few uses says so before it is sent, and in its mail; one that is used up is not sent', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const body = { code: 'FIRST', percent: 100, max_uses: 1 }
  const [code] = (await (await admin.call('POST', '/api/admin/discounts', { body })).json()) as {
    id: string
  }[]
  const request = { present: { kind: 'code', code_id: code!.id }, list: 'a@example.com\nb@example.com' }
  const checked = await check(admin, request)
  expect(checked.uses_left).toBe(1)
  expect(checked.mail.text).toContain('Uses\nOnce')
  const { id: product_id } = await shop.product('digital')
  await user.call('POST', '/api/purchases', { body: { product_id, code: 'FIRST' } })
  expect(await check(admin, request)).toMatchObject({ code: 'gifts.code_not_valid' })
  expect(await send(admin, request)).toMatchObject({ code: 'gifts.code_not_valid' })
})

test('a list that does not fit into a request is refused in its field', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  const body = { present: { kind: 'copy', product_id: admin.id }, list: 'ж'.repeat(26_000) }
  const response = await admin.call('POST', '/api/admin/gifts/check', { body })
  expect(await response.json()).toMatchObject({ fields: { list: expect.stringContaining('too long') } })
})
