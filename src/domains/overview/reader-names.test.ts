// How a reader is called: in emails and lists, and what becomes of the name when the account is erased.
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { someAddress } from '#test/addresses.ts'
import { giveProfiles } from '#test/factories.ts'
import { buyAsGuest, newVisitor, openGuestShop, rows } from '#test/guests.ts'
import { sessionOf } from '#test/paying.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { settlePurchase } from '#domains/payments/settle.ts'
import { eraseAccount } from '#domains/privacy/account-erasure.ts'

type Named = { display_name: string | null }

async function namesOf(admin: Person, email: string) {
  const find = async (list: string) => {
    const response = await admin.call('GET', `/api/admin/${list}?q=${encodeURIComponent(email)}`)
    return ((await response.json()) as { items: Named[] }).items.map(({ display_name }) => display_name)
  }
  return { orders: await find('purchases'), users: await find('users') }
}

async function payAs(shop: TestShop, stripe: StripeStandIn, email: string, payer_name?: string) {
  const { id } = await buyAsGuest(shop, newVisitor(email))
  stripe.pay(sessionOf(stripe, id).id, { payer_name })
  await settlePurchase(shop.services, id)
  return id
}

const change = ({ services }: TestShop, query: string, values: unknown[]) =>
  services.database.pool.query(query, values)

test('a guest is called as beside the card, and by the account once that has a name', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const email = 'claire@books.example'
  await payAs(shop, stripe, email, ' Claire\u0000 Dubois\n')
  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('Dear Claire Dubois,')
  const claire = { orders: ['Claire Dubois'], users: ['Claire Dubois'] }
  expect(await namesOf(admin, email)).toEqual(claire)
  await change(shop, `update profiles set display_name = 'Ruth' where email = $1`, [email])
  expect(await namesOf(admin, email)).toEqual({ orders: ['Ruth'], users: ['Ruth'] })
})

test('a guest is found by the name beside the card, also among many who are called so', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  await payAs(shop, stripe, 'cd@books.example', 'Claire Dubois')
  await payAs(shop, stripe, 'other@books.example', 'Ruth')
  const claire = { orders: ['Claire Dubois'], users: ['Claire Dubois'] }
  for (const q of ['claire dub', 'DUBOIS', 'cla']) expect(await namesOf(admin, q)).toEqual(claire)
  for (const q of ['cl', 'dubai']) expect(await namesOf(admin, q)).toEqual({ orders: [], users: [] })
  await giveProfiles(shop.services.db, 1_200, (n) => ({ email: `dubois${n}@books.example` }))
  expect(await namesOf(admin, 'dubois')).toMatchObject({ orders: ['Claire Dubois'] })
  const newest = await admin.call('GET', '/api/admin/users?q=dubois&sort=joined&dir=asc')
  expect(((await newest.json()) as { items: Named[] }).items[0]).toMatchObject({
    display_name: 'Claire Dubois',
  })
})

test('an order is not called after another one; a reader is, after the newest that has a name', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const email = 'ruth@books.example'
  for (const name of ['Ruth', 'Ruth of Moab', undefined]) await payAs(shop, stripe, email, name)
  expect(await namesOf(admin, email)).toEqual({
    orders: [null, 'Ruth of Moab', 'Ruth'],
    users: ['Ruth of Moab'],
  })
})

test('a buyer is called as on the parcel of the order, a recipient not as on that of a gift', async () => {
  await using shop = await openTestShop({ env: { ASK_ADDRESS: 'on' } })
  const admin = await shop.person({ role: 'admin' })
  const buyer = await shop.person({ email: 'naomi@books.example' })
  await change(shop, 'update profiles set display_name = null', [])
  const { id: product_id } = await shop.product('paperback')
  await buyer.buy(product_id, { address: someAddress })
  expect(await namesOf(admin, buyer.email)).toMatchObject({ orders: [someAddress.name] })
  const email = 'orpah@books.example'
  const grant = { product_id, list: email, message: '' }
  expect((await admin.call('POST', '/api/admin/gifts', { body: grant })).status).toBe(200)
  await change(
    shop,
    `update shipments set name = 'Chilion', line1 = 'Field 1', city = 'Moab', country = 'US'
      where purchase_id in (select id from purchases where is_given)`,
    [],
  )
  expect(await namesOf(admin, email)).toEqual({ orders: [null], users: [null] })
})

test('an erasure takes the name from the checkout, and leaves it where tax laws want it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const email = 'boaz@books.example'
  const id = await payAs(shop, stripe, email, 'Boaz')
  await change(shop, 'update purchases set is_test = false', [])
  const [user] = await rows<{ user_id: string }>(
    shop,
    `select user_id from profiles where email = '${email}'`,
  )
  const erasure = { user_id: user?.user_id ?? '', now: new Date() }
  await shop.services.db.transaction((tx) => eraseAccount(tx, erasure))
  expect(await rows(shop, 'select payer_name from checkouts')).toEqual([{ payer_name: null }])
  expect(await rows(shop, `select buyer_name('${id}') as name`)).toEqual([{ name: 'Erased account' }])
  const locked = `select buyer->>'display_name' as name from locked_buyers`
  expect(await rows(shop, locked)).toEqual([{ name: 'Boaz' }])
})
