// Messages in the admin area, and the log of what is done there.
import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/operations/audit.ts'
import type { Message } from '#contract/readers/messages.ts'
import type { Page } from '#contract/fields.ts'
import { openTestShop } from '#test/shop.ts'
import { sweepMessages } from './messages.ts'

test('a message is unread until it is read, and comes back when its deletion is taken back', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const admin = await shop.person({ role: 'admin' })
  for (const subject of ['First', 'Second']) {
    await shop.call('POST', '/api/contact', {
      body: { name: 'R', email: 'r@example.com', subject, message: 'M' },
    })
  }
  const list = async (query = '') =>
    (await (await admin.call('GET', `/api/admin/messages${query}`)).json()) as Page<Message> & {
      unread: number
    }
  const { items, unread } = await list()
  expect([unread, items.map(({ subject, is_read }) => [subject, is_read])]).toEqual([
    2,
    [
      ['Second', false],
      ['First', false],
    ],
  ])
  const path = `/api/admin/messages/${items[0]!.id}`
  await admin.call('PATCH', path, { body: { is_read: true } })
  expect((await list('?only=unread')).items.map(({ subject }) => subject)).toEqual(['First'])
  await admin.call('DELETE', path)
  expect((await list()).items).toHaveLength(1)
  await admin.call('POST', `${path}/restore`, { body: {} })
  expect((await list()).items).toHaveLength(2)
  await admin.call('DELETE', path)
  const before = now
  now = new Date(now.getTime() + 31 * 24 * 3_600_000)
  await sweepMessages(shop.services)
  now = before
  expect((await admin.call('POST', `${path}/restore`, { body: {} })).status).toBe(404)

  const log = async (q: string) =>
    ((await (await admin.call('GET', `/api/admin/audit?q=${q}`)).json()) as Page<AuditEntry>).items
  expect((await log('messages')).map(({ action }) => action)).toEqual([
    'messages.deleted',
    'messages.restored',
    'messages.deleted',
  ])
  expect((await log('r%40example.com')).length).toBe(3)
  expect((await log('Brought%20back')).map(({ action }) => action)).toEqual(['messages.restored'])
  expect(await log('nothing')).toEqual([])
})
