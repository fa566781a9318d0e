// What is still to be done, as the admin area shows it.
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { FirstSteps, OpeningCheck } from '#contract/setup/setup.ts'
import { sampleFiles } from '#domains/catalog/seed.ts'
import type { FileFormat } from '#contract/catalog/products.ts'
import { changeProducts } from '#test/changes.ts'
import { changePurchase, giveFile, giveProduct } from '#test/factories.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { createUser } from '#domains/accounts/users.ts'
import { createSetupLink, createSetupLinkOfLastStart } from './first-admin.ts'
import { recordIdentity } from '#domains/settings/shop-identity.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { call, draftOf, readFixture, take } from '#test/book-setup.ts'
import { openMailShop, save, valuesOf } from '#test/mail-setup.ts'
import { saveGroup } from '#test/settings.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { upload } from '#test/upload.ts'

async function read(admin: Person) {
  const response = (await (await admin.call('GET', '/api/admin/first-steps')).json()) as FirstSteps
  const done = response.steps.filter(({ is_done }) => is_done).map(({ name }) => name)
  return { ...response, done }
}

test('each step ticks itself off once it is true, and only then', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect(await read(admin)).toMatchObject({ done: ['admin'], payments: 'none' })

  // An author may buy as a guest, or as another reader: whoever bought has tried it.
  const { id } = await (await shop.person()).buy((await shop.product('digital')).id)
  expect((await read(admin)).done).toEqual(['admin', 'purchase'])
  await changePurchase(shop.services.db, id, { status: 'canceled' })
  expect((await read(admin)).done).toEqual(['admin'])
})

test('mail is set when it leaves the machine', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:9' }
  await using shop = await openTestShop({ env, hasWorkers: false })
  expect((await read(await shop.person({ role: 'admin' }))).done).toEqual(['admin', 'mail'])
})

test('payments are set when real money is taken: test keys only play', async () => {
  for (const mode of ['test', 'live'] as const) {
    const keys = { STRIPE_SECRET_KEY: `sk_${mode}_x`, STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    const env = { ...keys, SITE_URL: 'https://books.example' }
    await using shop = await openTestShop({ env, hasWorkers: false })
    const { payments, done } = await read(await shop.person({ role: 'admin' }))
    expect([payments, done.includes('payments')]).toEqual([mode, mode === 'live'])
  }
})

test('the book is the author’s own when no product gives the sample, whatever it is called', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { storage, database, db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { rows } = await database.pool.query<{ product_id: string; file_format: FileFormat }>(
    'select product_id, file_format from product_files',
  )
  const replace = async (name: string, content: (file_format: string) => Readable) => {
    for (const [at, { product_id, file_format }] of rows.entries()) {
      const file_path = `ebooks/${at}-${name}.${file_format}`
      await storage.write(file_path, content(file_format))
      await giveFile(db, { product_id, file_path, file_format, title: name })
    }
  }
  await replace('renamed', (wanted) =>
    createReadStream(sampleFiles.find(({ file_format }) => file_format === wanted)!.source),
  )
  expect((await read(admin)).done).toEqual(['admin'])
  await replace('my-own', (wanted) => Readable.from([`another book as ${wanted}`]))
  expect((await read(admin)).done).toEqual(['admin', 'book'])
})

test('the book waits for its file where it is sold as one, and a copy that was given is no purchase', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { database, db, storage } = shop.services
  const admin = await shop.person({ role: 'admin' })
  await changeProducts(database.db, { archived_at: new Date() })
  expect((await read(admin)).done).toEqual(['admin'])
  await giveProduct(db, { format: 'paperback', is_digital: false })
  expect((await read(admin)).done).toEqual(['admin', 'book'])
  const product_id = await giveProduct(db, { format: 'digital' })
  expect((await read(admin)).done).toEqual(['admin'])
  await storage.write('ebooks/own.pdf', Readable.from(['my own book']))
  await giveFile(db, { product_id, file_path: 'ebooks/own.pdf', file_format: 'pdf', title: 'Own' })
  expect((await read(admin)).done).toEqual(['admin', 'book'])

  const body = { product_id, list: admin.email, message: '' }
  expect((await admin.call('POST', '/api/admin/gifts', { body })).status).toBe(200)
  expect((await read(admin)).done).toEqual(['admin', 'book'])
})

// The setup link: who may use it, for how long, and how often.

const author = { email: 'author@books.example', password: 'nine good words' }

async function tokenOf(shop: TestShop): Promise<string> {
  return new URL(createSetupLink(shop.services)).hash.slice(1)
}

async function post(shop: TestShop, path: string, body: object) {
  const response = await shop.call('POST', path, { body })
  return { status: response.status, code: ((await response.json()) as { code?: string }).code }
}

test('the link of the command has the address of the last start, unless the command sees another one', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { services } = shop
  await recordIdentity(services)
  const seen = (site_url: string) => {
    const values = services.settings.get()
    const settings = { ...services.settings, get: () => ({ ...values, shop: { ...values.shop, site_url } }) }
    return new URL(createSetupLinkOfLastStart({ ...services, settings })).origin
  }
  const { site_url } = services.settings.get().shop
  expect(seen('http://localhost:3999')).toBe(site_url)
  expect(seen('https://books.example')).toBe('https://books.example')
})

test('the link makes an admin who can sign in at once, and ends with it', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const token = await tokenOf(shop)
  expect(await post(shop, '/api/setup/link', { token })).toEqual({ status: 200 })
  expect(await post(shop, '/api/setup', { token, ...author })).toEqual({ status: 201 })
  const signIn = await shop.call('POST', '/auth/v1/token?grant_type=password', { body: author })
  const { access_token } = (await signIn.json()) as { access_token: string }
  const me = await shop.call('GET', '/api/me', { token: access_token })
  expect(await me.json()).toMatchObject({ is_admin: true })

  const other = { token, email: 'other@books.example', password: author.password }
  expect(await post(shop, '/api/setup', other)).toEqual({ status: 409, code: 'setup.finished' })
  expect(await post(shop, '/api/setup/link', { token })).toEqual({ status: 409, code: 'setup.finished' })
  const { rows } = await shop.services.database.pool.query('select actor, action, subject from audit_log')
  expect(rows).toEqual([{ actor: 'setup link', action: 'users.created', subject: author.email }])
  const events = await shop.services.database.pool.query('select event, detail from auth.audit_log')
  expect(events.rows).toContainEqual({
    event: 'account_made_by_hand',
    detail: { role: 'admin', by: 'setup link' },
  })
})

test('of two callers at once, one becomes admin, and the other has no account', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const token = await tokenOf(shop)
  const outcomes = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      post(shop, '/api/setup', { token, email: `${name}@books.example`, password: author.password }),
    ),
  )
  expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  const { rows } = await shop.services.database.pool.query('select count(*)::int as users from auth.users')
  expect(rows).toEqual([{ users: 1 }])
})

test('a link that is made up, changed or a day old is refused', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const token = await tokenOf(shop)
  const later = `${Number(token.split('.')[0]) + dayMs}.${token.split('.')[1]}`
  const refused = { status: 403, code: 'setup.link_invalid' }
  for (const wrong of [
    '',
    '.',
    '\0',
    '1.\0',
    'a.b',
    later,
    `${token}x`,
    `${token}.`,
    `${token}.x`,
    token.split('.')[0]!,
  ]) {
    expect(await post(shop, '/api/setup', { token: wrong, ...author })).toEqual(refused)
  }
  now = new Date(now.getTime() + dayMs - 1000)
  expect(await post(shop, '/api/setup/link', { token })).toEqual({ status: 200 })
  now = new Date(now.getTime() + 2000)
  expect(await post(shop, '/api/setup', { token, ...author })).toEqual(refused)
})

test('an address that has an account, and a common password, are refused and leave the link valid', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const shell = { id: null, email: 'shell', ip: null }
  await createUser(shop.services, shell, { ...author, role: 'user' })
  const token = await tokenOf(shop)
  expect(await post(shop, '/api/setup', { token, ...author })).toMatchObject({ code: 'accounts.email_taken' })
  const weak = { token, email: 'new@books.example', password: 'password123' }
  expect(await post(shop, '/api/setup', weak)).toMatchObject({ code: 'auth.common_password' })
  expect(await post(shop, '/api/setup', { ...weak, password: author.password })).toEqual({ status: 201 })
})

// What the author reads before the shop opens is what a visitor would meet then.

const check = async (admin: Person) => (await call<OpeningCheck>(admin, 'GET', 'setup/check')).json

test('a new shop sends no email and takes no money, and its file is there until it is removed', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect(await check(admin)).toEqual({
    mail: expect.objectContaining({ state: 'warn', says: expect.stringMatching(/^email is not set up/) }),
    payments: expect.objectContaining({ state: 'warn', effect: 'nobody can buy' }),
    legal: expect.objectContaining({
      state: 'warn',
      says: 'your page has no imprint and no privacy policy',
      advice: expect.stringMatching(
        /^The law of many countries asks for both\. Tick them .* who runs the server/,
      ),
    }),
    tax_question: null,
    eu_paper_lacks: [],
    file: null,
    parcel: null,
  })
  const upload_id = await upload(shop, admin, await readFixture('songs-of-the-road.epub'), 'songs.epub')
  await call(admin, 'POST', 'setup/file', { upload_id })
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  expect(await check(admin)).toMatchObject({ file: { state: 'ok' }, parcel: null })
  await (await shop.services.uploads.claim(upload_id)).remove()
  expect(await check(admin)).toMatchObject({
    file: { state: 'wrong', effect: 'nobody gets the digital book' },
  })
})

test('a parcel goes where the author sends it, at the price that is set, and for nothing where the book is free', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { SHIPPING_COUNTRIES: '' } })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'paperback', price: 9 }] })
  const values = { countries: ['DE', 'FR'], price: 4, country_prices: { FR: 6.5 } }
  expect(await saveGroup(admin, { revision: 0, values }, 'shipping')).toEqual({ status: 200 })
  const parcel = { countries: ['DE', 'FR'], min_price: 4, max_price: 6.5 }
  expect(await check(admin)).toMatchObject({ file: null, parcel })
  expect(await saveGroup(admin, { revision: 0, values: { without_key: 'free' } }, 'payments')).toEqual({
    status: 200,
  })
  const free = { ...parcel, min_price: 0, max_price: 0 }
  expect(await check(admin)).toMatchObject({ payments: { state: 'ok' }, parcel: free })
})

test('what a book on paper lacks in the European Union is named before the opening, with the notice in the page’s language', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ hasWorkers: false, env: { ...stripe.env, SHIPPING_COUNTRIES: '' } })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  const lacks = async () => (await check(admin)).eu_paper_lacks
  const offer = (format: string) => call(admin, 'PUT', 'setup/offers', { offers: [{ format, price: 9 }] })
  await saveGroup(admin, { revision: 0, values: { countries: ['FR'], price: 4 } }, 'shipping')
  await offer('digital')
  expect(await lacks()).toEqual([])
  await offer('paperback')
  expect(await lacks()).toEqual(['notice', 'maker', 'delivery_time'])
  await saveGroup(admin, { revision: 1, values: { delivery_days_min: 2, delivery_days_max: 4 } }, 'shipping')
  expect(await lacks()).toEqual(['notice', 'maker'])
  const { revision, document } = await draftOf(admin)
  await call(admin, 'PUT', 'book/draft', { revision, document: { ...document, language: 'fr' } })
  expect((await call<object>(admin, 'GET', 'settings/shipping/notice')).json).toEqual({
    language: 'fr',
    notice: null,
  })
})

test('the mail server is asked each time, and its refusal is told', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false })
  const { admin } = shop
  await save(admin, { ...valuesOf(smtp), user: 'shop', password: 'secret' })
  expect(await check(admin)).toMatchObject({ mail: { state: 'ok' } })
  smtp.behavior = 'refuses the password'
  const { mail } = await check(admin)
  expect(mail).toMatchObject({ state: 'wrong', answer: expect.stringContaining('535') })
  expect(mail.advice).toContain('did not accept user and password')
})

test('Stripe is asked whether it still takes payments by the key', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ hasWorkers: false, env: stripe.env })
  const admin = await shop.person({ role: 'admin' })
  expect(await check(admin)).toMatchObject({ payments: { state: 'warn', effect: 'no real money is taken' } })
  stripe.denied.add('key')
  expect(await check(admin)).toMatchObject({
    payments: {
      says: 'Stripe does not accept the shop’s key, so nobody can pay',
      answer: expect.stringContaining('Invalid API Key'),
    },
  })
})
