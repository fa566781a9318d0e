// A pre-order is paid at once and delivered on its day; who ordered is told of the day, of each new one, and once that it is out.
import { expect, test, vi } from 'vitest'
import { formatDay } from '#contract/intl.ts'
import type { AdminProduct, Product } from '#contract/catalog/products.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { call, draftOf } from '#test/book-setup.ts'
import { giveCheckout } from '#test/factories.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import { addFields } from '#platform/stored-settings.ts'
import { queueScheduledEmails } from '#domains/mail/scheduled-emails.ts'
import { releaseProducts } from './releases.ts'
import { sweepWaitlist } from './waitlist.ts'

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const setDay = (admin: Person, id: string, release_on: string | null) =>
  admin.call('PATCH', `/api/admin/products/${id}`, { body: { release_on } })

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

const download = (person: Person, id: string) =>
  person.call('POST', `/api/purchases/${id}/download`, { body: {} })

const own = async (person: Person) =>
  ((await (await person.call('GET', '/api/purchases')).json()) as OwnPurchases).items

const listed = async (shop: TestShop, id: string) =>
  ((await (await shop.call('GET', '/api/products')).json()) as Product[]).find((each) => each.id === id)

const mailed = (smtp: TestSmtpServer, to: string, subject: RegExp) =>
  smtp.emails.filter(({ envelope, email }) => envelope.to[0] === to && subject.test(email.subject ?? ''))

test('before its day it is bought and not downloaded; on the day each buyer is told once, and has it', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const [reader, ofBundle] = [await shop.person(), await shop.person()]
  const { id } = await shop.product('digital')
  const bundle = await shop.product('bundle')
  expect((await setDay(reader, id, dayIn(9))).status).toBe(403)
  expect(await codeOf(await setDay(admin, id, dayIn(900)))).toBe('releases.too_late')
  expect(((await (await setDay(admin, id, dayIn(9))).json()) as AdminProduct).is_released).toBe(false)
  expect(await listed(shop, id)).toMatchObject({ release: { on: dayIn(9), is_partial: false } })
  expect(await listed(shop, bundle.id)).toMatchObject({ release: { on: dayIn(9), is_partial: true } })

  const bought = await reader.buy(id)
  const boughtInBundle = await ofBundle.buy(bundle.id)
  expect(bought.status).toBe('completed')
  const refused = (await (await download(reader, bought.id)).json()) as { code: string; detail: string }
  expect(refused).toMatchObject({
    code: 'downloads.not_released',
    detail: expect.stringMatching(/^It comes out on /),
  })
  expect(await own(reader)).toMatchObject([
    { product: { files: [], download_url: null, release: { on: dayIn(9) } } },
  ])
  const receipt = await vi.waitUntil(() => mailed(smtp, reader.email, /receipt/)[0]?.email.text, 20_000)
  expect(receipt).toContain('You have pre-ordered')
  expect(receipt).toContain('you get an email then')
  expect(receipt).toContain(`within 30 days of ${formatDay(dayIn(9))}`)
  // Nothing was paid for it: no button gives it back.
  expect(receipt).not.toContain('take the order back')
  expect(receipt).not.toContain('Your book is ready')

  const moved = (await (await setDay(admin, id, dayIn(20))).json()) as AdminProduct
  expect(moved.preorders).toBe(2)
  for (const { email } of [reader, ofBundle])
    await vi.waitUntil(() => mailed(smtp, email, /comes out on/).length === 1, 20_000)
  const { pool } = shop.services.database
  await pool.query('update products set release_on = shop_day() where id = $1', [id])
  await Promise.all([releaseProducts(shop.services), releaseProducts(shop.services)])
  await Promise.all([queueScheduledEmails(shop.services), queueScheduledEmails(shop.services)])
  for (const { email } of [reader, ofBundle])
    await vi.waitUntil(() => mailed(smtp, email, /is out$/).length === 1, 20_000)
  const mailsOf = async (order: { id: string }) =>
    ((await (await admin.call('GET', `/api/admin/purchases/${order.id}`)).json()) as OrderDetail).mails.map(
      ({ kind, status }) => [kind, status],
    )
  for (const order of [bought, boughtInBundle])
    await expect
      .poll(() => mailsOf(order))
      .toEqual([
        ['receipt', 'sent'],
        ['release_moved', 'sent'],
        ['release_out', 'sent'],
      ])
  await releaseProducts(shop.services)
  await queueScheduledEmails(shop.services)
  const { rows } = await pool.query(
    `select kind, count(*)::int from scheduled_emails group by kind order by kind`,
  )
  expect(rows).toMatchObject([
    { kind: 'release_moved', count: 2 },
    { kind: 'release_out', count: 2 },
  ])
  expect((await download(reader, bought.id)).status).toBe(200)
  expect(await codeOf(await setDay(admin, id, dayIn(3)))).toBe('releases.already_out')
  expect((await setDay(admin, id, null)).status).toBe(200)
  expect((await listed(shop, id))?.release).toBeUndefined()
  const { rows: days } = await pool.query(
    'select release_on = shop_day() as is_kept from products where id = $1',
    [id],
  )
  expect(days).toEqual([{ is_kept: true }])
})

test('a product without a file is sold until its day, and nobody is told before there is one', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  const made = await admin.call('POST', '/api/admin/products', {
    body: { name: 'The next book', price: 12, format: 'digital' },
  })
  const { id } = (await made.json()) as AdminProduct
  expect(await listed(shop, id)).toBeUndefined()
  await setDay(admin, id, dayIn(5))
  expect(await listed(shop, id)).toMatchObject({ release: { on: dayIn(5) }, file_formats: [] })
  await reader.buy(id)
  const preorder = await (await admin.call('GET', `/api/admin/products/${id}`)).json()
  expect(preorder).toMatchObject({ is_for_sale: true, delivery_gap: null, release_gap: 'no_file' })
  const released = (await (await setDay(admin, id, null)).json()) as AdminProduct
  expect(released).toMatchObject({ is_released: true, delivery_gap: 'no_file', is_for_sale: false })
  expect(await shop.services.db.execute('select from scheduled_emails')).toMatchObject({ rowCount: 0 })
})

test('until the day the order is taken back whatever the terms, and the promise begins with the day', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  const { id } = await shop.product('digital')
  const { id: purchase_id } = await reader.buy(id)
  const { pool } = shop.services.database
  await giveCheckout(shop.services.db, { purchase_id, payment_intent: 'pi_release' })
  await pool.query(`update purchases set refund_days = 0, created_at = now() - interval '300 days'`)
  expect(await own(reader)).toMatchObject([{ is_refundable: false }])
  await pool.query('update products set release_on = shop_day() + 3 where id = $1', [id])
  expect(await own(reader)).toMatchObject([{ is_refundable: true }])
  // As of a bundle, of which a part was out.
  await pool.query(
    `insert into downloads (id, purchase_id, file_path, started_at) values (gen_random_uuid(), $1, 'ebooks/part.epub', now())`,
    [purchase_id],
  )
  expect(await own(reader)).toMatchObject([{ is_refundable: false }])
  await pool.query(`update products set release_on = shop_day() - 3 where id = $1`, [id])
  expect(await own(reader)).toMatchObject([{ is_refundable: false }])
  await pool.query('update purchases set refund_days = 30')
  expect(await own(reader)).toMatchObject([{ is_refundable: true }])
  const receipt = await reader.call('GET', `/api/purchases/${purchase_id}/receipt`)
  expect(await receipt.json()).toMatchObject({ promised_from: dayIn(-3), product: { release: null } })
  expect((await admin.call('GET', `/api/admin/purchases/${purchase_id}`)).status).toBe(200)
})

test('who asks, and confirms the address, is told once, and the address is gone', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { services } = shop
  const { pool } = services.database
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const ask = (email: string) => shop.call('POST', `/api/products/${id}/waitlist`, { body: { email } })
  expect(await codeOf(await ask('ruth@example.com'))).toBe('releases.not_awaited')
  await setDay(admin, id, dayIn(9))
  const buyer = await shop.person()
  await buyer.buy(id)
  const asked = await Promise.all(
    ['Ruth@example.com', 'ruth@example.com', 'silent@example.com', 'left@example.com', buyer.email].map(ask),
  )
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const tokenOf = (to: string) =>
    vi.waitUntil(() => {
      const [sent] = mailed(smtp, to, /Shall we tell you/)
      return /\/tell-me\/[\w-]+#(\S+)/.exec(sent?.email.text ?? '')?.[1]
    }, 20_000)
  const confirm = async (to: string) =>
    shop.call('POST', '/api/release-waitlist/confirm', { body: { token: await tokenOf(to) } })
  const stateOf = async (to: string) => {
    const body = { token: await tokenOf(to) }
    return (await (await shop.call('POST', '/api/release-waitlist/show', { body })).json()) as object
  }
  expect(await stateOf('ruth@example.com')).toMatchObject({ state: 'unconfirmed' })
  for (const to of ['ruth@example.com', buyer.email, 'ruth@example.com'])
    expect((await confirm(to)).status).toBe(200)
  expect(await stateOf('ruth@example.com')).toMatchObject({ state: 'confirmed' })
  expect(mailed(smtp, 'ruth@example.com', /./)).toHaveLength(1)
  const end = async (to: string) =>
    (await shop.call('POST', '/api/release-waitlist/end', { body: { token: await tokenOf(to) } })).status
  expect([await end('silent@example.com'), await end('silent@example.com')]).toEqual([200, 403])
  // The link that has confirmed takes it back as well.
  expect((await confirm('left@example.com')).status).toBe(200)
  expect(await end('left@example.com')).toBe(200)
  expect(mailed(smtp, 'left@example.com', /Shall we tell you/)[0]?.email.text).toContain('by the same button')

  const product = await admin.call('GET', `/api/admin/products/${id}`)
  expect(await product.json()).toMatchObject({ preorders: 1, awaited_by: 2 })

  await setDay(admin, id, null)
  await Promise.all([queueScheduledEmails(services), queueScheduledEmails(services)])
  await vi.waitUntil(() => mailed(smtp, 'ruth@example.com', /is out$/).length === 1, 20_000)
  await vi.waitUntil(() => mailed(smtp, buyer.email, /is out$/).length === 1, 20_000)
  const left = 'select from release_waitlist'
  await expect.poll(async () => (await pool.query(left)).rowCount).toBe(0)
  const { rows } = await pool.query(
    `select outcome from scheduled_emails where kind = 'release_waitlist' order by outcome`,
  )
  expect(rows).toEqual([{ outcome: 'sent' }, { outcome: 'skipped' }])
  expect(await codeOf(await confirm('ruth@example.com'))).toBe('releases.link_over')

  await pool.query(`insert into release_waitlist (id, product_id, email, confirmed_at)
    values (gen_random_uuid(), '${id}', 'patient@example.com', now())`)
  await sweepWaitlist(services)
  expect((await pool.query(left)).rowCount).toBe(1)
  await pool.query(`update products set archived_at = now() - interval '31 days'`)
  await sweepWaitlist(services)
  expect((await pool.query(left)).rowCount).toBe(0)
  expect(mailed(smtp, buyer.email, /is out$/)).toHaveLength(1)
})

test('while the shop sells nothing one can wait for what is out, and is told once it can be bought', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { services } = shop
  const { pool } = services.database
  const admin = await shop.person({ role: 'admin' })
  const { document, revision } = await draftOf(admin)
  const own = { ...document, title: 'My Own Book', product: '', rating: null }
  await call(admin, 'PUT', 'book/draft', { revision, document: own })
  expect(await call(admin, 'POST', 'book/publish', { revision: revision + 1 })).toMatchObject({ status: 200 })
  const { id } = await shop.product('digital')
  expect(await listed(shop, id)).toMatchObject({ is_available_soon: true })
  const response = await shop.call('POST', `/api/products/${id}/waitlist`, {
    body: { email: 'ruth@example.com' },
  })
  expect(response.status).toBe(200)
  const token = await vi.waitUntil(() => {
    const [sent] = mailed(smtp, 'ruth@example.com', /Shall we tell you/)
    return /\/tell-me\/[\w-]+#(\S+)/.exec(sent?.email.text ?? '')?.[1]
  }, 20_000)
  expect((await shop.call('POST', '/api/release-waitlist/confirm', { body: { token } })).status).toBe(200)
  const { rows: hidden } = await pool.query<{ id: string }>(`
    update products set is_for_sale = false, archived_at = now() where format = 'paperback' returning id`)
  await pool.query(`insert into release_waitlist (id, product_id, email, confirmed_at)
    values (gen_random_uuid(), '${hidden[0]!.id}', 'patient@example.com', now())`)
  await releaseProducts(services)
  const scheduled = `select from scheduled_emails where kind = 'release_waitlist'`
  expect((await pool.query(scheduled)).rowCount).toBe(0)
  const { json } = await call<{ revision: number }>(admin, 'GET', 'settings/payments')
  const free = { revision: json.revision, values: { without_key: 'free' } }
  expect((await call(admin, 'PUT', 'settings/payments', free)).status).toBe(200)
  await Promise.all([releaseProducts(services), releaseProducts(services)])
  await queueScheduledEmails(services)
  await vi.waitUntil(() => mailed(smtp, 'ruth@example.com', /is out$/).length === 1, 20_000)
  const left = 'select email, queued_at from release_waitlist'
  const patient = { email: 'patient@example.com', queued_at: null }
  await expect.poll(async () => (await pool.query(left)).rows).toEqual([patient])
  await releaseProducts(services)
  expect((await pool.query(scheduled)).rowCount).toBe(1)

  // A shop that has lost its key has sold what is out.
  await addFields(services.db, 'payments', { had_key: true })
  await services.settings.refresh()
  const late = { body: { email: 'late@example.com' } }
  const refused = await shop.call('POST', `/api/products/${id}/waitlist`, late)
  expect(await codeOf(refused)).toBe('releases.not_awaited')
  await setDay(admin, id, dayIn(9))
  expect((await shop.call('POST', `/api/products/${id}/waitlist`, late)).status).toBe(200)
})
