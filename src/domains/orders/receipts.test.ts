// Rules of the mail that confirms a purchase.
import { expect, test } from 'vitest'
import type { Receipt } from '#contract/orders/receipts.ts'
import { changeJobs } from '#test/changes.ts'
import { changePurchase, giveCheckout } from '#test/factories.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { retryNow } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { buyAsGuest, newVisitor, openGuestShop, settleAsGuest } from '#test/guests.ts'
import { filledBlanks, filledLegal, publishLegal } from '#test/legal.ts'
import { someAddress } from '#test/addresses.ts'
import { sessionOf } from '#test/paying.ts'
import { saveGroup } from '#test/settings.ts'
import { dayMs } from '#contract/durations.ts'
import { formatDay } from '#contract/intl.ts'
import { linkDays } from '#contract/orders/prices.ts'
import { receiptJob } from './receipts.ts'

/** What became of each mail, oldest first. */
async function mailsOf({ services }: TestShop) {
  const { rows } = await services.database.pool.query<{
    status: string
    attempts: number
    error: string | null
  }>(
    'select kind, recipient, purchase_id, status, attempts, error, sent_at is not null as is_sent from mails order by created_at',
  )
  return rows
}

/** Once a job waits for its next try, it need not wait any longer. */
const skipBackoff = (shop: TestShop) => expect.poll(() => retryNow(shop)).toBe(1)

const giveBack =
  'Give this one back before you download it: open your purchase and press “Withdraw from contract here”.'

test('the receipt of a book that the buyer has already names the order, until that one is given back', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const receiptOf = async () => {
    const { id } = await user.buy(product_id)
    const numbers = await shop.services.database.pool.query<{ number: number }>(
      'select number from purchases where id = $1',
      [id],
    )
    const find = async () => (await shop.mailbox.all()).find(({ text = '' }) => text.includes(id))
    await expect.poll(find).toBeDefined()
    return { id, number: numbers.rows[0]!.number, text: (await find())?.text ?? '' }
  }
  const [first, second] = [await receiptOf(), await receiptOf()]
  expect(first.text).not.toMatch(/You have had this book|Give this one back/)
  expect(second.text).toContain(`You have had this book since order #${first.number}.`)
  // What was free goes nowhere back.
  expect(second.text).not.toContain('Give this one back')

  const { db, queue } = shop.services
  await giveCheckout(db, { purchase_id: second.id, payment_intent: 'pi_1' })
  await queue.enqueue(db, receiptJob, { purchase_id: second.id })
  await expect
    .poll(async () => (await shop.mailbox.all()).some(({ text = '' }) => text.includes(giveBack)))
    .toBe(true)
  for (const { id } of [first, second])
    await shop.services.database.pool.query(`update purchases set status = 'refunded' where id = $1`, [id])
  expect((await receiptOf()).text).not.toContain('You have had this book')
})

test('a receipt says what was bought, by whom and for how much, in HTML and in plain words', async () => {
  const env = { ADMIN_EMAIL: 'author@books.example', TIME_ZONE: 'Pacific/Kiritimati' }
  await using shop = await openTestShop({ env })
  const user = await shop.person({ display_name: 'Zoë <b>O’Neil</b>' })
  const digital = await shop.product('digital')
  const { id } = await user.buy(digital.id)
  await shop.mailbox.to(user.email)
  const { queue, db } = shop.services
  // Its days are those of the shop's time zone.
  await changePurchase(db, id, { created_at: new Date('2026-11-05T23:30:00Z') })
  await queue.enqueue(db, receiptJob, { purchase_id: id })
  const find = async () => (await shop.mailbox.all()).find(({ text }) => text?.includes('November 6, 2026'))
  await expect.poll(find).toBeDefined()

  const mail = (await find())!
  expect(mail).toMatchObject({
    from: { address: 'author@books.example' },
    to: [{ address: user.email }],
    replyTo: [{ address: 'author@books.example' }],
    subject: `Your receipt for ${digital.name}`,
  })
  expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@127\.0\.0\.1>$/)
  for (const part of [mail.html!.replaceAll('&#39;', "'"), mail.text!]) {
    for (const words of [digital.name, 'Digital', '$14.99', id, `${shop.url}/dashboard`, 'within 30 days']) {
      expect(part).toContain(words)
    }
  }
  // The button by which it is asked for has another name after the download.
  expect(mail.text).toContain(
    `ask for a refund within 30 days of November 6, 2026, where you see your purchase or by`,
  )
  expect(mail.text).toContain('Dear Zoë <b>O’Neil</b>,')
  expect(mail.html).toContain('Dear Zoë &lt;b&gt;O’Neil&lt;/b&gt;,')
  expect(mail.html).toContain('prefers-color-scheme: dark')
  const links = [...mail.html!.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link!)
  expect(links.length).toBeGreaterThan(1)
  for (const link of links) expect(link.startsWith(shop.url)).toBe(true)
})

test('a receipt names who sells, once the author has said it, and the mail leads to the terms', async () => {
  await using shop = await openTestShop()
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const { id } = await user.buy((await shop.product('digital')).id)
  const before = await shop.mailbox.to(user.email)
  expect(before.text).not.toContain('Sold by')
  expect(before.text).not.toContain('/terms')
  const sellerOn = async (): Promise<unknown> =>
    (await (await user.call('GET', `/api/purchases/${id}/receipt`)).json()).seller
  expect(await sellerOn()).toEqual({ name: '', address: '', email: '' })

  const address = `${filledBlanks.seller}\n1 Some Street\n12345 Town`
  await publishLegal(admin, filledLegal({ blanks: { ...filledBlanks, address } }))
  const { seller: name, email } = filledBlanks
  expect(await sellerOn()).toEqual({ name, address: '1 Some Street\n12345 Town', email })
  const later = await shop.person()
  await later.buy((await shop.product('digital')).id)
  const { text } = await shop.mailbox.to(later.email)
  expect(text).toContain(`Sold by\n${name}\n1 Some Street\n12345 Town\n${email}`)
  expect(text).toContain(`Terms ${shop.url}/terms`)
})

test('a printed book is said to come by post, and without an author’s address the shop’s own takes the response', async () => {
  await using shop = await openTestShop({ env: { MAIL_FROM: 'The Book <shop@books.example>' } })
  const [user, twice] = [await shop.person(), await shop.person()]
  await user.buy((await shop.product('paperback')).id)
  await twice.buy((await shop.product('bundle')).id)
  const printed = await shop.mailbox.to(user.email)
  expect(printed.replyTo).toMatchObject([{ address: 'shop@books.example' }])
  expect(printed.text).toContain('We will process your order shortly')
  expect(printed.text).not.toContain('press Download')
  const bundle = await shop.mailbox.to(twice.email)
  expect(bundle.text).toContain('We will process your order shortly')
  expect(bundle.text).toContain('press Download')
})

test('a receipt of an own book says how long its link works, who posts what to whom and when, and names the book once', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const values = { delivery_days_min: 3, delivery_days_max: 5 }
  expect(await saveGroup(admin, { revision: 0, values }, 'shipping')).toEqual({ status: 200 })
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor, { format: 'bundle' })
  const { name, phone, ...place } = someAddress
  stripe.pay(sessionOf(stripe, id).id, { ships_to: { name, address: place, phone } })
  await settleAsGuest(shop, id, visitor.proof)

  const { text = '', html = '' } = await shop.mailbox.to(visitor.email, /receipt/)
  const until = formatDay(new Date(Date.now() + linkDays * dayMs).toISOString())
  expect(text).toContain(`Dear ${name},`)
  expect(text).toContain(
    `The link in this email opens your book on any device until ${until}. After that, sign in`,
  )
  expect(text).toContain(
    `The Author will post the printed part to ${name}, ${place.city}. Delivered in 3\u2060–\u20605 working days.`,
  )
  for (const words of ['process your order', 'Format', 'Open your dashboard'])
    expect(text).not.toContain(words)
  expect(text).toContain("Bundle\nNine P's that Change Everything\n")
  expect(html).toMatch(/class="ink sum" style="[^"]*font-weight:700/)
})

test('a mail server that refuses undoes no purchase: the failure is kept, and the mail goes out when it is back', async () => {
  await using server = await openSmtpServer('refuses for now')
  await using shop = await openTestShop({ env: { SMTP_URL: server.url } })
  const user = await shop.person()
  const { id: purchase_id } = await user.buy((await shop.product('digital')).id)

  const about = { kind: 'receipt', recipient: user.email, purchase_id }
  const failed = { ...about, status: 'failed', is_sent: false, error: expect.stringContaining('451') }
  await expect.poll(() => mailsOf(shop)).toEqual([{ ...failed, attempts: 1 }])
  expect(await (await user.call('GET', '/api/purchases')).json()).toMatchObject({
    items: [{ id: purchase_id }],
  })
  await skipBackoff(shop)
  await expect.poll(() => mailsOf(shop)).toEqual([{ ...failed, attempts: 2 }])

  server.behavior = 'takes mails'
  await skipBackoff(shop)
  const sent = { ...about, status: 'sent', attempts: 3, error: null, is_sent: true }
  await expect.poll(() => mailsOf(shop)).toEqual([sent])
  expect(server.emails).toHaveLength(3)
  expect(new Set(server.emails.map(({ email }) => email.messageId)).size).toBe(1)
})

test('a mail that failed to the last is given up and still known', async () => {
  await using server = await openSmtpServer('refuses for good')
  await using shop = await openTestShop({ env: { SMTP_URL: server.url } })
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('digital')).id)
  const { pool } = shop.services.database
  const job = async () =>
    (
      await pool.query(
        `select state, retry_count, start_after > now() as is_later from pgboss.job
      where data->>'purchase_id' = $1`,
        [id],
      )
    ).rows
  await expect.poll(job).toEqual([{ state: 'retry', retry_count: 0, is_later: true }])

  await changeJobs({ pool }, { retry_count: 23 })
  await skipBackoff(shop)
  await expect.poll(job).toMatchObject([{ state: 'failed', retry_count: 24 }])
  expect(await mailsOf(shop)).toMatchObject([{ status: 'failed', attempts: 25 }])
})

test('a purchase that is undone, even at its very end, leaves no row and no mail', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  const { db, database, queue } = shop.services
  const { id: product_id } = await shop.product('digital')
  await database.pool.query(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end';
    create constraint trigger at_the_end after insert on purchases deferrable initially deferred
      for each row execute function refuse()`)
  const response = await user.call('POST', '/api/purchases', { body: { product_id } })
  expect(await response.json()).toMatchObject({ status: 500, code: 'server.bug' })

  const undone = db.transaction(async (tx) => {
    await queue.enqueue(tx, receiptJob, { purchase_id: crypto.randomUUID() })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')

  const count = `select (select count(*) from purchases) + (select count(*) from pgboss.job) as n`
  expect((await database.pool.query(count)).rows).toEqual([{ n: 0 }])
})

test('a receipt for a purchase that does not exist is not sent', async () => {
  await using shop = await openTestShop()
  const { db, database, queue } = shop.services
  await queue.enqueue(db, receiptJob, { purchase_id: crypto.randomUUID() })
  await expect
    .poll(async () => (await database.pool.query(`select state from pgboss.job`)).rows)
    .toEqual([{ state: 'completed' }])
  expect(await shop.mailbox.all()).toEqual([])
})

test('a receipt says how the sum came about, where the book goes, what went back, and is its buyer’s alone', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, STRIPE_INVOICES: 'on', RATE_LIMIT: 'off' } })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  await shop.services.database.pool.query('update profiles set display_name = null')
  const { id: product_id, name } = await shop.product('hardcover')
  const made = await user.call('POST', '/api/purchases', { body: { product_id } })
  const { id } = (await made.json()) as { id: string }
  const read = async () => (await user.call('GET', `/api/purchases/${id}/receipt`)).json()
  expect(await read()).toMatchObject({ status: 409, code: 'purchases.not_paid' })

  const [session] = stripe.sessions.values()
  stripe.pay(session!.id, { discount: 300, tax: 187 })
  const address = {
    line1: '12 Barley Field',
    line2: null,
    city: 'Bethlehem',
    state: 'PA',
    postal_code: '18015',
  }
  Object.assign(session!, {
    collected_information: {
      shipping_details: { name: 'Ruth Moabite', address: { ...address, country: 'US' } },
    },
  })
  await user.call('POST', `/api/purchases/${id}/settle`)
  const order = await admin.call('GET', `/api/admin/purchases/${id}`)
  expect(await order.json()).toMatchObject({ discount: 3, tax: 1.87 })
  expect(await read()).toEqual({
    id,
    seller: { name: '', address: '', email: '' },
    refund_days: 30,
    promised_from: null,
    consent: null,
    currency: 'usd',
    number: 1001,
    status: 'completed',
    created_at: expect.any(String),
    time_zone: 'UTC',
    buyer: { email: user.email, display_name: 'Ruth Moabite' },
    product: { name, format: 'hardcover', is_digital: false, release: null },
    price: 39.99,
    discount: 3,
    shipping: 0,
    shipping_country: null,
    tax: 1.87,
    is_tax_included: false,
    total: 38.86,
    adjustments: [],
    kept: 38.86,
    sold_by: 'author',
    presented: null,
    refund_right: 'promise',
    ships: true,
    shipping_address: { ...address, name: 'Ruth Moabite', line2: '', country: 'US', phone: '' },
    invoice_url: expect.stringContaining('/invoice/'),
    is_test: false,
  })
  const mail = await shop.mailbox.to(user.email, /receipt/)
  for (const words of ['$39.99', '−$3.00', '$1.87', '$38.86', 'Bethlehem, PA 18015', 'United States'])
    expect(mail.text).toContain(words)
  expect(mail.text).toContain('Dear Ruth Moabite,')
  const { invoice_url } = (await read()) as Receipt
  for (const link of [`${shop.url}/dashboard/receipts/${id}`, invoice_url])
    expect(mail.html).toContain(`href="${link}"`)

  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 5 } })
  await expect.poll(read).toMatchObject({ kept: 33.86, adjustments: [{ kind: 'refund', amount: -5 }] })
  expect((await admin.call('GET', `/api/purchases/${id}/receipt`)).status).toBe(404)
  expect((await shop.call('GET', `/api/purchases/${id}/receipt`)).status).toBe(401)

  const evidence = async () => (await admin.call('GET', `/api/admin/purchases/${id}/evidence`)).json()
  await expect.poll(evidence).toMatchObject({
    email: user.email,
    account: { email_confirmed_at: expect.any(String) },
    payment: { payment_intent: session!['payment_intent'], discount: 3, tax: 1.87, is_live: false },
    shipment: { address: { city: 'Bethlehem' }, tracking_number: null, shipped_at: null },
    mails: [{ kind: 'receipt' }, { kind: 'refund' }],
    adjustments: [{ amount: -5 }],
    events: [{ action: 'purchases.refunded', actor: admin.email }],
  })
})
