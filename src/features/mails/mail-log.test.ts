// All mails in the admin area: the newest first, of an address, of an order, in a state.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Page } from '#platform/contract/paging.ts'
import type { LoggedMail } from './contract/mail-log.ts'
import { purchases } from '../purchases/schema.ts'
import { mails } from './schema.ts'
import { openTestShop } from '#test/shop.ts'

test('mails are listed with what became of them, and found by address, order and state', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: purchase_id } = await admin.buy((await shop.product('digital')).id)
  const [bought] = await shop.services.db.select().from(purchases)
  const { number } = bought!
  const mail = (n: number, change: Partial<typeof mails.$inferInsert> = {}) => ({
    id: randomUUID(),
    kind: 'recovery' as const,
    recipient: `r${n}@example.com`,
    subject: `Mail ${n}`,
    status: 'sent' as const,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, n)),
    ...change,
  })
  const given = Array.from({ length: 60 }, (_, n) => mail(n))
  await shop.services.db
    .insert(mails)
    .values([
      ...given,
      mail(60, { recipient: 'Ruth@Example.com', purchase_id, kind: 'receipt' }),
      mail(61, { status: 'failed', error: '550 No such user here', attempts: 3 }),
    ])
  const list = async (query: string) =>
    (await (await admin.call('GET', `/api/admin/mail-log?${query}`)).json()) as Page<LoggedMail>
  const first = await list('')
  expect(first.items.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 50 }, (_, n) => `Mail ${61 - n}`),
  )
  const second = await list(`after=${first.next}`)
  expect([second.items.length, second.next]).toEqual([12, null])

  const ofOrder = {
    subject: 'Mail 60',
    recipient: 'Ruth@Example.com',
    status: 'sent',
    purchase: { id: purchase_id, number },
  }
  for (const q of ['ruth@example.com', `#${number}`])
    expect((await list(`q=${encodeURIComponent(q)}`)).items).toMatchObject([ofOrder])
  expect((await list('status=failed')).items).toMatchObject([
    { subject: 'Mail 61', error: '550 No such user here', attempts: 3 },
  ])
  expect((await list('q=nobody@example.com')).items).toEqual([])
  expect((await admin.call('GET', '/api/admin/mail-log?status=lost')).status).toBe(422)
})
