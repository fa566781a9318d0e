// Lists as CSV: whole, safe to open, and only for admins.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { loseAdmins } from '#test/changes.ts'
import { changePurchase, giveCheckout, giveProfiles, givePurchases, giveRefund } from '#test/factories.ts'
import { discount_codes } from '#tables/orders.ts'
import { someAddress } from '#test/addresses.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { sweepErasures } from '#domains/privacy/erasure-sweep.ts'
import type { Person } from '#test/users.ts'

async function fetchList(shop: TestShop, admin: Person, body: Record<string, string>) {
  const { url } = (await (await admin.call('POST', '/api/admin/exports', { body })).json()) as { url: string }
  const response = await shop.call('GET', url)
  // A response's own text() leaves the mark at the beginning away.
  const text = Buffer.from(await response.arrayBuffer()).toString()
  return { url, response, text, lines: text.slice(1).trimEnd().split('\r\n') }
}

const parcel =
  'parcel_name,parcel_line1,parcel_line2,parcel_postal_code,parcel_city,parcel_state,parcel_country'

test('every purchase is in the file, in the shop’s own time, with what is left of its amount', async () => {
  await using shop = await openTestShop({
    env: { RATE_LIMIT: 'off', TIME_ZONE: 'America/New_York' },
    hasWorkers: false,
  })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const buyer = await shop.person({ email: 'ruth@example.com', display_name: '=HYPERLINK("http://x")' })
  const { id } = await buyer.buy((await shop.product('digital')).id)
  await giveRefund(db, id, 4.99)
  const created_at = new Date('2026-07-01T02:03:04Z')
  await changePurchase(db, id, { created_at, status: 'partially_refunded' })
  const { response, text, lines } = await fetchList(shop, admin, { list: 'purchases' })
  expect(response.headers.get('content-disposition')).toContain('.csv')
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(lines).toEqual([
    `id,number,date,email,name,product,format,status,amount,refunded,kept,currency,shipping,kind,country,code,tax,${parcel}`,
    `${id},1001,2026-06-30T22:03:04-04:00,ruth@example.com,"'=HYPERLINK(""http://x"")",Nine P's that Change Everything,digital,partially_refunded,14.99,4.99,10.00,USD,,test,,,,,,,,,,`,
  ])
  const narrowed = await fetchList(shop, admin, { list: 'purchases', from: '2026-07-01' })
  expect(narrowed.lines).toHaveLength(1)
  for (const to of ['2026-06-30', '2026-06-29']) {
    const { lines: until } = await fetchList(shop, admin, { list: 'purchases', from: '2026-06-01', to })
    expect(until).toHaveLength(to === '2026-06-30' ? 2 : 1)
  }
  const pending = await fetchList(shop, admin, { list: 'purchases', status: 'pending' })
  expect(pending.lines).toHaveLength(1)
})

test('a sale, a free copy, a gift and a test are told apart, with country and code', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const product_id = (await shop.product('digital')).id
  const code_id = randomUUID()
  await db.insert(discount_codes).values({ id: code_id, code: 'ADVENT', percent: 20 })
  const made = [
    { amount: 1499n, country: 'DE', code_id },
    { amount: 0n },
    { amount: 0n, gift_of: randomUUID() },
    { amount: 1499n, is_test: true },
  ]
  await givePurchases(db, made.length, (n) => ({ user_id: admin.id, product_id, ...made[n - 1]! }))
  const { lines } = await fetchList(shop, admin, { list: 'purchases' })
  const ends = lines.slice(1).map((line) => line.split(',').slice(13, 16).join())
  expect(ends.toSorted()).toEqual(['free,,', 'gift,,', 'sale,DE,ADVENT', 'test,,'])
})

test('a buyer without a name has that of the parcel', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin', display_name: '' })
  await shop.services.database.pool.query('update profiles set display_name = null')
  await admin.buy((await shop.product('paperback')).id, { address: { ...someAddress, name: 'Ruth Field' } })
  const { lines } = await fetchList(shop, admin, { list: 'purchases' })
  expect(lines[1]).toContain(`,${admin.email},Ruth Field,`)
})

test('a purchase has its tax and where its parcel goes, and nothing of who has erased the account', async () => {
  await using shop = await openTestShop({ hasWorkers: false, clock })
  const admin = await shop.person({ role: 'admin' })
  const [buyer, erased] = [await shop.person(), await shop.person()]
  const { id: product_id } = await shop.product('paperback')
  for (const person of [buyer, erased]) {
    const { id } = await person.buy(product_id, { address: { ...someAddress, name: person.email } })
    await giveCheckout(shop.services.db, { purchase_id: id, tax: 112n })
    const parcels = [{ purchase_id: id, carrier: '', tracking_number: '' }]
    await admin.call('POST', '/api/admin/shipments/shipped', { body: { parcels } })
  }
  expect((await erased.call('POST', '/api/account/erasure')).status).toBe(200)
  // Access ends at the first sweep; the next one erases.
  for (const days of [15, 16]) {
    time.ahead = days * dayMs
    await sweepErasures(shop.services)
  }
  time.ahead = 0
  const { text, lines } = await fetchList(shop, admin, { list: 'purchases' })
  const columns = lines[0]!.split(',')
  expect(columns.slice(-8).join()).toBe(`tax,${parcel}`)
  const { line1, line2, postal_code, city, state, country } = someAddress
  expect(lines[1]).toContain(['1.12', buyer.email, line1, line2, postal_code, city, state, country].join())
  expect(lines[2]!.split(',').slice(-8)).toEqual(['1.12', '', '', '', '', '', '', ''])
  expect(text).not.toContain(erased.email)
})

test('with semicolons, amounts have the decimal comma, and what people wrote stays one field in either program', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const buyer = await shop.person({ email: 'ruth@example.com', display_name: 'Berger, Ruth; née,=1+1' })
  await buyer.buy((await shop.product('digital')).id)
  const { lines } = await fetchList(shop, admin, { list: 'purchases', separator: 'semicolon' })
  expect(lines[0]).toContain('id;number;date;email;name;product;format;status;amount;')
  expect(lines[1]).toContain(`;"Berger, Ruth; née,'=1+1";Nine P's that Change Everything;`)
  expect(lines[1]).toContain(';14,99;0,00;14,99;USD;')
  const users = await fetchList(shop, admin, { list: 'users', separator: 'semicolon' })
  expect(users.lines.at(-1)).toContain(';1;14,99;')
  const today = new Date().toISOString().slice(0, 10)
  const report = { list: 'sales', table: 'formats', from: '2026-01-01', to: today, by: 'month' }
  const sales = await fetchList(shop, admin, { ...report, separator: 'semicolon' })
  expect(sales.lines).toEqual(['format;sold;free;refunded;revenue;currency', 'digital;1;0;0,00;14,99;USD'])
  const { rows } = await shop.services.database.pool.query(
    `select subject from audit_log where action = 'purchases.exported'`,
  )
  expect(rows).toEqual([{ subject: 'all purchases' }])
})

test('more rows than a batch are all there, once each', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const created_at = new Date(Date.now() - hourMs)
  await giveProfiles(shop.services.db, 4_500, () => ({ created_at }))
  const { lines } = await fetchList(shop, admin, { list: 'users' })
  expect(lines).toHaveLength(4502)
  expect(new Set(lines).size).toBe(4502)
  expect(lines.at(-1)).toContain(`${admin.email},Test User,admin,0,0.00,`)
})

test('a narrowed list is narrowed in the file too, and says so in its name and in the log', async () => {
  const clock = () => new Date('2026-03-01T12:00Z')
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false, clock })
  const { db, database } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const ruth = await shop.person({ email: 'ruth@moab.example', display_name: 'Ruth' })
  const digital = await ruth.buy((await shop.product('digital')).id)
  const paperback = await ruth.buy((await shop.product('paperback')).id)
  const other = await admin.buy((await shop.product('digital')).id)
  await changePurchase(db, paperback.id, { status: 'pending' })
  const names: string[] = []
  const ids = async (narrowing: Record<string, string>) => {
    const { response, lines } = await fetchList(shop, admin, { list: 'purchases', ...narrowing })
    names.push(/filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '')
    return lines.slice(1).map((line) => line.split(',')[0])
  }
  expect(await ids({ q: 'moab' })).toEqual([digital.id, paperback.id])
  expect(await ids({ q: 'Change' })).toEqual([digital.id, paperback.id, other.id])
  expect(await ids({ q: paperback.id })).toEqual([paperback.id])
  expect(await ids({ q: 'moab', format: 'digital' })).toEqual([digital.id])
  expect(await ids({ status: 'pending' })).toEqual([paperback.id])
  expect(await ids({ user_id: admin.id })).toEqual([other.id])
  expect(await ids({ q: '#nobody/at:all' })).toEqual([])
  expect(await ids({ from: '2026-01-01', to: '2026-01-31', format: 'digital' })).toEqual([])
  expect(await ids({ from: '2026-02-01', q: 'nobody' })).toEqual([])
  expect(await ids({ to: '2026-01-31', status: 'partially_refunded' })).toEqual([])
  expect(await ids({ q: '##' })).toEqual([])
  const long = '\u{20BB7}'.repeat(41)
  expect(await ids({ q: `a${long}` })).toEqual([])
  expect(names).toEqual([
    'purchases with moab 2026-03-01.csv',
    'purchases with Change 2026-03-01.csv',
    `purchases with ${paperback.id} 2026-03-01.csv`,
    'digital purchases with moab 2026-03-01.csv',
    'pending purchases 2026-03-01.csv',
    'purchases of one reader 2026-03-01.csv',
    'purchases with nobody at all 2026-03-01.csv',
    'digital purchases 2026-01-01 to 2026-01-31.csv',
    'purchases with nobody 2026-02-01 to 2026-03-01.csv',
    'partially refunded purchases until 2026-01-31.csv',
    'purchases 2026-03-01.csv',
    `purchases with a${'?'.repeat(78)} 2026-03-01.csv`,
  ])

  const users = await fetchList(shop, admin, { list: 'users', q: 'RUTH' })
  expect(users.response.headers.get('content-disposition')).toContain('"users with RUTH 2')
  expect(users.lines.slice(1).map((line) => line.split(',')[0])).toEqual([ruth.id])
  const { rows } = await database.pool.query(
    `select subject, detail from audit_log where action = 'users.exported'`,
  )
  expect(rows).toEqual([{ subject: 'some users', detail: { search: 'RUTH' } }])
})

test('a search that many fit is in the file whole, batch after batch', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const users = await giveProfiles(db, 2_500, (n) => ({ email: `many${n}@example.com` }))
  const now = Date.now()
  // Three at the same moment: the id decides between them.
  await givePurchases(db, users.length, (n) => ({
    user_id: users[n - 1]!,
    product_id,
    created_at: new Date(now - Math.floor(n / 3) * 60_000),
  }))
  for (const list of ['purchases', 'users']) {
    const { lines } = await fetchList(shop, admin, { list, q: 'MANY' })
    expect([list, lines.length, new Set(lines).size]).toEqual([list, 2501, 2501])
  }
})

test('a table of the report is in the file as the screen shows it', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { db, database } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { id } = await admin.buy((await shop.product('digital')).id)
  await changePurchase(db, id, { created_at: new Date('2026-03-01T12:00Z'), country: 'DE' })
  await giveRefund(db, id, 5)
  const { rows } = await database.pool.query('select shop_day(now())::text as today')
  const code_id = randomUUID()
  await database.pool.query(`insert into discount_codes (id, code, percent) values ($1, '=1+1', 10)`, [
    code_id,
  ])
  await changePurchase(db, id, { code_id })
  await database.pool.query('insert into discount_uses (purchase_id, code_id, discount) values ($1, $2, 1)', [
    id,
    code_id,
  ])
  const range = { list: 'sales', from: '2026-03-01', to: '2026-03-02', by: 'day' }
  const { response, lines } = await fetchList(shop, admin, { ...range, table: 'steps' })
  expect(response.headers.get('content-disposition')).toContain('"sales by day 2026-03-01 to 2026-03-02.csv"')
  expect(lines).toEqual([
    'day,begun,paid,sold,free,refunded,revenue,before,currency',
    '2026-03-02,0,0,0,0,0.00,0.00,0.00,USD',
    '2026-03-01,1,1,1,0,0.00,14.99,0.00,USD',
  ])
  const countries = await fetchList(shop, admin, { ...range, table: 'countries' })
  expect(countries.lines).toEqual(['country,sold,free,revenue,currency', 'DE,1,0,14.99,USD'])
  const codes = await fetchList(shop, admin, { ...range, table: 'codes', to: rows[0].today })
  expect(codes.lines.slice(1)).toEqual(["'=1+1,1,0,9.99,USD"])
  const today = await fetchList(shop, admin, {
    ...range,
    table: 'formats',
    from: rows[0].today,
    to: rows[0].today,
  })
  expect(today.lines).toEqual(['format,sold,free,refunded,revenue,currency', 'digital,0,0,5.00,-5.00,USD'])
})

test('what people wrote stays one field, and no spreadsheet calculates it', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const fields = {
    'plain – ¡é': 'plain – ¡é',
    'a, b': '"a, b"',
    'the "best"': '"the ""best"""',
    'two\nlines': '"two\nlines"',
    '=1+1': "'=1+1",
    '+1': "'+1",
    '-1': "'-1",
    '@SUM(A1)': "'@SUM(A1)",
    '\t=1': `"\t'=1"`,
    'x;=1': `"x;'=1"`,
    'x; =1;y': `"x;' =1;y"`,
    'x\t@1': `"x\t'@1"`,
    'x\n-1': `"x\n'-1"`,
    '＝1+1': "'＝1+1",
    '＠SUM(A1)': "'＠SUM(A1)",
    'Anne-Marie; née X': '"Anne-Marie; née X"',
    '\r=1': `"\r'=1"`,
    '\ttext': `"'\ttext"`,
    '=A1,"x"': `"'=A1,""x"""`,
    'C:\\new': 'C:\\new',
  }
  const names = Object.keys(fields)
  await giveProfiles(shop.services.db, names.length, (n) => ({
    email: 'a@example.com',
    display_name: names[n - 1],
  }))
  const { text } = await fetchList(shop, admin, { list: 'users' })
  for (const field of Object.values(fields))
    expect(text).toContain(`,a@example.com,${field},user,0,0.00,\r\n`)
})

test('a link that is forged, old, or of one who is no admin any more gives nothing', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const admin = await shop.person({ role: 'admin' })
  const { url } = await fetchList(shop, admin, { list: 'users' })
  expect((await shop.call('GET', `${url}x`)).status).toBe(404)
  now = new Date(now.getTime() + 10 * 60_000)
  expect((await shop.call('GET', url)).status).toBe(410)
  for (const list of ['users', 'purchases']) {
    const refused = await admin.call('POST', '/api/admin/exports', { body: { list } })
    expect(await refused.json()).toMatchObject({ code: 'auth.reauthentication_needed' })
  }
  const range = { from: '2026-03-01', to: '2026-03-02', by: 'day' }
  const again = await fetchList(shop, admin, { list: 'sales', table: 'formats', ...range })
  await loseAdmins(shop.services.db)
  expect((await shop.call('GET', again.url)).status).toBe(403)
})

test('no more is read than is taken, and nothing once the user has gone', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const admin = await shop.person({ role: 'admin' })
  // Far more than what fits between the two: twenty batches of five megabytes.
  await pool.query('drop index profiles_searchable')
  await giveProfiles(shop.services.db, 20_000)
  await pool.query(`update profiles set display_name = repeat('x', 5000)`)
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'users' } })
  const { url } = (await asked.json()) as { url: string }
  let batches = 0
  pool.on('acquire', () => (batches += 1))
  const reader = (await shop.call('GET', url)).body!.getReader()
  await reader.read()
  const standing = await settled(() => batches)
  expect(standing).toBeLessThan(10)
  await reader.cancel()
  expect(await settled(() => batches)).toBeLessThanOrEqual(standing + 1)
})

/** A count, once it has stood still for a while. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; before !== count();) {
    before = count()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
  return count()
}
