// Orders that a message may mean, whose writer has none: each says why, and a stranger's order is not among them.
import { afterAll, expect, test } from 'vitest'
import { findPurchaseMessage } from '#contract/readers/find-purchase-message.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { Message, MessageDetail } from '#contract/readers/messages.ts'
import { someAddress } from '#test/addresses.ts'
import { openTestShop } from '#test/shop.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

test('a lost purchase is proposed with the reasons why it fits, in words that speak to the author', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const { pool } = shop.services.database
  const buyAs = async (email: string, name: string, day: string) => {
    const person = await shop.person()
    const { id: purchase_id } = await person.buy(id)
    await pool.query('update profiles set email = $1, display_name = $2 where user_id = $3', [
      email,
      name,
      person.id,
    ])
    await pool.query('update auth.users set email = $1 where id = $2', [email, person.id])
    await pool.query('update purchases set created_at = $1 where id = $2', [`${day}T12:00:00Z`, purchase_id])
    return purchase_id
  }
  const mistyped = await buyAs('rosa.marten@gmial.com', 'Rosa Marten', '2026-11-03')
  const old = await buyAs('the.office@work.example', 'The Office', '2026-05-05')
  const sameDay = await buyAs('somebody@else.example', 'Somebody Else', '2026-11-03')
  const stranger = await buyAs('quite@another.example', 'Quentin', '2026-10-01')

  const typed: Record<string, string> = {
    name: 'rosa  marten',
    email: 'rosa.marten@gmail.com',
    otherAddress: 'The.Office@work.example',
    when: 'November 3, 2026',
    card: '4242',
    more: '',
  }
  const body = findPurchaseMessage((name) => typed[name] ?? '')
  expect(body.message).toBe(
    'I cannot find my purchase.\n\nOther address: The.Office@work.example\n\nBought: November 3, 2026\n\nCard ends in: 4242',
  )
  expect((await shop.call('POST', '/api/contact', { body })).status).toBe(201)
  const { items } = (await (await admin.call('GET', '/api/admin/messages')).json()) as { items: Message[] }
  const read = await admin.call('GET', `/api/admin/messages/${items[0]!.id}`)
  const { possible_orders } = (await read.json()) as MessageDetail
  expect(possible_orders.map((order) => [order.id, order.reasons])).toEqual([
    [mistyped, ['same_name', 'same_day', 'similar_address']],
    [sameDay, ['same_day']],
    [old, ['other_address']],
  ])
  expect(JSON.stringify(possible_orders)).not.toContain(stranger)
})

test('a message made to hurt is opened at once, and neither a word nor a day that is none is a reason', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const person = await shop.person()
  await person.buy(id)
  const { pool } = shop.services.database
  const bought = `update purchases set created_at = '2026-05-02T12:00:00Z'`
  await pool.query(bought)
  await pool.query(
    `update profiles set email = 'qq77@y.example', display_name = 'Anna Miller' where user_id = $1`,
    [person.id],
  )
  await pool.query(`update auth.users set email = 'qq77@y.example' where id = $1`, [person.id])

  const reasonsFor = async (message: string, name = 'Someone') => {
    const body = { name, email: 'anna@x.example', subject: 'Lost', message }
    expect((await shop.call('POST', '/api/contact', { body })).status).toBe(201)
    const { items } = (await (await admin.call('GET', '/api/admin/messages')).json()) as { items: Message[] }
    const read = await admin.call('GET', `/api/admin/messages/${items[0]!.id}`)
    expect(read.status).toBe(200)
    return ((await read.json()) as MessageDetail).possible_orders.map(({ reasons }) => reasons)
  }

  expect(await reasonsFor('@'.repeat(9_900))).toEqual([])
  expect(await reasonsFor('a@'.repeat(4_900))).toEqual([])
  expect(await reasonsFor('Bought: 0000-01-01')).toEqual([])
  expect(await reasonsFor('It was maybe 2 weeks ago')).toEqual([])
  expect(await reasonsFor('I may have bought it on May 2, 2026. Card ends in: 2023')).toEqual([['same_day']])
  expect(await reasonsFor('On the 2nd May')).toEqual([['same_day']])
  expect(await reasonsFor('Hello', 'anna miller')).toEqual([['same_name']])
  expect(await reasonsFor(`order${' '.repeat(9_000)}${' is'.repeat(200)}`)).toEqual([])
})

test('an order is proposed by its number, and by whom its parcel went to', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('paperback')
  const person = await shop.person()
  await person.buy(id)
  const { id: sent } = await person.buy(id, { address: { ...someAddress, name: 'Ruth Field' } })
  const { number } = (await (await admin.call('GET', `/api/admin/purchases/${sent}`)).json()) as OrderDetail
  const proposed = async (message: string, name = 'Someone') => {
    const body = { name, email: 'lost@x.example', subject: 'Lost', message }
    expect((await shop.call('POST', '/api/contact', { body })).status).toBe(201)
    const { items } = (await (await admin.call('GET', '/api/admin/messages')).json()) as { items: Message[] }
    const read = await admin.call('GET', `/api/admin/messages/${items[0]!.id}`)
    const { possible_orders } = (await read.json()) as MessageDetail
    return possible_orders.map((order) => [order.id, order.reasons])
  }
  for (const words of [`My order is ${number}.`, `It is #${number}`, `Order number: ${number}`])
    expect(await proposed(words)).toEqual([[sent, ['order_number']]])
  expect(await proposed('Where is it?', 'ruth field')).toEqual([[sent, ['same_name']]])
  expect(await proposed(`Order #${number}`, 'Ruth Field')).toEqual([[sent, ['order_number', 'same_name']]])
  expect(await proposed(`I paid ${number} cents`)).toEqual([])
})
