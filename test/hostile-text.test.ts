// Text that PostgreSQL cannot hold, and cursors that no page has given: refused by name, never a failure of the server.
import { expect, test } from 'vitest'
import { tamperedCursors } from './hostile.ts'
import { openTestShop } from './shop.ts'
import { giveProfiles } from './factories.ts'

const uuid = '01890000-0000-7000-8000-000000000000'
const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
const lists = [
  '/api/purchases',
  '/api/admin/purchases',
  '/api/admin/messages',
  '/api/admin/audit',
  '/api/admin/payments',
  '/api/admin/shipments',
  '/api/admin/shipments?view=shipped',
  '/api/admin/users?sort=joined',
  '/api/admin/users?sort=last',
  '/api/admin/users?sort=purchases',
  '/api/admin/users?sort=spent',
]

test('a cursor that no page has given is refused by every list', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  for (const path of lists) {
    for (const after of tamperedCursors) {
      const sign = path.includes('?') ? '&' : '?'
      const response = await admin.call('GET', `${path}${sign}after=${after}`)
      const { code, fields } = (await response.json()) as { code: string; fields?: object }
      expect([path, after, response.status, code]).toEqual([path, after, 422, 'request.invalid'])
      expect(fields).toEqual({ after: 'This page is not known.' })
    }
  }
  for (const sort of ['name', 'role']) {
    for (const text of ['\0', '\ud800', 7]) {
      const response = await admin.call(
        'GET',
        `/api/admin/users?sort=${sort}&after=${cursorOf([text, uuid])}`,
      )
      expect([sort, text, response.status]).toEqual([sort, text, 422])
    }
  }
})

test('a cursor of one order is refused in another, and works in its own', async () => {
  await using shop = await openTestShop({ isEmpty: true, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await giveProfiles(shop.services.db, 60, (n) => ({ display_name: `"Ö" \\ ${n}` }))
  const cursors: Record<string, string> = {}
  for (const sort of ['name', 'role', 'purchases', 'spent', 'last', 'joined']) {
    const first = await admin.call('GET', `/api/admin/users?sort=${sort}`)
    cursors[sort] = ((await first.json()) as { next: string }).next
    const second = await admin.call('GET', `/api/admin/users?sort=${sort}&after=${cursors[sort]}`)
    expect([sort, ((await second.json()) as { items: object[] }).items.length]).toEqual([sort, 11])
  }
  for (const sort of ['purchases', 'spent', 'joined'])
    expect((await admin.call('GET', `/api/admin/users?sort=${sort}&after=${cursors['name']}`)).status).toBe(
      422,
    )
})

test('a search for what no text can hold is refused, in a list and in an export', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  for (const path of ['/api/admin/users', '/api/admin/purchases', '/api/admin/audit']) {
    const response = await admin.call('GET', `${path}?q=a%00b`)
    expect([path, response.status]).toEqual([path, 422])
    expect(await response.json()).toMatchObject({
      code: 'request.invalid',
      fields: { q: expect.any(String) },
    })
  }
  for (const list of ['users', 'purchases']) {
    for (const q of ['a\0b', 'a\ud800', '\udc00']) {
      const response = await admin.call('POST', '/api/admin/exports', { body: { list, q } })
      expect([list, q, response.status]).toEqual([list, q, 422])
    }
  }
})
