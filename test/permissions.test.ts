// Which caller may call what: every route of the server, without a session, as the user it belongs to, as another user, as an admin.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import type { Person } from './users.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { accountCalls } from './permissions/account-calls.ts'
import { adminCalls } from './permissions/admin-calls.ts'
import { catalogueCalls } from './permissions/catalogue-calls.ts'
import type { Call, Caller, Own, Statuses } from './permissions/call-table.ts'
import { shopCalls } from './permissions/shop-calls.ts'
import { noPages } from './without-pages.ts'

/** One entry a route, as the server knows it. Accounts come last: their last call ends the sessions of the others'. */
const calls: Record<string, Call> = { ...shopCalls, ...catalogueCalls, ...adminCalls, ...accountCalls }

/** Strangers come first: what the owner does may leave nothing to be refused. */
async function openStreet(shop: TestShop) {
  const other = await shop.person()
  const admin = await shop.person({ role: 'admin' })
  const { id: admin_id } = await shop.person({ role: 'admin' })
  const buyer = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const { id: purchase_id } = await buyer.buy(product_id)
  const link = await buyer.call('POST', `/api/purchases/${purchase_id}/download`, { body: {} })
  const { url: file } = (await link.json()) as { url: string }
  const factor = await buyer.call('POST', '/auth/v1/factors', { body: { factor_type: 'totp' } })
  const { id: factor_id } = (await factor.json()) as { id: string }
  const exported = await admin.call('POST', '/api/admin/exports', { body: { list: 'users' } })
  const { url: list } = (await exported.json()) as { url: string }
  const previewed = await admin.call('POST', '/api/admin/book/preview', { body: {} })
  const { url: draft } = (await previewed.json()) as { url: string }
  const own: Own = { product_id, purchase_id, file, list, draft, factor_id, other_id: other.id, admin_id }
  return { people: { anonymous: undefined, other, admin, buyer }, own }
}

function send(shop: TestShop, route: string, own: Own, token: string | undefined): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  const call = calls[route]!
  const options = { ...(call.body && { body: call.body(own) }), ...(token && { token }) }
  return shop.call(method, call.path?.(own) ?? path, options)
}

test('every route of the server has its line in the table', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { routes } = createApp(shop.services, noPages)
  const isPage = (path: string) => path === '/*'
  const own = routes
    .filter(({ method, path }) => method !== 'ALL' && !isPage(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect([...new Set(own)].toSorted()).toEqual(Object.keys(calls).toSorted())
})

test('each caller gets from each route what the table says', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const { people, own } = await openStreet(shop)
  const answered: Record<string, Partial<Statuses>> = {}
  for (const route of Object.keys(calls)) {
    answered[route] = {}
    for (const [caller, person] of Object.entries(people) as [Caller, Person | undefined][]) {
      answered[route][caller] = (await send(shop, route, own, person?.token)).status
    }
  }
  const expected = Object.fromEntries(Object.entries(calls).map(([route, { statuses }]) => [route, statuses]))
  expect(answered).toEqual(expected)
})

test('a token that is forged, or whose session has ended, is anonymous', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const { people, own } = await openStreet(shop)
  const { token } = people.admin
  const [head, claims, signature] = token.split('.')
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const otherClaims = people.buyer.token.split('.')[1]
  const forged = ['x', `${unsigned}.${claims}.`, `${head}.${otherClaims}.${signature}`, `${token}x`]
  await people.admin.call('POST', '/auth/v1/logout')
  const guarded = Object.entries(calls).filter(([, { statuses }]) => statuses.anonymous === 401)
  for (const [route] of guarded) {
    // GoTrue tells a missing token (401) from a bad one (403).
    const status = route.includes(' /auth/') ? 403 : 401
    // Who wants out gets out, though the session has ended already.
    const ended = route.endsWith('/logout') ? [] : [token]
    for (const bad of [...forged, ...ended]) {
      const response = await send(shop, route, own, bad)
      expect([route, bad, response.status]).toEqual([route, bad, status])
    }
  }
})

/** What it takes to give the code, or to leave. */
const openToHalfSignedIn: Record<string, number> = {
  'GET /auth/v1/user': 200,
  'POST /auth/v1/factors/:id/challenge': 200,
  'POST /auth/v1/factors/:id/verify': 422,
  'GET /auth/v1/factors/recovery-codes': 404,
  'POST /auth/v1/factors/recovery-codes/verify': 422,
  'POST /auth/v1/logout': 204,
}

test('where an account has a second factor, no private data are sent before it was given', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const { people, own } = await openStreet(shop)
  const { pool } = shop.services.database
  await pool.query(
    `insert into user_roles select user_id, 'admin' from auth.mfa_factors where id = '${own.factor_id}'`,
  )
  await pool.query(`update auth.mfa_factors set status = 'verified'`)
  const guarded = Object.entries(calls).filter(([, { statuses }]) => statuses.anonymous === 401)
  for (const [route] of guarded) {
    const response = await send(shop, route, own, people.buyer.token)
    expect([route, response.status]).toEqual([route, openToHalfSignedIn[route] ?? 403])
    if (openToHalfSignedIn[route] === undefined) {
      expect(await response.text()).toContain('Please confirm with your second factor first.')
    }
  }
})

test('a role that is lost is lost at the next call', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const create = () =>
    admin.call('POST', '/functions/v1/admin-create-user', {
      body: { email: `${randomUUID()}@example.com`, password: 'secret' },
    })
  expect((await create()).status).toBe(200)
  await shop.services.database.pool.query(`delete from user_roles where role = 'admin'`)
  expect((await create()).status).toBe(403)
  expect(await (await admin.call('GET', '/api/me')).json()).toMatchObject({ is_admin: false })
})

test('what is not there is not there for anybody, whatever the method', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const nowhere = [
    'GET /api/nothing',
    'GET /api',
    'DELETE /api/products',
    'PATCH /api/me',
    'GET /functions/v1/x',
  ]
  for (const route of [...nowhere, 'GET /auth/v1/admin/users', 'POST /auth/v1/invite']) {
    const [method, path] = route.split(' ') as [string, string]
    const headers = { 'content-type': 'application/json' }
    for (const token of [undefined, admin.token]) {
      const response = await shop.call(method, path, { headers, ...(token && { token }) })
      expect([route, response.status]).toEqual([route, 404])
      expect(response.headers.get('content-type')).toMatch(/^application\/(problem\+)?json/)
    }
  }
})
