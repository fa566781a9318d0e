// Codes that leave nothing to pay are paused by a restore until the author has looked at them.
import { expect, test } from 'vitest'
import { listAuditEvents, listAttentionItems } from '#test/needs.ts'
import { openTestShop } from '#test/shop.ts'
import type { AdminDiscount } from '#contract/orders/discounts.ts'
import { pauseFreeCodes } from './discounts.ts'

const code = async (response: Response) => ((await response.json()) as { code?: string }).code

test('a restore pauses the codes that leave nothing to pay, until the author resumes or ends each', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('digital')
  for (const body of [
    { code: 'FREE', percent: 100, max_uses: 1 },
    { code: 'GONE', percent: 100 },
    { code: 'ALLOFF', amount_off: 20, product_id },
    { code: 'HALF', percent: 50 },
    { code: 'SOMEOFF', amount_off: 2 },
  ])
    await admin.call('POST', '/api/admin/discounts', { body })
  const list = async () => (await (await admin.call('GET', '/api/admin/discounts')).json()) as AdminDiscount[]
  const states = async () => Object.fromEntries((await list()).map((each) => [each.code, each.state]))
  const idOf = async (name: string) => (await list()).find((each) => each.code === name)!.id
  await pauseFreeCodes(shop.services.db, new Date())
  const paused = { FREE: 'paused', GONE: 'paused', ALLOFF: 'paused' }
  expect(await states()).toEqual({ ...paused, HALF: 'active', SOMEOFF: 'active' })
  const buy = () => user.call('POST', '/api/purchases', { body: { product_id, code: 'FREE' } })
  expect(await code(await buy())).toBe('discounts.paused')
  const check = await shop.call('POST', '/api/discounts/check', { body: { code: 'FREE' } })
  expect([check.status, await code(check)]).toEqual([409, 'discounts.paused'])
  const waiting = async () =>
    (await listAttentionItems(admin)).items
      .flatMap((need) => (need.kind === 'code' ? [need.code] : []))
      .toSorted()
  expect(await waiting()).toEqual(['ALLOFF', 'FREE', 'GONE'])

  const path = `/api/admin/discounts/${await idOf('FREE')}/resumed`
  for (let presses = 0; presses < 2; presses += 1) expect((await admin.call('PUT', path)).status).toBe(200)
  await admin.call('PUT', `/api/admin/discounts/${await idOf('GONE')}/ended`)
  expect(await waiting()).toEqual(['ALLOFF'])
  expect((await buy()).status).toBe(201)
  expect((await listAuditEvents(shop)).filter((action) => action === 'discounts.resumed')).toHaveLength(1)
})
