// The page of a product, and its form without scripts.
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { fieldsIn, postForm, withPages } from '#test/forms.ts'
import { given } from '#test/given.ts'
import { openGuestShop, rows } from '#test/guests.ts'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { saveGroup } from '#test/settings.ts'
import { clock, time } from '#test/time.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

const get = async (shop: TestShop, path: string) => {
  const response = await shop.call('GET', path)
  return { response, html: await response.text() }
}

async function openForm(shop: TestShop, path = '/buy/digital') {
  const { id } = await shop.product(path.split('/')[2]!.split('?')[0]!)
  const action = `/buy/${id}`
  return { action, fields: fieldsIn((await get(shop, path)).html, action) }
}

const paymentIn = (html: string) => /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1]

test('without scripts an address buys: the form, once however often it is sent, leads on to the payment', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { action, fields } = await openForm(shop)
  expect(fields['key']).toMatch(/^[\w-]{43}$/)
  expect((await openForm(shop)).fields['key']).not.toBe(fields['key'])
  expect(await rows(shop, 'select id from purchases')).toEqual([])

  const sent = { ...fields, email: 'ruth@example.com' }
  const responses = await Promise.all([1, 2, 3].map(() => postForm(shop, action, sent)))
  const again = await postForm(shop, action, sent)
  const pages = await Promise.all([...responses, again].map(async (each) => each.text()))
  expect(new Set([...responses, again].map(({ status }) => status))).toEqual(new Set([200]))
  expect(again.headers.get('cache-control')).toBe('no-store')
  const [session, ...others] = [...stripe.sessions.values()]
  expect(others).toEqual([])
  expect(session?.customer_email).toBe('ruth@example.com')
  expect(new Set(pages.map(paymentIn))).toEqual(new Set([session?.url]))
  expect(pages[0]).toContain(`href="${session?.url}"`)
  expect(pages[0]).toContain('Continue to payment')
  expect(await rows(shop, 'select id from purchases')).toHaveLength(1)
})

test('the page has name, format and price, and is not cached', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { response, html } = await get(shop, '/buy/paperback')
  const { name, price } = await shop.product('paperback')
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(response.headers.get('referrer-policy')).toBe('same-origin')
  for (const text of [name, `$${price}`, 'Paperback', 'Continue to payment']) expect(html).toContain(text)
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  for (const path of ['/buy/ebook', `/buy/${crypto.randomUUID()}`, '/buy/%00']) {
    const unknown = await get(shop, path)
    expect([path, unknown.response.status]).toEqual([path, 404])
    expect(unknown.html).toContain('Oops! Page not found')
  }
})

test('the pages to read before buying are named once, also where consent is asked', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const legal = filledLegal({ consent: { is_asked: true, text: 'I agree.' } })
  expect((await publishLegal(await shop.person({ role: 'admin' }), legal)).status).toBe(200)
  for (const path of ['/buy/digital', '/buy/paperback']) {
    const { html } = await get(shop, path)
    expect([path, html.split('Before you buy, please read:')]).toEqual([
      path,
      [expect.anything(), expect.anything()],
    ])
    expect(html.includes('name="consent"')).toBe(path === '/buy/digital')
  }
})

test('problems stand beside the fields with what was typed, and the purchase keeps its key', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { action, fields } = await openForm(shop)
  const typed = '"><script>alert(1)</script>'
  const refused = await postForm(shop, action, { ...fields, email: typed })
  const html = await refused.text()
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([422, 'no-store'])
  expect(html).toMatch(/<input[^>]*name="email"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="email"/)
  expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).not.toContain('<script>alert(1)')
  expect(fieldsIn(html, action)['key']).toBe(fields['key'])
  // A key that no page has made is none.
  const other = await postForm(shop, action, { key: 'short', email: 'ruth@example.com' })
  expect(other.status).toBe(422)
  expect(fieldsIn(await other.text(), action)['key']).toMatch(/^[\w-]{43}$/)
  expect(await rows(shop, 'select id from purchases')).toEqual([])
})

test('no key and no address are read from an address, nor taken from a form of another site', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const key = 'A'.repeat(43)
  const opened = await get(shop, `/buy/digital?key=${key}&email=thief@example.com&consent=yes`)
  expect(opened.html).not.toContain(key)
  expect(opened.html).not.toContain('thief@')
  const { action } = await openForm(shop)
  const stolen = { key, email: 'thief@example.com', code: 'ADVENT' }
  const { host } = new URL(shop.url)
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site', origin: shop.url },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${shop.url}.evil.example`, referer: `http://${host}/` },
  ]
  for (const headers of foreign) {
    const refused = await postForm(shop, action, stolen, headers)
    const html = await refused.text()
    expect([headers, refused.status]).toEqual([headers, 403])
    expect(html).toContain('Send from here')
    // Its button leads to the page, where the buyer sees what is sent.
    expect(fieldsIn(html, action)).toEqual({ code: 'ADVENT' })
    expect(html).not.toContain(key)
  }
  const byOrigin = await postForm(shop, action, stolen, { origin: shop.url })
  expect(byOrigin.status).toBe(422)
  const sentAgain = await postForm(shop, action, { code: 'ADVENT' })
  expect([sentAgain.status, sentAgain.headers.get('location')]).toEqual([303, `${action}?code=ADVENT`])
  expect(await rows(shop, 'select id from purchases')).toEqual([])
})

test('a press on the home page leads to the page of the product, or to sign-in where an account comes first', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { id } = await shop.product('digital')
  const press = async (of: TestShop, path: string, code?: string) =>
    (await postForm(of, path, code ? { code } : {})).headers.get('location')
  expect(await press(shop, '/buy/digital')).toBe(`/buy/${id}`)
  await given.code(shop, { code: 'WHOLE', percent: 100 })
  const next = (code = '') => encodeURIComponent(`/?product=${id}${code}#book-sales`)
  const signIn = `/auth?next=${next('&code=WHOLE')}&notice=sign-in-first`
  expect(await press(shop, `/buy/${id}`, 'WHOLE')).toBe(signIn)
  shop.services.mail.sendsMail = () => true
  const { action, fields } = await openForm(shop)
  const ordered = await postForm(shop, action, { ...fields, code: 'WHOLE', email: 'ruth@example.com' })
  expect([ordered.status, ordered.headers.get('location')]).toEqual([303, signIn])
  expect(await rows(shop, 'select id from purchases')).toEqual([])

  await using sample = await openTestShop({ openPages: withPages })
  const product = await sample.product('digital')
  const location = await press(sample, `/buy/${product.id}`)
  expect(location).toBe(`/auth?next=${next().replace(id, product.id)}&notice=sign-in-first`)
  // Its page has the button only.
  expect(fieldsIn((await get(sample, '/buy/digital')).html, `/buy/${product.id}`)).toEqual({})
  expect((await get(sample, '/buy/digital')).html).not.toContain('name="email"')
})

test('beside a price with a code stands the lowest of the thirty days before it, and no saving that is none', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages, clock })
  time.ahead = 5 * dayMs
  await given.price(shop, 'digital', 15)
  time.ahead = 45 * dayMs
  await given.price(shop, 'digital', 20)
  await given.code(shop, { code: 'QUARTER', percent: 25 })
  await given.code(shop, { code: 'HALF', percent: 50 })
  await given.code(shop, { code: 'MINE', percent: 25, max_uses: 1 })
  const show = async (code: string) => {
    const { html } = await get(shop, `/buy/digital?code=${code}`)
    const struck = /<s [^>]*>.*?\$([\d.]+)<\/span><\/s>/s.exec(html)?.[1]
    const off = /(\d+%|\$[\d.]+) off/.exec(html)?.[0]
    return { struck, off, saved: /Save \$[\d.]+/.exec(html)?.[0], html }
  }
  const none = { struck: undefined, off: undefined, saved: undefined }
  const quarter = await show('QUARTER')
  expect(quarter).toMatchObject(none)
  expect(quarter.html).toContain('$15.00')
  expect(quarter.html).toContain('QUARTER</strong> is applied')
  expect(await show('HALF')).toMatchObject({ struck: '15.00', off: '$5.00 off', saved: 'Save $5' })
  // For one use alone it is nobody's announcement.
  expect(await show('MINE')).toMatchObject({ struck: '20.00', off: '25% off', saved: 'Save $5' })
})

test('a code gives its price here too, for the payment as well; one that is refused says why', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  await given.code(shop, { code: 'HALF', percent: 50 })
  const { action, fields } = await openForm(shop, '/buy/digital?code=half')
  const { html } = await get(shop, '/buy/digital?code=half')
  expect(html).toMatch(/<strong>HALF<\/strong>/)
  expect(html).toContain('$7.49')
  expect(fields['code']).toBe('HALF')
  const sent = await postForm(shop, action, { ...fields, email: 'ruth@example.com' })
  expect(paymentIn(await sent.text())).toBeDefined()
  expect(await rows(shop, 'select amount::text from purchases')).toEqual([{ amount: '7.49' }])
  const wrong = await get(shop, '/buy/digital?code=NONE')
  expect(wrong.html).toContain('This code is not valid, or not any more.')
  expect(wrong.html).toContain('value="NONE"')
  expect(fieldsIn(wrong.html, action)['code']).toBeUndefined()
  // One that the home page kept is left out where it takes nothing off here.
  expect((await get(shop, '/buy/digital?code=HALF&kept=yes')).html).toContain('$7.49')
  const kept = await get(shop, '/buy/digital?code=NONE&kept=yes')
  expect(kept.html).not.toContain('This code is not valid')
  expect(kept.html).not.toContain('value="NONE"')
})

test('shipping costs what the page has shown, by country, and a price that was raised is shown first', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const admin = await shop.person({ role: 'admin' })
  const prices = { countries: ['US', 'FR', 'CA'], price: 4.9, country_prices: { CA: 12.5 } }
  let revision = 0
  const save = async (change: object) => {
    const saved = await saveGroup(admin, { revision, values: { ...prices, ...change } }, 'shipping')
    revision += 1
    return saved
  }
  expect(await save({})).toEqual({ status: 200 })
  await saveGroup(admin, { revision: 0, values: { in_prices: 'included' } }, 'tax')
  const { action, fields } = await openForm(shop, '/buy/paperback')
  const { html } = await get(shop, '/buy/paperback')
  const options = [...html.matchAll(/<option value="[A-Z]{2}"[^>]*>([^<]*)/g)].map(([, words]) => words)
  expect(options).toEqual(['United States · $4.90', 'Canada · $12.50', 'France · $4.90'])
  const sent = { ...fields, email: 'ruth@example.com' }
  const nowhere = await postForm(shop, action, sent)
  expect(nowhere.status).toBe(422)
  expect(await nowhere.text()).toMatch(/<select[^>]*aria-invalid="true"/)
  expect((await postForm(shop, action, { ...sent, country: 'DE' })).status).toBe(422)
  expect(await save({ country_prices: { CA: 15 } })).toEqual({ status: 200 })
  const raised = await postForm(shop, action, { ...sent, country: 'CA' })
  const again = await raised.text()
  expect([raised.status, again.includes('Shipping to Canada costs $15.00 now.')]).toEqual([409, true])
  expect(again).toContain('Canada · $15.00')
  for (const amount of ['24.99', '15.00', '39.99']) expect(again).toContain(`$${amount} (incl. VAT)`)
  const agreed = await postForm(shop, action, {
    ...sent,
    ...fieldsIn(again, action),
    country: 'CA',
    email: sent.email,
  })
  expect(paymentIn(await agreed.text())).toBeDefined()
  expect(await rows(shop, 'select amount::text from purchases')).toEqual([{ amount: '39.99' }])
})

test('limits count a form as they count a call of the API', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, {
    openPages: withPages,
    env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' },
  })
  const from = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '203.0.113.9' }
  const { action, fields } = await openForm(shop)
  const statuses: number[] = []
  for (let n = 0; n < 40 && !statuses.includes(429); n += 1) {
    const sent = await postForm(shop, action, { ...fields, email: 'ruth@example.com' }, from)
    statuses.push(sent.status)
  }
  expect(statuses.at(-1)).toBe(429)
  const { id: product_id } = await shop.product('digital')
  const byApi = await shop.call('POST', '/api/guest/purchases', {
    body: { product_id, email: 'ruth@example.com', proof: 'A'.repeat(43) },
    headers: from,
  })
  expect(byApi.status).toBe(429)
  const elsewhere = { ...from, 'x-forwarded-for': '203.0.113.10' }
  expect((await postForm(shop, action, { ...fields, email: 'ruth@example.com' }, elsewhere)).status).toBe(200)
})

test('a body that is too large, or no form, is refused', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  for (const path of ['/contact', '/buy/digital']) {
    const large = await postForm(shop, path, { message: 'x'.repeat(100_000) })
    expect([path, large.status]).toEqual([path, 413])
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' }
      expect((await shop.call('POST', path, { body: 'a=b', headers })).status).toBe(415)
    }
  }
})
