// What the author reads before the shop opens is what a visitor would meet then.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { call, readFixture, take } from '#test/book-setup.ts'
import { openMailShop, save, valuesOf } from '#test/mail-setup.ts'
import { saveGroup } from '#test/settings.ts'
import { openTestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { upload } from '#test/upload.ts'
import type { Person } from '#test/users.ts'
import type { OpeningCheck } from '#contract/operations/setup.ts'

const check = async (admin: Person) => (await call<OpeningCheck>(admin, 'GET', 'setup/check')).json

test('a new shop sends no email and takes no money, and its file is there until it is removed', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect(await check(admin)).toEqual({
    mail: { state: 'not_set_up', answer: '' },
    payments: { state: 'not_for_sale', answer: '' },
    file: null,
    parcel: null,
  })
  const upload_id = await upload(shop, admin, await readFixture('songs-of-the-road.epub'), 'songs.epub')
  await call(admin, 'POST', 'setup/file', { upload_id })
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  expect(await check(admin)).toMatchObject({ file: 'ready', parcel: null })
  await (await shop.services.uploads.claim(upload_id)).remove()
  expect(await check(admin)).toMatchObject({ file: 'missing' })
})

test('a parcel goes where the author sends it, at the price that is set, and for nothing where the book is free', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { SHIPPING_COUNTRIES: '' } })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'paperback', price: 9 }] })
  const values = { countries: ['DE', 'FR'], price: 4, country_prices: { FR: 6.5 } }
  expect(await saveGroup(admin, { revision: 0, values }, 'shipping')).toEqual({ status: 200 })
  const parcel = { countries: ['DE', 'FR'], min_price: 4, max_price: 6.5 }
  expect(await check(admin)).toMatchObject({ file: null, parcel })
  expect(await saveGroup(admin, { revision: 0, values: { without_key: 'free' } }, 'payments')).toEqual({
    status: 200,
  })
  const free = { ...parcel, min_price: 0, max_price: 0 }
  expect(await check(admin)).toMatchObject({ payments: { state: 'free' }, parcel: free })
})

test('the mail server is asked each time, and its refusal is told', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false })
  const { admin } = shop
  await save(admin, { ...valuesOf(smtp), user: 'shop', password: 'secret' })
  expect(await check(admin)).toMatchObject({ mail: { state: 'works', answer: '' } })
  smtp.behavior = 'refuses the password'
  const { mail } = await check(admin)
  expect(mail.state).toBe('refused')
  expect(mail.answer).toContain('did not accept user and password')
})

test('Stripe is asked whether it still takes payments by the key', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ hasWorkers: false, env: stripe.env })
  const admin = await shop.person({ role: 'admin' })
  expect(await check(admin)).toMatchObject({ payments: { state: 'test' } })
  stripe.denied.add('key')
  expect(await check(admin)).toMatchObject({ payments: { state: 'refused' } })
})
