// A user gets all that the shop has of them, nobody else gets any of it, and its owner hears of it.
import { randomUUID } from 'node:crypto'
import { getTableConfig, PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, expect, test } from 'vitest'
import { someAddress } from '#test/addresses.ts'
import { ownDataTexts, ownDataValuesTexts } from '#words/own-data.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { securityEventKinds } from '#contract/accounts/users.ts'
import { factorTypes } from '#tables/accounts.ts'
import { auditActions } from '#contract/overview/audit.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import { adjustmentKinds, decisions } from '#contract/orders/purchases.ts'
import { ownData } from '#contract/privacy/own-data.ts'
import { changedByStep, emptied } from '#tables/personal-data.ts'
import { queries } from './own-data.ts'

const shop = await openTestShop({ clock, env: { RATE_LIMIT: 'off', ASK_ADDRESS: 'on' } })
afterAll(() => shop[Symbol.asyncDispose]())

type Caller = Awaited<ReturnType<typeof shop.person>>

const take = async ({ call }: Caller) => ownData.parse(await (await call('POST', '/api/account/data')).json())

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code
}

const subjectsTo = async ({ email }: Caller) =>
  (await shop.mailbox.all()).filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject)

test('what a user did in the shop stands in their data, and nothing of anybody else', async () => {
  const mark = randomUUID()
  const reader = await shop.person({ display_name: `Reader ${mark}` })
  const other = await shop.person({ display_name: 'Somebody else' })
  const address = { ...someAddress, name: `Name ${mark}` }
  await reader.buy((await shop.product('paperback')).id, { address })
  const digital = await reader.buy((await shop.product('digital')).id, { address })
  await other.buy((await shop.product('digital')).id, { address })
  await reader.call('POST', `/api/purchases/${digital.id}/download`, { body: {} })
  const message = { name: 'R.', subject: 'Thanks', message: `Amen ${mark}`, website: '' }
  for (const email of [reader.email, other.email])
    expect((await shop.call('POST', '/api/contact', { body: { ...message, email } })).status).toBe(201)

  const admin = await shop.person({ role: 'admin' })
  const { rows: written } = await shop.services.database.pool.query(
    'select id from contact_messages where message = $1',
    [message.message],
  )
  for (const { id } of written)
    for (const body of ['First answer', 'Second'])
      await admin.call('PUT', `/api/admin/messages/${id}/replies/${randomUUID()}`, { body: { body } })

  const { lists, shop: name } = await take(reader)
  expect(name).not.toBe('')
  expect(lists.account).toMatchObject([
    { email: reader.email, display_name: `Reader ${mark}`, roles: 'user' },
  ])
  expect(lists.purchases.map(({ format, status, currency }) => [format, status, currency])).toEqual([
    ['paperback', 'completed', 'usd'],
    ['digital', 'completed', 'usd'],
  ])
  expect(lists.addresses).toMatchObject([{ name: `Name ${mark}`, line1: someAddress.line1 }])
  expect(lists.downloads).toHaveLength(1)
  expect(lists.messages).toMatchObject([{ message: `Amen ${mark}`, answers: 'First answer\n\nSecond' }])
  expect(lists.sessions).toHaveLength(1)
  const text = JSON.stringify(lists)
  expect(text).not.toContain(other.email)
  expect(text).not.toMatch(/argon2|password_hash|secret/)
})

test('a free copy of the author stands in the data of who got it, with its words', async () => {
  const [admin, reader, other] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const { id: product_id, name: product } = await shop.product('digital')
  for (const { email } of [reader, other]) {
    const gift = { list: `${email}, Ruth`, message: `For ${email}` }
    await admin.call('POST', '/api/admin/gifts', { body: { ...gift, product_id } })
  }
  const { lists } = await take(reader)
  expect(lists.gifts).toMatchObject([{ product, name: 'Ruth', message: `For ${reader.email}` }])
  expect(lists.purchases).toMatchObject([{ is_given: true, amount: 0 }])
  expect(JSON.stringify(lists)).not.toContain(other.email)
})

test('it is asked for with a recent proof, and its owner gets one email an hour', async () => {
  const reader = await shop.person()
  time.ahead = 10 * 60_000
  expect(await codeOf(await reader.call('POST', '/api/account/data'))).toBe('auth.reauthentication_needed')
  const proof = { body: { current_password: reader.password } }
  expect((await reader.call('POST', '/api/me/proof', proof)).status).toBe(200)
  await take(reader)
  await take(reader)
  await expect.poll(() => subjectsTo(reader)).toEqual(['Your data were opened'])
  const { pool } = shop.services.database
  await pool.query(
    `update auth.audit_log set created_at = created_at - interval '1 hour' where event = 'data_taken'`,
  )
  const { lists } = await take(reader)
  expect(lists.security_events.filter(({ event }) => event === 'data_taken')).toHaveLength(2)
  await expect.poll(() => subjectsTo(reader)).toHaveLength(2)
  time.ahead = 0
})

test('an address that was never confirmed brings nothing of the one who has it', async () => {
  const reader = await shop.person()
  const { pool } = shop.services.database
  const body = { name: 'R.', email: reader.email, subject: 'Hello', message: 'From its owner.', website: '' }
  await shop.call('POST', '/api/contact', { body })
  expect((await take(reader)).lists.messages).toHaveLength(1)
  await pool.query('update auth.users set email_confirmed_at = null where id = $1', [reader.id])
  expect((await take(reader)).lists.messages).toEqual([])
})

test('an admin sends a reader the way to their data, and never an admin', async () => {
  const [reader, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const offer = (id: string) => admin.call('POST', `/api/admin/users/${id}/data-offer`)
  expect((await offer(reader.id)).status).toBe(200)
  const mail = await shop.mailbox.to(reader.email, /your data/i)
  expect(mail.text).toContain('/auth?next=%2Faccount%2Fdata&form=sign-in')
  expect(await codeOf(await offer(admin.id))).toBe('users.offer_to_admin')
  expect((await take(reader)).lists.admin_actions).toMatchObject([{ action: 'users.data_offered' }])
})

/** Tables that refer to users or networks, and are not in the data. */
const leftOut: Record<string, string> = {
  'auth.mfa_challenges': 'expire within minutes',
  'auth.one_time_tokens': 'secrets that expire within days',
  'auth.wrong_codes': 'counts that are deleted by a right code',
  'public.scheduled_emails': 'the emails are listed',
  'public.purchase_moves': 'it names the address of another person; the purchase is listed',
  'public.erasures': 'the account page shows it',
  'public.locked_buyers': 'of erased accounts',
  'public.checkout_searches': 'about a restore, not about a user',
  'public.gift_links': 'secrets of links; the gift is listed',
  'public.subscription_requests': 'until the payment, with which they are consents to letters',
  'public.excerpt_requests': 'for seven days; their emails are listed',
  'public.subscriber_links': 'secrets of links; the consent is listed',
  'public.webhook_deliveries': 'the end of letters until it is sent; the consent is listed',
  'public.purchase_access': 'secrets of links; the purchase is listed',
  'public.taken_copies': 'what the purchase says',
  'public.user_sums': 'what the purchases say',
  'public.payment_events': 'notices of Stripe about a purchase, for 90 days',
}

test('each table that refers to a user is in the data, or is left out for a reason', async () => {
  const { rows } = await shop.services.database.pool.query<{ name: string; short: string }>(`
    select distinct table_schema || '.' || table_name as name, table_name as short
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where column_name in ('user_id', 'purchase_id', 'email', 'recipient', 'factor_id', 'session_id', 'ip')
      and table_type = 'BASE TABLE' and table_schema in ('public', 'auth')`)
  const text = JSON.stringify(Object.values(queries))
  const missing = rows.filter(({ name, short }) => !leftOut[name] && !new RegExp(`\\b${short}\\b`).test(text))
  expect(missing.map(({ name }) => name)).toEqual([])
})

/** Columns that are personal and not in the data, though their table is. */
const leftOutColumns: Record<string, string> = {
  'adjustments.note': 'the author’s own words',
  'audit_log.actor': 'an admin, or the address that is in the data',
  'audit_log.bucket': 'a digest, by which events are counted together',
  'audit_log.detail': 'what the event means is said by its name',
  'audit_log.subject': 'the address that is in the data',
  'checkouts.parameters': 'what the purchase says, as Stripe was asked',
  'checkouts.invoice_url': 'on the page of the order, and in the receipt',
  'checkouts.url': 'a link that ends within a day',
  'guest_checkouts.network': 'deleted after a day',
  'mails.error': 'what the mail server answered',
  'purchase_gifts.sender_name': 'the name that is in the data, in the email that is listed',
  'shipments.first_address_digest': 'a digest of the address that is in the data',
  'users.new_email_device': 'a digest, until the change is confirmed',
  'users.new_email_pressed_by': 'a digest, until the change is confirmed',
  'users.user_metadata': 'the name, which is in the data',
}

test('each column of personal data is in the data, or is left out for a reason', () => {
  const texts = Object.values(queries).map((query) => new PgDialect().sqlToQuery(query).sql)
  const missing = [...emptied, ...changedByStep].filter((column) => {
    const { name } = getTableConfig(column.table)
    const isRead = texts.some(
      (text) => new RegExp(`\\b${name}\\b`).test(text) && new RegExp(`\\b${column.name}\\b`).test(text),
    )
    return !isRead && !leftOut[`public.${name}`] && !leftOutColumns[`${name}.${column.name}`]
  })
  expect(missing.map((column) => `${getTableConfig(column.table).name}.${column.name}`)).toEqual([])
})

test('each field of the data has a label', async () => {
  const { pool } = shop.services.database
  const me = `select gen_random_uuid() as id, '' as confirmed_email`
  for (const [name, query] of Object.entries(queries)) {
    const { sql } = new PgDialect().sqlToQuery(query)
    const { fields } = await pool.query(`select list.* from (${me}) me, lateral (${sql}) list`)
    const labels = Object.keys(ownDataTexts.fields)
    expect(labels, name).toEqual(expect.arrayContaining(fields.map((field) => field.name)))
  }
})

test('each event and state that can stand in the data has a name', () => {
  const codes = [
    ...securityEventKinds,
    ...Object.keys(mailKinds),
    ...adjustmentKinds,
    ...decisions,
    ...factorTypes,
    ...Object.keys(auditActions).filter(
      (action) => action.startsWith('users.') && action !== 'users.exported',
    ),
  ]
  expect(codes.filter((code) => !Object.hasOwn(ownDataValuesTexts, code))).toEqual([])
})
