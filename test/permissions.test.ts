// Which caller may call what: every route of the server, without a session, as the user it belongs to, as another user, as an admin.
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { someAddress } from './addresses.ts'
import type { Person } from './users.ts'
import { openTestShop, type TestShop } from './shop.ts'

type Caller = 'nobody' | 'reader' | 'other' | 'admin'
type Statuses = Record<Caller, number>

/** What the calls are about: all of it is the user's. */
type Own = {
  product_id: string
  purchase_id: string
  file: string
  list: string
  factor_id: string
  other_id: string
}

type Call = {
  path?: (own: Own) => string
  body?: (own: Own) => unknown
  statuses: Statuses
}

const everyone = (status: number): Statuses => ({
  nobody: status,
  reader: status,
  other: status,
  admin: status,
})
const signedIn = (status: number): Statuses => ({ ...everyone(status), nobody: 401 })
const owner = (status: number): Statuses => ({ nobody: 401, reader: status, other: 404, admin: 404 })
const admins = (status: number): Statuses => ({ nobody: 401, reader: 403, other: 403, admin: status })

/** One entry a route, as the server knows it. A refused sign-in is no refusal to call: it answers 400. */
const calls: Record<string, Call> = {
  'GET /api/health': { statuses: everyone(200) },
  'GET /api/ready': { statuses: everyone(200) },
  'GET /api/openapi.json': { statuses: everyone(200) },
  'GET /api/products': { statuses: everyone(200) },
  'GET /api/me': { statuses: signedIn(200) },
  'GET /api/purchases': { statuses: signedIn(200) },
  'POST /api/purchases': { body: ({ product_id }) => ({ product_id }), statuses: signedIn(201) },
  'POST /api/purchases/:id/download': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/download`,
    body: () => ({}),
    statuses: owner(200),
  },
  'GET /api/purchases/:id/receipt': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/receipt`,
    statuses: owner(200),
  },
  'POST /api/purchases/:id/settle': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/settle`,
    body: () => ({}),
    statuses: owner(200),
  },
  // Nothing was paid for it, so there is nothing to give back.
  'POST /api/purchases/:id/refund': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/refund`,
    body: () => ({}),
    statuses: owner(409),
  },
  'GET /api/shipping': { statuses: everyone(200) },
  // What was bought is a file.
  'PUT /api/purchases/:id/address': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/address`,
    body: () => someAddress,
    statuses: owner(404),
  },
  // The link itself is the permission: it is short-lived, signed, and only its owner was told of it.
  'GET /api/covers/:name': { path: () => '/api/covers/none.png', statuses: everyone(404) },
  'GET /api/files/:token': { path: ({ file }) => file, statuses: everyone(200) },
  'POST /api/contact': {
    body: () => ({ name: 'A', email: 'a@example.com', subject: 'S', message: 'M' }),
    statuses: everyone(201),
  },

  'GET /api/admin/sales': { statuses: admins(200) },
  'GET /api/admin/sales/chart': {
    path: () => '/api/admin/sales/chart?from=2026-01-01&to=2026-01-31',
    statuses: admins(200),
  },

  'GET /api/admin/first-steps': { statuses: admins(200) },
  'POST /api/admin/exports': { body: () => ({ list: 'users' }), statuses: admins(200) },
  'GET /api/admin/users': { statuses: admins(200) },
  'POST /api/admin/users': {
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'secret' }),
    statuses: admins(201),
  },
  'GET /api/admin/users/:id': {
    path: ({ other_id }) => `/api/admin/users/${other_id}`,
    statuses: admins(200),
  },
  'PUT /api/admin/users/:id/roles/:role': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/roles/moderator`,
    body: () => ({}),
    statuses: admins(200),
  },
  'DELETE /api/admin/users/:id/roles/:role': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/roles/moderator`,
    statuses: admins(200),
  },
  'PUT /api/admin/users/:id/disabled': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/disabled`,
    body: () => ({ is_disabled: false }),
    statuses: admins(200),
  },
  'DELETE /api/admin/users/:id/sessions': {
    path: () => `/api/admin/users/${randomUUID()}/sessions`,
    statuses: admins(404),
  },
  'POST /api/admin/users/:id/factor-reset': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/factor-reset`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/users/:id/verification': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/verification`,
    body: () => ({}),
    statuses: admins(409),
  },
  'GET /api/admin/products': { statuses: admins(200) },
  'GET /api/admin/products/:id': {
    path: ({ product_id }) => `/api/admin/products/${product_id}`,
    statuses: admins(200),
  },
  'POST /api/admin/products': {
    body: () => ({ name: 'On paper', price: 1, format: 'paperback', is_digital: false }),
    statuses: admins(201),
  },
  'PUT /api/admin/products/order': {
    body: ({ product_id }) => ({ ids: [product_id] }),
    statuses: admins(200),
  },
  'PATCH /api/admin/products/:id': {
    path: ({ product_id }) => `/api/admin/products/${product_id}`,
    body: () => ({ description: 'Another' }),
    statuses: admins(200),
  },
  'PUT /api/admin/products/:id/cover': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/cover`,
    body: () => ({ upload_id: '0'.repeat(32) }),
    statuses: admins(404),
  },
  'DELETE /api/admin/products/:id/cover': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/cover`,
    statuses: admins(200),
  },
  'PUT /api/admin/products/:id/parts': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/parts`,
    body: () => ({ ids: [] }),
    statuses: admins(422),
  },
  'POST /api/admin/products/:id/editions': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/editions`,
    body: () => ({ upload_id: '0'.repeat(32) }),
    statuses: admins(404),
  },
  'GET /api/admin/purchases': { statuses: admins(200) },
  'GET /api/admin/purchases/:id': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}`,
    statuses: admins(200),
  },
  'POST /api/admin/purchases/:id/receipt': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/receipt`,
    body: () => ({}),
    statuses: admins(200),
  },
  'POST /api/admin/purchases/:id/refund': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/refund`,
    body: () => ({ amount: 0.01 }),
    statuses: admins(202),
  },
  'GET /api/admin/shipments': { statuses: admins(200) },
  'GET /api/admin/shipments/slips': {
    path: ({ purchase_id }) => `/api/admin/shipments/slips?ids=${purchase_id}`,
    statuses: admins(200),
  },
  'POST /api/admin/shipments/shipped': {
    body: ({ purchase_id }) => ({ parcels: [{ purchase_id }] }),
    statuses: admins(200),
  },
  'DELETE /api/admin/shipments/:id/shipped': {
    path: ({ purchase_id }) => `/api/admin/shipments/${purchase_id}/shipped`,
    statuses: admins(404),
  },
  'PUT /api/admin/shipments/:id/tracking': {
    path: ({ purchase_id }) => `/api/admin/shipments/${purchase_id}/tracking`,
    body: () => ({ carrier: 'USPS' }),
    statuses: admins(404),
  },
  'PUT /api/admin/shipments/:id/address': {
    path: ({ purchase_id }) => `/api/admin/shipments/${purchase_id}/address`,
    body: () => someAddress,
    statuses: admins(404),
  },
  'GET /api/admin/purchases/:id/evidence': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/evidence`,
    statuses: admins(200),
  },
  'GET /api/admin/payments': { statuses: admins(200) },
  'GET /api/admin/payments/count': { statuses: admins(200) },
  // Nothing is held, refused or lost here.
  'POST /api/admin/payments/held/:id/check': {
    path: ({ purchase_id }) => `/api/admin/payments/held/${purchase_id}/check`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/held/:id/accept': {
    path: ({ purchase_id }) => `/api/admin/payments/held/${purchase_id}/accept`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/held/:id/refund': {
    path: ({ purchase_id }) => `/api/admin/payments/held/${purchase_id}/refund`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/event/:id/again': {
    path: () => '/api/admin/payments/event/evt_1/again',
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/mail/:id/again': {
    path: () => `/api/admin/payments/mail/${randomUUID()}/again`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/:kind/:id/dismissal': {
    path: () => `/api/admin/payments/mail/${randomUUID()}/dismissal`,
    body: () => ({ note: 'Seen' }),
    statuses: admins(409),
  },
  'GET /api/admin/messages': { statuses: admins(200) },
  'PATCH /api/admin/messages/:id': {
    path: () => `/api/admin/messages/${randomUUID()}`,
    body: () => ({ is_read: true }),
    statuses: admins(404),
  },
  'DELETE /api/admin/messages/:id': {
    path: () => `/api/admin/messages/${randomUUID()}`,
    statuses: admins(404),
  },
  'POST /api/admin/messages/:id/restore': {
    path: () => `/api/admin/messages/${randomUUID()}/restore`,
    body: () => ({}),
    statuses: admins(404),
  },
  'GET /api/admin/audit': { statuses: admins(200) },
  'GET /api/admin/security-events': { statuses: admins(200) },
  // The tus protocol has its own complaints: no version was named.
  'POST /api/admin/uploads': { body: () => ({}), statuses: admins(412) },
  'GET /api/admin/uploads/:id': { path: () => `/api/admin/uploads/${'0'.repeat(32)}`, statuses: admins(404) },
  'PATCH /api/admin/uploads/:id': {
    path: () => `/api/admin/uploads/${'0'.repeat(32)}`,
    body: () => ({}),
    statuses: admins(412),
  },
  'DELETE /api/admin/uploads/:id': {
    path: () => `/api/admin/uploads/${'0'.repeat(32)}`,
    statuses: admins(412),
  },
  // Signed and short-lived, as a file's is.
  'GET /api/exports/:token': { path: ({ list }) => list, statuses: everyone(200) },

  // Signed, not signed in; and this shop takes no payments.
  'POST /api/stripe/webhook': { body: () => ({}), statuses: everyone(404) },

  'POST /functions/v1/send-purchase-email': {
    body: ({ purchase_id }) => ({ purchaseId: purchase_id }),
    statuses: owner(200),
  },
  'POST /functions/v1/admin-create-user': {
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'secret' }),
    statuses: admins(200),
  },

  'POST /auth/v1/signup': {
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'secret' }),
    statuses: everyone(200),
  },
  'POST /auth/v1/token': {
    path: () => '/auth/v1/token?grant_type=password',
    body: () => ({ email: 'nobody@example.com', password: 'secret' }),
    statuses: everyone(400),
  },
  'POST /auth/v1/verify': { body: () => ({ type: 'signup', token_hash: 'x' }), statuses: everyone(403) },
  'POST /auth/v1/recover': { body: () => ({ email: 'nobody@example.com' }), statuses: everyone(200) },
  'POST /auth/v1/resend': {
    body: () => ({ email: 'nobody@example.com', type: 'signup' }),
    statuses: everyone(200),
  },
  'GET /auth/v1/.well-known/jwks.json': { statuses: everyone(200) },
  'GET /auth/v1/user': { statuses: signedIn(200) },
  'PUT /auth/v1/user': { body: () => ({ data: { display_name: 'Me' } }), statuses: signedIn(200) },
  'POST /auth/v1/factors': { body: () => ({ factor_type: 'totp' }), statuses: signedIn(200) },
  'POST /auth/v1/factors/:id/challenge': {
    path: ({ factor_id }) => `/auth/v1/factors/${factor_id}/challenge`,
    statuses: owner(200),
  },
  'POST /auth/v1/factors/:id/verify': {
    path: ({ factor_id }) => `/auth/v1/factors/${factor_id}/verify`,
    body: () => ({ challenge_id: randomUUID(), code: '000000' }),
    statuses: owner(422),
  },
  'DELETE /auth/v1/factors/:id': {
    path: ({ factor_id }) => `/auth/v1/factors/${factor_id}`,
    statuses: owner(200),
  },
  // Last, for it ends the sessions of the others' calls.
  'POST /auth/v1/logout': { statuses: signedIn(204) },
}

/** Strangers come first: what the owner does may leave nothing to be refused. */
async function openStreet(shop: TestShop) {
  const other = await shop.person()
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const { id: purchase_id } = await reader.buy(product_id)
  const link = await reader.call('POST', `/api/purchases/${purchase_id}/download`, { body: {} })
  const { url: file } = (await link.json()) as { url: string }
  const factor = await reader.call('POST', '/auth/v1/factors', { body: { factor_type: 'totp' } })
  const { id: factor_id } = (await factor.json()) as { id: string }
  const exported = await admin.call('POST', '/api/admin/exports', { body: { list: 'users' } })
  const { url: list } = (await exported.json()) as { url: string }
  const own: Own = { product_id, purchase_id, file, list, factor_id, other_id: other.id }
  return { people: { nobody: undefined, other, admin, reader }, own }
}

function send(shop: TestShop, route: string, own: Own, token: string | undefined): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  const call = calls[route]!
  const options = { ...(call.body && { body: call.body(own) }), ...(token && { token }) }
  return shop.call(method, call.path?.(own) ?? path, options)
}

test('every route of the server has its line in the table', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { routes } = createApp(shop.services, { app: new Hono() })
  const own = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
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

test('a token that is forged, or whose session has ended, is nobody’s', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const { people, own } = await openStreet(shop)
  const { token } = people.admin
  const [head, claims, signature] = token.split('.')
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const otherClaims = people.reader.token.split('.')[1]
  const forged = ['x', `${unsigned}.${claims}.`, `${head}.${otherClaims}.${signature}`, `${token}x`]
  await people.admin.call('POST', '/auth/v1/logout')
  const guarded = Object.entries(calls).filter(([, { statuses }]) => statuses.nobody === 401)
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
  'POST /auth/v1/logout': 204,
}

test('where an account has a second factor, nothing private is answered before it was given', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const { people, own } = await openStreet(shop)
  const { pool } = shop.services.database
  await pool.query(
    `insert into user_roles select user_id, 'admin' from auth.mfa_factors where id = '${own.factor_id}'`,
  )
  await pool.query(`update auth.mfa_factors set status = 'verified'`)
  const guarded = Object.entries(calls).filter(([, { statuses }]) => statuses.nobody === 401)
  for (const [route] of guarded) {
    const response = await send(shop, route, own, people.reader.token)
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
