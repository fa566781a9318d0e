// The setup link: who may use it, for how long, and how often.
import { expect, test } from 'vitest'
import { createUser } from '#domains/accounts/users.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { createSetupLink } from './setup.ts'

const author = { email: 'author@books.example', password: 'nine good words' }
const dayMs = 24 * 3_600_000

async function tokenOf(shop: TestShop): Promise<string> {
  return new URL(createSetupLink(shop.services)).hash.slice(1)
}

async function post(shop: TestShop, path: string, body: object) {
  const response = await shop.call('POST', path, { body })
  return { status: response.status, code: ((await response.json()) as { code?: string }).code }
}

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
