// An address with an unknown id gets 404, whether the id could exist or not.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestShop } from './shop.ts'

const routes: [method: string, path: string, body?: object][] = [
  ['GET', '/api/admin/purchases/ID'],
  ['GET', '/api/admin/purchases/ID/evidence'],
  ['POST', '/api/admin/purchases/ID/receipt', {}],
  ['POST', '/api/admin/purchases/ID/refund', {}],
  ['GET', '/api/admin/users/ID'],
  ['PUT', '/api/admin/users/ID/disabled', { is_disabled: true }],
  ['GET', '/api/admin/products/ID'],
  ['PATCH', '/api/admin/products/ID', { name: 'Another' }],
  ['PATCH', '/api/admin/messages/ID', { is_read: true }],
  ['DELETE', '/api/admin/messages/ID'],
  ['GET', '/api/admin/messages/ID'],
  ['PUT', '/api/admin/messages/ID/replies/ID', { body: 'Peace.' }],
  ['DELETE', '/api/admin/snippets/ID'],
  ['PUT', '/api/admin/shipments/ID/tracking', { carrier: '' }],
  ['DELETE', '/api/admin/shipments/ID/shipped'],
  ['GET', '/api/admin/mails/ID'],
  ['GET', '/api/purchases/ID/receipt'],
  ['POST', '/api/purchases/ID/download', {}],
]

test('an unknown id and one that can be none are both answered 404', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  for (const [method, path, body] of routes) {
    for (const id of [randomUUID(), 'nonsense', '1042', '%00', "'%20or%201=1"]) {
      const response = await admin.call(method, path.replaceAll('ID', id), body && { body })
      expect([method, path, id, response.status]).toEqual([method, path, id, 404])
    }
  }
})
