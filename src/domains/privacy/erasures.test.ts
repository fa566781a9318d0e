// An account is erased on its day, and nothing of its user is left but what the books need.
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { someAddress } from '#test/addresses.ts'
import { changePurchase } from '#test/factories.ts'
import { saveGroup } from '#test/settings.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { eraseAgain } from './repeated-erasures.ts'
import { sweepErasures } from './erasure-sweep.ts'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable, type PgColumn } from 'drizzle-orm/pg-core'
import { changedByStep, deletedWith, deletedWithAccount, emptied, renamed } from '#tables/personal-data.ts'

const shop = await openTestShop({ clock, env: { RATE_LIMIT: 'off', ASK_ADDRESS: 'on' } })
afterAll(() => shop[Symbol.asyncDispose]())
const { services } = shop
const { pool } = services.database

const day = 86_400_000
const path = '/api/account/erasure'

type Caller = Awaited<ReturnType<typeof shop.person>>

const ask = ({ call }: Caller) => call('POST', path)
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>
const dueOf = async ({ call }: Caller) => (await bodyOf(await call('GET', path)))['due_at']

async function ship(admin: Caller, purchase_id: string): Promise<void> {
  const body = { parcels: [{ purchase_id, carrier: 'Post', tracking_number: purchase_id.slice(0, 8) }] }
  expect((await admin.call('POST', '/api/admin/shipments/shipped', { body })).status).toBe(200)
}

/** Ends access at the first sweep, erases at the next. */
async function sweepAfter(days: number): Promise<void> {
  const open = `select from pgboss.job where name like 'mail.%' and state < 'completed'`
  await expect.poll(async () => (await pool.query(open)).rowCount).toBe(0)
  time.ahead += days * day
  await sweepErasures(services)
  time.ahead += 3_600_000
  await sweepErasures(services)
}

/** Rows of any table in which the text stands, in any column. */
async function findText(text: string): Promise<Record<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'auth', 'pgboss')`)
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const { rowCount } = await pool.query(`select from ${name} t where strpos(lower(t::text), $1) > 0`, [
      text.toLowerCase(),
    ])
    if (rowCount) found[name] = rowCount
  }
  return found
}

async function sums() {
  const { rows } = await pool.query(`
    select (select sum(revenue) from sales_day) as revenue, (select sum(total_spent) from user_sums) as spent,
      (select sum(users) from user_count) as users, (select count(*) from purchases) as purchases`)
  return rows[0]
}

test('after 14 days nothing of a buyer is left but the purchases, and who paid is locked away', async () => {
  const mark = randomUUID()
  const reader = await shop.person({ display_name: `Reader ${mark}` })
  const { email, password } = reader
  const admin = await shop.person({ role: 'admin' })
  const address = { ...someAddress, name: `Name ${mark}` }
  const paper = await reader.buy((await shop.product('paperback')).id, { address })
  const digital = await reader.buy((await shop.product('digital')).id, { address })
  await reader.call('POST', `/api/purchases/${digital.id}/download`, { body: {} })
  await pool.query('update purchases set is_test = false')
  const message = {
    name: `R. ${mark}`,
    email,
    subject: 'Thanks',
    message: `Amen ${mark}`,
    website: '',
  }
  expect((await shop.call('POST', '/api/contact', { body: message })).status).toBe(201)
  const isForwarded = async () => (await shop.mailbox.all()).some(({ subject }) => subject?.includes(mark))
  await expect.poll(isForwarded).toBe(true)
  const { rows: written } = await pool.query('select id from contact_messages where email = $1', [email])
  const replyPath = `/api/admin/messages/${written[0].id}/replies/${randomUUID()}`
  const reply = { body: `Dear ${mark}` }
  expect((await admin.call('PUT', replyPath, { body: reply })).status).toBe(200)
  expect((await shop.mailbox.to(email, /^Re: Thanks/)).text).toContain(reply.body)
  await admin.call('POST', `/api/admin/users/${reader.id}/erasure-offer`)
  const offer = await shop.mailbox.to(reader.email, /Erase your account/)
  expect(offer.text).toContain('/auth?next=%2Faccount&form=sign-in')
  await ship(admin, paper.id)
  await shop.mailbox.to(reader.email, /on its way|shipped/i)

  expect((await ask(reader)).status).toBe(200)
  await shop.mailbox.to(reader.email, /account will be erased/)
  const before = await sums()
  await sweepAfter(13)
  expect(await dueOf(reader)).not.toBeNull()
  await sweepAfter(1)
  expect((await reader.call('GET', '/api/me')).status).toBe(401)
  expect(await findText(mark)).toEqual({ 'public.locked_buyers': 2 })
  expect(await findText(email)).toEqual({ 'public.locked_buyers': 2 })
  const mails = await shop.mailbox.all()
  expect(mails.filter((mail) => JSON.stringify(mail).includes(mark))).toEqual([])
  expect(mails.filter(({ to }) => to?.[0]?.address === email)).toEqual([])
  expect(await sums()).toEqual(before)

  const signIn = await shop.call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })
  expect(signIn.status).toBe(400)
  time.ahead = 0
  const order = await bodyOf(await admin.call('GET', `/api/admin/purchases/${paper.id}`))
  expect(order).toMatchObject({ display_name: 'Erased account', email: '', is_buyer_locked: true })
  const receipt = await admin.call('POST', `/api/admin/purchases/${paper.id}/receipt`)
  expect((await bodyOf(receipt))['code']).toBe('purchases.buyer_erased')
  const show = () => admin.call('POST', `/api/admin/purchases/${paper.id}/locked-buyer`, { body: {} })
  expect(await bodyOf(await show())).toMatchObject({ email, address: { name: `Name ${mark}` } })
  const { rows: log } = await pool.query(`select from audit_log where action = 'purchases.buyer_shown'`)
  expect(log).toHaveLength(1)
  for (const [method, change, body] of [
    ['PUT', 'disabled', { is_disabled: false }],
    ['PUT', 'roles/admin', {}],
    ['POST', 'data-offer', undefined],
  ] as const) {
    const refused = await admin.call(method, `/api/admin/users/${reader.id}/${change}`, { body })
    expect((await bodyOf(refused))['code']).toBe('users.erased')
  }
  // The address is free again.
  await shop.person({ email })

  await sweepAfter(12 * 366)
  expect(await findText(email)).not.toHaveProperty(['public.locked_buyers'])
})

test('emails about messages of others stay, whatever name the erased one wrote under', async () => {
  const [reader, other] = [await shop.person(), await shop.person()]
  const write = async ({ email }: Caller, name: string, subject: string) => {
    const body = { name, email, subject, message: 'Amen', website: '' }
    expect((await shop.call('POST', '/api/contact', { body })).status).toBe(201)
  }
  const [mark, ownMark] = [randomUUID(), randomUUID()]
  await write(other, 'Anna', `About a page ${mark}`)
  await write(reader, 'a', `My own ${ownMark}`)
  const listed = async (text: string) =>
    (await pool.query('select from mails where strpos(subject, $1) > 0', [text])).rowCount
  await expect.poll(() => listed(ownMark)).toBe(1)
  await ask(reader)
  await sweepAfter(14)
  expect([await listed(mark), await listed(ownMark)]).toEqual([1, 0])
  const kept = (await shop.mailbox.all()).map(({ subject }) => subject ?? '')
  expect(kept.filter((subject) => subject.includes(mark))).toHaveLength(1)
})

test('an account without purchases is gone as a whole', async () => {
  const reader = await shop.person()
  await ask(reader)
  await sweepAfter(14)
  expect(await findText(reader.email)).toEqual({})
  const { rows } = await pool.query('select from profiles where user_id = $1', [reader.id])
  expect(rows).toEqual([])
})

test('free copies of the erased count as free, and name nobody', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const readers = [await shop.person(), await shop.person()]
  const body = {
    product_id,
    list: readers.map(({ email }) => `${email}, Ruth of Moab`).join('\n'),
    message: 'For Ruth of Moab',
  }
  await admin.call('POST', '/api/admin/gifts', { body })
  for (const reader of readers) await ask(reader)
  await sweepAfter(14)
  for (const reader of readers) expect(await findText(reader.email)).toEqual({})
  expect(await findText('Ruth of Moab')).toEqual({})
  // The first one's session has ended by now.
  const later = await shop.person({ role: 'admin' })
  const product = await bodyOf(await later.call('GET', `/api/admin/products/${product_id}`))
  expect(product).toMatchObject({ free: 2 })
})

test('what the same address began to buy without the account, and never paid, has no address either', async () => {
  const reader = await shop.person()
  const { rows } = await pool.query<{ id: string }>(
    `insert into purchases (id, product_id, amount, status) select gen_random_uuid(), id, 5, 'canceled'
     from products where format = 'digital' limit 1 returning id`,
  )
  await pool.query('insert into guest_checkouts (purchase_id, email) values ($1, $2)', [
    rows[0]!.id,
    reader.email,
  ])
  await ask(reader)
  await sweepAfter(14)
  expect(await findText(reader.email)).toEqual({})
})

test('the mind can be changed until the day; asking twice does not move it', async () => {
  const reader = await shop.person()
  await ask(reader)
  const due = await dueOf(reader)
  time.ahead = day / 24 / 6
  await ask(reader)
  expect(await dueOf(reader)).toBe(due)
  expect((await reader.call('DELETE', path)).status).toBe(200)
  await shop.mailbox.to(reader.email, /account stays/)
  await reader.call('DELETE', path)
  await sweepAfter(15)
  time.ahead = 0
  expect((await reader.call('GET', '/api/me')).status).toBe(200)
  const mails = (await shop.mailbox.all()).filter(({ to }) => to?.[0]?.address === reader.email)
  const subjects = mails.map(({ subject }) => subject)
  expect(new Set(subjects)).toEqual(new Set(['Your account will be erased', 'Your account stays']))
  expect(subjects).toHaveLength(2)
})

test('it takes a recent proof, and no admin is erased, nor who became one meanwhile', async () => {
  const [reader, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  expect((await bodyOf(await ask(admin)))['code']).toBe('erasures.of_admin')
  expect((await shop.call('POST', path)).status).toBe(401)
  const offer = await admin.call('POST', `/api/admin/users/${admin.id}/erasure-offer`)
  expect((await bodyOf(offer))['code']).toBe('users.offer_to_admin')
  time.ahead = 10 * 60_000
  expect((await bodyOf(await ask(reader)))['code']).toBe('auth.reauthentication_needed')
  time.ahead = 0
  await ask(reader)
  const granted = await admin.call('PUT', `/api/admin/users/${reader.id}/roles/admin`, { body: {} })
  expect(granted.status).toBe(200)
  expect(await dueOf(reader)).toBeNull()
  await sweepAfter(15)
  time.ahead = 0
  expect((await reader.call('GET', '/api/me')).status).toBe(200)
})

test('an order that is under way is finished first', async () => {
  const [reader, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const { id } = await reader.buy((await shop.product('paperback')).id, { address: someAddress })
  await changePurchase(services.db, id, { is_test: false })
  expect(await bodyOf(await ask(reader))).toMatchObject({ has_open_orders: true })
  await sweepAfter(15)
  time.ahead = 0
  expect((await reader.call('GET', '/api/me')).status).toBe(200)
  await ship(admin, id)
  await sweepAfter(15)
  expect(await findText(reader.email)).toEqual({ 'public.locked_buyers': 1 })
})

test('what a backup from before has again is erased by the hashes, which tell nothing', async () => {
  const reader = await shop.person({ display_name: 'Naomi of Bethlehem' })
  const { id } = await reader.buy((await shop.product('digital')).id)
  await changePurchase(services.db, id, { is_test: false })
  const { rows: row } = await pool.query('select * from profiles where user_id = $1', [reader.id])
  await ask(reader)
  await sweepAfter(14)
  const file = await readFile(join(services.config.dataDir, 'erased-ids.txt'), 'utf8')
  expect(file).not.toContain(reader.id)
  const hashes = file.trim().split('\n')
  expect(hashes.every((hash) => /^[\da-f]{64}$/.test(hash))).toBe(true)

  // As a backup has it.
  const { email, display_name } = row[0]
  await pool.query('delete from erased_ids')
  await pool.query('update profiles set email = $2, display_name = $3 where user_id = $1', [
    reader.id,
    email,
    display_name,
  ])
  await pool.query('update auth.users set email = $2 where id = $1', [reader.id, email])
  expect(await eraseAgain(services.db, hashes, clock())).toBe(1)
  expect(await findText('Naomi of Bethlehem')).toEqual({ 'public.locked_buyers': 1 })
  expect(await eraseAgain(services.db, hashes, clock())).toBe(0)
  const { rows } = await pool.query('select status from purchases where id = $1', [id])
  expect(rows).toHaveLength(1)
})

test('what an admin of before did stays after the erasure, without the address', async () => {
  const [admin, other] = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })]
  expect(await saveGroup(admin, { revision: 0, values: { countries: ['DE'] } }, 'shipping')).toEqual({
    status: 200,
  })
  await pool.query(`insert into backup_runs (id, kind, started_by) values ($1, 'backup', $2)`, [
    randomUUID(),
    admin.email,
  ])
  const { rows } = await pool.query('select changed_by from settings where changed_by = $1', [admin.email])
  expect(rows).toHaveLength(1)
  await other.call('DELETE', `/api/admin/users/${admin.id}/roles/admin`)
  const { email, password } = admin
  const session = await shop.call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })
  const { access_token: token } = (await session.json()) as { access_token: string }
  expect((await shop.call('POST', path, { token })).status).toBe(200)
  await sweepAfter(14)
  // Emails to the other admins tell who became one, or ceased to be, for as long as emails are kept.
  const found = Object.keys(await findText(email)).filter((name) => !/^(public\.mails|pgboss\.)/.test(name))
  expect(found).toEqual([])
  const { rows: changed } = await pool.query(`select changed_by from settings where name = 'shipping'`)
  expect(changed).toEqual([{ changed_by: 'Erased account' }])
})

/** Tables and columns of texts that hold nothing of a person who is not an admin at work, but for what an erasure keeps. */
const impersonal = new Set([
  'auth.mfa_challenges', // go with the sessions
  'auth.passkeys', // go with the factors
  'auth.pending_sign_ups', // of accounts that are not confirmed, for a day
  'auth.recovery_codes', // go with the factors
  'auth.secret_fingerprint',
  'auth.setting_secrets',
  'auth.signing_keys',
  'adjustments.external_id',
  'audit_log.action',
  'audit_log.subject_id',
  'backup_runs',
  'backup_states',
  'book_draft',
  'book_setup',
  'book_versions',
  'checkout_searches',
  'checkouts.dispute_status',
  'checkouts.held_reason',
  'checkouts.paid_currency',
  'checkouts.payment_intent',
  'checkouts.presented_currency',
  'checkouts.session_id',
  'consents', // the text is the shop’s
  'discount_codes',
  'downloads.file_path',
  'erased_ids',
  'excerpt_file',
  'failed_refunds', // words of Stripe about money
  'locked_buyers', // what tax laws want, until its day
  'mails.kind',
  'message_replies', // go with the messages
  'payment_events', // ids of Stripe, for 90 days
  'payment_faults',
  'pictures',
  'product_files',
  'product_prices',
  'products',
  'purchases', // stay for the books
  'rate_limits', // for a day, and what is known of the mailbox is deleted
  'refund_requests.problem', // words of Stripe about money
  'reply_snippets',
  'sales_day_by_country',
  'settings',
  'shipping_charges', // a country, which taxes depend on
  'sums_settings',
  'unsettled_files',
  'withdrawals.refusal', // the author’s
])

test('each column of texts is in the list of personal data, or holds none', async () => {
  const files = (await readdir(new URL('../../tables/', import.meta.url))).filter((name) =>
    name.endsWith('.ts'),
  )
  const modules: object[] = await Promise.all(
    files.map((name) => import(`../../tables/${name.replace(/\.ts$/, '')}.ts`)),
  )
  const tables = modules.flatMap((module) => Object.values(module)).filter((each) => is(each, PgTable))
  expect(tables.length).toBeGreaterThan(60)
  const whole = new Set<PgTable>([...deletedWithAccount, ...deletedWith.map(({ table }) => table)])
  const marked = new Set<PgColumn>([...emptied, ...renamed, ...changedByStep])
  const unnamed = tables.flatMap((table) => {
    const { schema, name } = getTableConfig(table)
    const full = schema ? `${schema}.${name}` : name
    if (whole.has(table) || impersonal.has(full)) return []
    return getTableConfig(table)
      .columns.filter(
        (column) => /^(text|jsonb|bytea)/.test(column.getSQLType()) && !column.enumValues?.length,
      )
      .filter((column) => !marked.has(column) && !impersonal.has(`${full}.${column.name}`))
      .map((column) => `${full}.${column.name}`)
  })
  expect(unnamed).toEqual([])
})
