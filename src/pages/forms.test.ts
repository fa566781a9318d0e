// The forms of the site without scripts: each does what its island does, and is taken from the shop's own pages alone.
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import { formatDay } from '#contract/intl.ts'
import { fieldsIn, postForm, withPages } from '#test/forms.ts'
import { openGuestShop, rows } from '#test/guests.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

const message = { name: 'Ruth', email: 'ruth@example.com', subject: 'Thanks', message: 'Amen' }

const page = async (shop: TestShop, path: string | null) => {
  const response = await shop.call('GET', path ?? '')
  return { status: response.status, html: await response.text(), headers: response.headers }
}

test('a message arrives once, and a reload of what it leads to sends nothing', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const key = crypto.randomUUID()
  const sent = await Promise.all([1, 2, 3].map(() => postForm(shop, '/contact', { ...message, key })))
  for (const { status, headers } of sent)
    expect([status, headers.get('location')]).toEqual([303, '/contact/sent#contact'])
  expect((await page(shop, '/contact/sent')).html).toContain('Message Sent Successfully!')
  expect(await rows(shop, 'select name from contact_messages')).toEqual([{ name: 'Ruth' }])
  // A cached page has no key.
  const other = { ...message, subject: 'Another one' }
  await Promise.all([1, 2, 3].map(() => postForm(shop, '/contact', other)))
  expect(await rows(shop, 'select 1 from contact_messages')).toHaveLength(2)
  // A call of the API without a key is a message each time.
  for (const _ of [1, 2]) await shop.call('POST', '/api/contact', { body: other })
  expect(await rows(shop, 'select 1 from contact_messages')).toHaveLength(4)
})

test('what is refused stands beside its field, with what was typed', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const typed = '"><img src=x onerror=alert(1)>'
  const refused = await postForm(shop, '/contact', {
    ...message,
    email: typed,
    message: '</textarea><script>',
  })
  const html = await refused.text()
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([422, 'no-store'])
  expect(html).toContain('Please enter a valid email address.')
  expect(html).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"')
  expect(html).toContain('&lt;/textarea&gt;&lt;script&gt;')
  expect(html).not.toMatch(/<img src=x|<\/textarea><script>/)
  expect(refused.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(await rows(shop, 'select 1 from contact_messages')).toEqual([])
})

test('a form of another site is answered by a page with a button that sends it from here', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: shop.url },
    { origin: 'null' },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    const refused = await postForm(shop, '/contact', message, headers)
    const html = await refused.text()
    expect([headers, refused.status]).toEqual([headers, 403])
    expect(refused.headers.get('referrer-policy')).toBe('same-origin')
    expect(html).toContain('Please send it once more')
    expect(fieldsIn(html, '/contact')).toEqual(message)
  }
  expect(await rows(shop, 'select 1 from contact_messages')).toEqual([])
  const [, ...named] = await Promise.all([
    postForm(shop, '/contact', message),
    postForm(shop, '/contact', { ...message, subject: 'Once more' }, { origin: shop.url }),
  ])
  expect(named.map(({ status }) => status)).toEqual([303])
  expect(await rows(shop, 'select 1 from contact_messages')).toHaveLength(2)
})

test('limits are those of the API', async () => {
  await using shop = await openTestShop({ openPages: withPages, env: { TRUST_PROXY: '1' } })
  const from = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '203.0.113.4' }
  const statuses: number[] = []
  for (let n = 0; n < 80 && !statuses.includes(429); n += 1)
    statuses.push((await postForm(shop, '/contact', message, from)).status)
  expect(statuses.at(-1)).toBe(429)
  const byApi = await shop.call('POST', '/api/contact', {
    body: message,
    headers: { 'x-forwarded-for': '203.0.113.4' },
  })
  expect(byApi.status).toBe(429)
  const refused = await postForm(shop, '/find-purchase', message, from)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe(byApi.headers.get('retry-after'))
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect(await refused.text()).toContain('Too many attempts. Please try again in an hour.')
})

test('a form that cannot be taken is answered by a page, with the status of the API and a way back', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { id } = await shop.product('digital')
  const ways = {
    '/contact': '/#contact',
    '/find-purchase': '/find-purchase',
    '/find-purchase/receipts': '/find-purchase',
    '/withdraw': '/withdraw',
    [`/buy/${id}`]: `/buy/${id}`,
    [`/tell-me/${id}`]: `/tell-me/${id}`,
    '/sample': '/sample',
    [`/purchase/${id}/download`]: `/purchase/${id}`,
    [`/purchase/${id}/refund`]: `/purchase/${id}`,
  }
  const form = 'application/x-www-form-urlencoded'
  const cases = [
    [413, form, `message=${'x'.repeat(100 * 1024)}`, 'The request is larger than this shop accepts.'],
    [415, 'multipart/form-data; boundary=x', '--x--', 'The request could not be read.'],
    [415, 'application/json', '{}', 'The request could not be read.'],
  ] as const
  for (const [path, back] of Object.entries(ways))
    for (const [status, type, body, text] of cases) {
      const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' }
      const refused = await shop.call('POST', path, { body, headers })
      const html = await refused.text()
      expect([path, refused.status, refused.headers.get('content-type')]).toEqual([
        path,
        status,
        'text/html; charset=utf-8',
      ])
      expect(refused.headers.get('cache-control')).toBe('no-store')
      expect(html).toContain(text)
      expect(html).toContain(`href="${back}"`)
    }
  const long = await page(shop, `/buy/digital?code=${'x'.repeat(5_000)}`)
  expect([long.status, long.html.includes('This address is longer than this shop accepts.')]).toEqual([
    414,
    true,
  ])
  expect((await page(shop, '/refused')).html).toContain('Oops! Page not found')
})

test('who cannot find a purchase writes to the author what a search needs', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const typed = { ...message, when: 'In May', card: '4242', more: '' }
  const pressed = await Promise.all([1, 2, 3].map(() => postForm(shop, '/find-purchase', typed)))
  for (const sent of pressed)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/find-purchase/sent'])
  expect((await page(shop, '/find-purchase/sent')).html).toContain('The author has your message')
  const [written, ...others] = await rows<{ message: string }>(shop, 'select message from contact_messages')
  expect(others).toEqual([])
  expect(written?.message).toBe('I cannot find my purchase.\n\nBought: In May\n\nCard ends in: 4242')
  const refused = await postForm(shop, '/find-purchase', { email: 'none' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('value="none"')
  const letters = await postForm(shop, '/find-purchase', { ...typed, card: 'abcd' })
  expect(letters.status).toBe(422)
  const html = await letters.text()
  for (const shown of [
    'value="abcd"',
    'Please enter four digits.</p>',
    'value="In May"',
    'or no email came?',
  ])
    expect(html).toContain(shown)
  expect(await rows(shop, 'select id from contact_messages')).toHaveLength(1)
})

test('without scripts the receipts of an address are asked for, with the same answer for everybody', async () => {
  const options = { openPages: withPages, sendsMail: true, env: { RATE_LIMIT: 'off' } }
  await using shop = await openTestShop(options)
  const reader = await shop.person()
  for (const email of [reader.email, 'nobody@example.com']) {
    const sent = await postForm(shop, '/find-purchase/receipts', { email })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/find-purchase/mailed'])
  }
  expect((await page(shop, '/find-purchase/mailed')).html).toContain(
    'If something was bought with this address',
  )
  const refused = await postForm(shop, '/find-purchase/receipts', { email: 'none' })
  expect([refused.status, (await refused.text()).match(/value="none"/g)]).toEqual([422, ['value="none"']])
  const opened = await shop.call('GET', '/find-purchase/receipts')
  expect([opened.status, opened.headers.get('location')]).toEqual([308, '/find-purchase'])
})

test('the form of a waitlist says which format is awaited, and for which day', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const { id } = await shop.product('paperback')
  const admin = await shop.person({ role: 'admin' })
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await admin.call('PATCH', `/api/admin/products/${id}`, { body: { release_on: day } })
  const awaited = ['>Paperback<', `Pre-order: out on ${formatDay(day)}`]
  const namesIt = (html: string) => awaited.map((words) => html.includes(words))
  expect(namesIt((await page(shop, `/tell-me/${id}`)).html)).toEqual([true, true])
  const refused = await postForm(shop, `/tell-me/${id}`, { email: 'none' })
  expect(namesIt(await refused.text())).toEqual([true, true])
  expect((await page(shop, '/tell-me/x')).status).toBe(200)
  expect((await page(shop, '/tell-me/sent')).html.includes('name="email"')).toBe(false)
})

test('a published product and an unknown one have no waitlist', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const { id } = await shop.product('digital')
  const out = await postForm(shop, `/tell-me/${id}`, { email: 'ruth@example.com' })
  expect(out.status).toBe(409)
  const refused = await out.text()
  expect(refused).toContain('There is nothing to wait for')
  for (const html of [refused, (await page(shop, `/tell-me/${id}`)).html]) {
    expect(html).toContain('>It is out<')
    expect(html).not.toContain('name="email"')
  }
  for (const unknown of ['x', '..%2f..%2fcontact'])
    expect((await postForm(shop, `/tell-me/${unknown}`, { email: 'ruth@example.com' })).status).toBe(404)
})

test('emails about editions end and begin by the form of their page, and by one press in a mail program', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const reader = await shop.person()
  await reader.call('PUT', '/api/account/mail-choices', { body: { has_editions: true } })
  const [row] = await rows<{ token: string }>(shop, 'select token from mail_choices')
  const token = row?.token ?? ''
  const choices = async () =>
    (await (await reader.call('GET', '/api/account/mail-choices')).json()) as { has_editions: boolean }
  const path = `/emails/${token}`
  const foreign = await postForm(shop, path, { has_editions: 'false' }, { origin: 'https://evil.example' })
  expect([foreign.status, await choices()]).toEqual([403, { has_editions: true }])
  const off = await postForm(shop, path, { has_editions: 'false' })
  expect([off.status, off.headers.get('location'), await choices()]).toEqual([
    303,
    '/emails/off',
    { has_editions: false },
  ])
  expect((await page(shop, '/emails/off')).html).toContain('You get no emails about new editions any more.')
  const on = await postForm(shop, path, { has_editions: 'true' })
  expect([on.headers.get('location'), await choices()]).toEqual(['/emails/on', { has_editions: true }])
  const oneClick = await postForm(shop, path, { 'List-Unsubscribe': 'One-Click' }, {})
  expect([oneClick.status, await choices()]).toEqual([204, { has_editions: false }])
  const unknown = await postForm(shop, `/emails/${'B'.repeat(22)}`, { has_editions: 'true' })
  expect([unknown.status, (await unknown.text()).includes('This link is not known')]).toEqual([404, true])
})

test('a withdrawal is shown before it is declared, and declared once it is confirmed', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const typed = { name: 'Ruth <b>', email: 'Ruth@Example.com', order: '#1001' }
  const wrong = await postForm(shop, '/withdraw', { ...typed, email: 'none' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('Please enter a valid email address.')
  const first = await postForm(shop, '/withdraw', typed)
  const html = await first.text()
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(html).toContain('Withdraw from the contract?')
  expect(html).toContain('Ruth &lt;b&gt;')
  const declared = { name: 'Ruth &lt;b&gt;', email: 'ruth@example.com', order: '#1001', step: '' }
  expect(fieldsIn(html, '/withdraw')).toMatchObject({ email: declared.email, order: declared.order })
  expect(await rows(shop, 'select 1 from withdrawal_declarations')).toEqual([])

  const changed = await postForm(shop, '/withdraw', { ...typed, step: 'change' })
  expect([changed.status, (await changed.text()).includes('value="#1001"')]).toEqual([200, true])
  const foreign = await postForm(shop, '/withdraw', { ...typed, step: 'confirm' }, { origin: 'null' })
  expect([foreign.status, await rows(shop, 'select 1 from withdrawal_declarations')]).toEqual([403, []])

  const confirmed = { ...fieldsIn(html, '/withdraw'), name: typed.name, step: 'confirm' }
  const [sent, ...more] = await Promise.all([1, 2, 3].map(() => postForm(shop, '/withdraw', confirmed)))
  const reloaded = await postForm(shop, '/withdraw', confirmed)
  for (const each of [...more, reloaded])
    expect([each.status, each.headers.get('location')]).toEqual([303, sent!.headers.get('location')])
  const place = sent!.headers.get('location')!
  const [payload = ''] = new URL(place, shop.url).searchParams.get('of')!.split('.')
  expect(Object.keys(JSON.parse(Buffer.from(payload, 'base64url').toString()))).toEqual(['id', 'is_mailed'])
  const received = await page(shop, place)
  expect([received.status, received.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  for (const text of ['We have received your withdrawal', 'Ruth &lt;b&gt;', '#1001', 'UTC'])
    expect(received.html).toContain(text)
  await page(shop, place)
  expect(await rows(shop, 'select email, number from withdrawal_declarations')).toEqual([
    { email: 'ruth@example.com', number: 1001 },
  ])
  // What the shop has not signed it does not say.
  for (const forged of ['/withdraw/received', `${place}x`, place.replace('of=e', 'of=f')])
    expect((await page(shop, forged)).status).toBe(404)
})

test('where no contract is to withdraw from, there is no form to send', async () => {
  await using shop = await openTestShop({ openPages: withPages })
  const typed = { name: 'Ruth', email: 'ruth@example.com', order: '#1001' }
  expect((await postForm(shop, '/withdraw', typed)).status).toBe(404)
  expect((await postForm(shop, '/withdraw', { ...typed, step: 'confirm' })).status).toBe(409)
})
