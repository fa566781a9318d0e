// No personal data in the log: a reader, a visitor and an admin go through the shop, with everything of theirs marked.
import { expect, test } from 'vitest'
import { openLogLines } from './log-lines.ts'
import { openTestShop } from './shop.ts'
import { openSmtpServer } from './smtp.ts'

const mark = 'zyxmark'
const ip = '203.0.113.77'
const email = `${mark}.reader@${mark}.example.com`

const address = {
  name: `${mark} name`,
  line1: `${mark} street 1`,
  line2: '',
  city: `${mark} city`,
  state: 'CA',
  postal_code: '90210',
  country: 'US',
  phone: '',
}
const message = {
  name: `${mark} visitor`,
  email: `${mark}.visitor@example.com`,
  subject: `${mark} subject`,
  message: `${mark} message`,
}

test('a journey leaves a line for each request, and no personal data or token in any line', async () => {
  const { log, lines } = openLogLines()
  await using smtp = await openSmtpServer('knows no such mailbox')
  await using shop = await openTestShop({
    log,
    env: { SMTP_URL: smtp.url, TRUST_PROXY: '1', ASK_ADDRESS: 'on', RATE_LIMIT: 'off' },
  })
  const headers = {
    'x-forwarded-for': ip,
    'user-agent': `${mark} browser`,
    referer: `https://${mark}.example`,
  }
  const reader = await shop.person({ email, display_name: `${mark} reader` })
  const admin = await shop.person({ role: 'admin', email: `${mark}.admin@example.com` })
  const digital = await reader.buy((await shop.product('digital')).id, { address })
  const paper = await reader.buy((await shop.product('paperback')).id, { address })
  const link = await reader.call('POST', `/api/purchases/${digital.id}/download`, { body: {}, headers })
  const { url } = (await link.json()) as { url: string }
  const signUp = {
    email: `${mark}.new@example.com`,
    password: `${mark} password`,
    data: { display_name: mark },
  }
  const calls: [method: string, path: string, body?: object, token?: string][] = [
    ['GET', `${url}?${mark}=1`],
    ['GET', `/api/files/${mark}`],
    ['GET', `/api/exports/${mark}`],
    ['GET', `/${mark}/${encodeURIComponent(email)}`],
    ['GET', `/api/${mark}`],
    ['POST', '/api/contact', message],
    ['POST', '/api/contact', { ...message, email: mark }],
    ['POST', '/auth/v1/signup', signUp],
    ['POST', '/auth/v1/token?grant_type=password', { email, password: mark }],
    ['POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: mark }],
    ['POST', '/auth/v1/recover', { email }],
    ['GET', `/auth/v1/verify?token=${mark}&type=signup`],
    ['GET', '/auth/v1/user', undefined, mark],
    ['PUT', `/api/purchases/${paper.id}/address`, { ...address, city: `${mark} town` }, reader.token],
    ['GET', `/api/admin/users?q=${mark}`, undefined, admin.token],
    ['GET', `/api/admin/users/${reader.id}`, undefined, admin.token],
    ['GET', `/api/admin/purchases/${digital.id}`, undefined, admin.token],
    ['POST', '/functions/v1/admin-create-user', { email, password: mark, role: mark }, admin.token],
  ]
  for (const [method, path, body, token] of calls) await shop.call(method, path, { body, headers, token })
  const isLogged = (msg: string) => lines.filter((line) => line['msg'] === msg).length
  // Receipts, and mails of the accounts: the mail server repeats the address that it refuses.
  await expect.poll(() => isLogged('a mail could not be sent')).toBeGreaterThanOrEqual(3)
  await expect.poll(() => isLogged('request')).toBeGreaterThanOrEqual(calls.length + 3)

  const text = JSON.stringify(lines)
  expect(text).not.toContain(mark)
  expect(text).not.toContain(ip)
  for (const secret of [reader.token, admin.token, url.split('/').at(-1)]) expect(text).not.toContain(secret)
  const downloads = lines.filter((line) => line['route'] === '/api/files/:token')
  const download = downloads.find((line) => line['status'] === 200)
  expect(download).toMatchObject({
    level: 'info',
    method: 'GET',
    status: 200,
    request_id: expect.any(String),
  })
  expect(Number(download?.['bytes'])).toBeGreaterThan(10_000)
  expect(Number(download?.['ms'])).toBeGreaterThan(0)
  const logged = lines.filter((line) => line['msg'] === 'request')
  expect(new Set(logged.map((line) => line['route']))).toContain('/api/admin/users/:id')
})

test('a bug that quotes a user is logged without the address, under the id that the caller got', async () => {
  const { log, lines } = openLogLines()
  await using shop = await openTestShop({ log })
  const admin = await shop.person({ role: 'admin' })
  await shop.services.database.pool.query('alter table profiles rename column display_name to other_name')
  const response = await admin.call('GET', `/api/admin/users?q=${encodeURIComponent(email)}`)
  expect(response.status).toBe(500)
  const { request_id } = (await response.json()) as { request_id: string }
  await expect.poll(() => lines.filter((line) => line['request_id'] === request_id).length).toBe(2)
  expect(lines).toContainEqual(
    expect.objectContaining({ request_id, msg: 'request', route: '/api/admin/users', status: 500 }),
  )
  expect(JSON.stringify(lines)).not.toContain(mark)
})
