// Products at a price of 0.
import { expect, test } from 'vitest'
import { given } from '#test/given.ts'
import { openTestShop } from '#test/shop.ts'

test('what a free product gives to everybody requires a recent proof', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: ebook } = await shop.product('digital')
  const { id: bundle } = await shop.product('bundle')
  const path = `/api/admin/products/${bundle}`
  const change = async (body: object) => {
    const response = await admin.call('PATCH', path, { body })
    return response.ok ? 200 : ((await response.json()) as { code: string }).code
  }
  const contain = (ids: string[]) => admin.call('PUT', `${path}/parts`, { body: { ids } })
  expect(await change({ price: 0, is_for_sale: false })).toBe(200)
  await given.passwordsGiven(shop, '1 hour')

  const refused = 'auth.reauthentication_needed'
  expect(await (await contain([ebook])).json()).toMatchObject({ code: refused })
  expect(await change({ is_for_sale: true })).toBe(refused)
  expect(await change({ description: 'As before' })).toBe(200)
  expect(await change({ price: 20, is_for_sale: true })).toBe(200)
  expect((await contain([ebook])).status).toBe(200)
})
