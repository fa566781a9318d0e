// The setting of who sells files: a trial at Stripe before it is saved, and what it needs.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { openOwnShop, saveGroup } from '#test/settings.ts'

test('Link sells files once Stripe has opened such a payment page; each change asks once', async () => {
  await using stripe = await startStripe()
  await using shop = await openOwnShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const { admin } = shop
  const change = (revision: number, values: object) => saveGroup(admin, { revision, values }, 'tax')
  const unsaid = { fields: { in_prices: expect.stringContaining('whether it is in the prices') } }
  expect(await change(0, { digital_seller: 'stripe' })).toMatchObject(unsaid)
  expect(await change(0, { digital_seller: 'stripe', in_prices: 'none' })).toMatchObject(unsaid)
  expect(stripe.sessions.size).toBe(0)

  stripe.managedPayments.isAvailable = false
  const chosen = { digital_seller: 'stripe', in_prices: 'included' }
  const refused = await change(0, chosen)
  expect(refused).toMatchObject({
    status: 422,
    fields: { digital_seller: expect.stringContaining('It says: ') },
  })
  expect(refused.fields?.['digital_seller']).toContain(
    'You must accept the Managed Payments terms of service',
  )
  expect(shop.services.settings.get().tax.digital_seller).toBe('author')

  stripe.managedPayments.isAvailable = true
  expect(await change(0, chosen)).toEqual({ status: 200 })
  const [session, ...others] = [...stripe.sessions.values()]
  expect(others).toEqual([])
  expect(session).toMatchObject({
    status: 'expired',
    managed_payments: { enabled: true },
    metadata: { shop_id: 'lectern check' },
    customer_email: null,
  })
  expect(await change(1, { has_invoices: true })).toEqual({ status: 200 })
  expect(await change(2, { in_prices: 'none' })).toMatchObject(unsaid)
  expect(stripe.sessions.size).toBe(1)
  const { tax_codes } = shop.services.settings.get().tax
  const paper = { tax_codes: { ...tax_codes, digital: 'txcd_35010000' } }
  expect(await change(2, paper)).toMatchObject({
    fields: { digital_seller: expect.stringContaining('not eligible') },
  })
  expect(await change(2, { digital_seller: 'author' })).toEqual({ status: 200 })
  expect(stripe.sessions.size).toBe(1)
  expect((await shop.events()).at(-1)).toMatchObject({
    detail: { digital_seller: { from: 'stripe', to: 'author' } },
  })
})

test('Link sells nothing without a key, and terms that do not say who sells are named', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const values = { digital_seller: 'stripe', in_prices: 'included' }
  expect(await saveGroup(admin, { revision: 0, values }, 'tax')).toMatchObject({
    fields: { digital_seller: 'Connect Stripe first, under Payments.' },
  })
  const warnings = async () =>
    ((await (await admin.call('GET', '/api/admin/settings/tax')).json()) as SettingsGroup).warnings
  expect((await publishLegal(admin, filledLegal())).status).toBe(200)
  expect(await warnings()).not.toHaveProperty('digital_seller')
  const legal = filledLegal()
  legal.pages.terms.text = 'Sold by {seller}.'
  expect((await publishLegal(admin, legal)).status).toBe(200)
  expect(await warnings()).toMatchObject({
    digital_seller: { stripe: expect.stringContaining('Put {digital_seller} into them') },
  })
})
