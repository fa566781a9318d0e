// The rules of the list: what a request, a confirmation, an end and a change of address do to a row.
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'
import { subscribers } from '#tables/mail.ts'
import {
  addSubscriberLink,
  confirmSubscription,
  deleteSubscriber,
  dropRequestsWith,
  endSubscription,
  findSubscription,
  isOfAddress,
  moveSubscriber,
  readSubscriberLink,
  refuseSubscription,
  requestByMail,
  requestLeaveMail,
  requestedWith,
  requestSubscription,
  subscribe,
  sweepSubscribers,
} from './subscribers.ts'

const day = (n: number, minutes = 0) => new Date(Date.UTC(2026, 0, 1 + n, 12, minutes))
const words = { words: 'Letters of the author, once a month.', language: 'en' }
const changed = { words: 'Letters, once a week.', language: 'de' }

async function openList() {
  const shop = await openTestShop({ hasWorkers: false })
  const { db } = shop.services
  let serial = 0
  return {
    shop,
    db,
    newAddress: () => `reader${(serial += 1)}@example.com`,
    request: (email: string, now: Date, change: Partial<Parameters<typeof requestByMail>[1]> = {}) =>
      db.transaction((tx) =>
        requestByMail(tx, { email, ...words, source: 'letters', days: 7, ...change }, now),
      ),
    link: async (id: string, now: Date) =>
      (await addSubscriberLink(db, id, 'https://book.example', now)).split('#')[1] ?? '',
    find: async (email: string) =>
      (await db.select().from(subscribers).where(eq(subscribers.email, email)))[0],
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

test('an address is confirmed by any of its links, once, until the days are over', async () => {
  await using list = await openList()
  const { db } = list
  const email = list.newAddress()
  const id = await list.request(email, day(0))
  const [first, second] = [await list.link(id!, day(0)), await list.link(id!, day(0))]
  expect(await readSubscriberLink(db, first, day(1))).toEqual({
    email: 'r…@example.com',
    words: words.words,
    state: 'unconfirmed',
    ended_at: null,
  })
  expect(await findSubscription(db, isOfAddress(email))).toBeUndefined()
  const presses = await Promise.all([
    confirmSubscription(db, first, day(2)),
    confirmSubscription(db, second, day(2)),
  ])
  for (const pressed of presses) expect(pressed).toMatchObject({ state: 'confirmed', words: words.words })
  expect(await confirmSubscription(db, first, day(9))).toMatchObject({ state: 'confirmed' })
  expect(await list.find(email)).toMatchObject({
    confirmed_at: day(2),
    agreed_at: day(0),
    requested_at: null,
  })

  const late = await list.request(list.newAddress(), day(0))
  const over = await list.link(late!, day(0))
  expect(await confirmSubscription(db, over, day(7, 1))).toBeUndefined()
  expect(await confirmSubscription(db, 'no-such-token', day(0))).toBeUndefined()
})

test('a request changes nothing of a confirmed row, and of an ended one only by its confirmation', async () => {
  await using list = await openList()
  const { db } = list
  const email = list.newAddress()
  const id = (await list.request(email, day(0)))!
  const old = await list.link(id, day(0))
  await confirmSubscription(db, old, day(0))
  const confirmed = await list.find(email)
  expect(await list.request(email, day(1), changed)).toBeUndefined()
  const insert = { email, ...changed, source: 'order' as const, days: 30 }
  expect(await db.transaction((tx) => requestSubscription(tx, insert, day(1)))).toBeUndefined()
  expect(await list.find(email)).toEqual(confirmed)

  await endSubscription(db, isOfAddress(email), day(2))
  expect(await confirmSubscription(db, old, day(3))).toMatchObject({
    state: 'ended',
    ended_at: day(2).toISOString(),
  })
  expect(await list.find(email)).toMatchObject({ ended_at: day(2), confirmed_at: day(0) })
  expect(await list.request(email, day(4), changed)).toBe(id)
  expect(await list.find(email)).toMatchObject({ ...words, ended_at: day(2), requested_words: changed.words })
  // The mail from before the end does not confirm what somebody has requested since.
  expect(await confirmSubscription(db, old, day(4))).toMatchObject({ state: 'ended' })
  await confirmSubscription(db, await list.link(id, day(4)), day(5))
  expect(await list.find(email)).toMatchObject({ ...changed, ended_at: null, confirmed_at: day(5) })
})

test('an end and a confirmation at once leave one of both, whole', async () => {
  await using list = await openList()
  const { db } = list
  for (let round = 0; round < 10; round += 1) {
    const email = list.newAddress()
    const token = await list.link((await list.request(email, day(0)))!, day(0))
    await Promise.all([confirmSubscription(db, token, day(1)), refuseSubscription(db, token, day(1))])
    const row = await list.find(email)
    if (row) expect(row).toMatchObject({ confirmed_at: day(1), ended_at: day(1), requested_at: null })
  }
})

test('one address is mailed once in ten minutes, and three times; a receipt does not count', async () => {
  await using list = await openList()
  const { db } = list
  const email = list.newAddress()
  const id = await list.request(email, day(0))
  expect(id).toBeDefined()
  expect(await list.request(email, day(0, 9))).toBeUndefined()
  const ofOrder = { email, ...words, source: 'order' as const, days: 30 }
  expect(await db.transaction((tx) => requestSubscription(tx, ofOrder, day(0, 9)))).toBe(id)
  expect(await list.request(email, day(0, 11))).toBe(id)
  expect(await list.request(email, day(0, 22))).toBe(id)
  expect(await list.request(email, day(0, 33))).toBeUndefined()
  expect(await list.find(email)).toMatchObject({ mails: 3, request_ends_at: day(30, 9) })
})

test('a receipt asks its own address only, and an order that moves asks nobody', async () => {
  await using list = await openList()
  const { db, shop } = list
  const reader = await shop.person()
  const { id: purchase_id } = await reader.buy((await shop.product('digital')).id)
  const email = list.newAddress()
  const request = { email, ...words, source: 'order' as const, purchase_id, days: 30 }
  const ask = (now: Date) => db.transaction((tx) => requestSubscription(tx, request, now))
  const requested = async (address: string) => {
    const query = sql`select ${requestedWith(sql`${purchase_id}`, sql`${address}`)} as row`
    return (await db.execute(query)).rows[0]?.['row']
  }
  await ask(day(0))
  expect(await requested(email)).toBeNull()
  const id = await ask(new Date())
  expect(await requested(email)).toEqual({ id, words: words.words })
  expect(await requested('other@example.com')).toBeNull()
  await db.transaction((tx) => dropRequestsWith(tx, purchase_id))
  expect(await list.find(email)).toBeUndefined()
})

test('who is on the list may ask three times a week how to leave, and nobody else', async () => {
  await using list = await openList()
  const { db } = list
  const [email, waiting, left] = [list.newAddress(), list.newAddress(), list.newAddress()]
  const askToLeave = (address: string, now: Date) =>
    db.transaction((tx) => requestLeaveMail(tx, address, now))
  await list.request(waiting, day(0))
  for (const address of [email, left])
    await db.transaction((tx) => subscribe(tx, { email: address, ...words, source: 'account' }, day(0)))
  await endSubscription(db, isOfAddress(left), day(0))
  for (const address of [waiting, left, list.newAddress()])
    expect(await askToLeave(address, day(1))).toBeUndefined()

  const confirmed = await list.find(email)
  const requests = await Promise.all([askToLeave(email, day(1)), askToLeave(email, day(1))])
  expect(requests.filter(Boolean)).toEqual([confirmed?.id])
  expect(await askToLeave(email, day(1, 9))).toBeUndefined()
  expect(await askToLeave(email, day(1, 11))).toBeDefined()
  expect(await askToLeave(email, day(1, 22))).toBeDefined()
  expect(await askToLeave(email, day(2))).toBeUndefined()
  await sweepSubscribers({ db, clock: () => day(10) })
  expect(await list.find(email)).toEqual(confirmed)
  expect(await askToLeave(email, day(10))).toBeDefined()
})

test('a changed address takes its row along, also who has left, and leaves a row of the new one as it is', async () => {
  await using list = await openList()
  const { db } = list
  const [from, to, other] = [list.newAddress(), list.newAddress(), list.newAddress()]
  const subscribeTo = (email: string) =>
    db.transaction((tx) => subscribe(tx, { email, ...words, source: 'account' }, day(0)))
  const move = (change: { from: string; to: string }) =>
    db.transaction((tx) => moveSubscriber(tx, change, day(1)))
  await subscribeTo(from)
  await move({ from, to })
  // Nothing is left that an erasure of the account would not find.
  expect(await list.find(from)).toBeUndefined()
  expect(await list.find(to)).toMatchObject({ ...words, confirmed_at: day(0), ended_at: null })
  await subscribeTo(other)
  await endSubscription(db, isOfAddress(other), day(2))
  await move({ from: to, to: other })
  expect(await list.find(to)).toBeUndefined()
  expect(await list.find(other)).toMatchObject({ ended_at: day(2) })
  await move({ from: other, to })
  expect(await list.find(other)).toBeUndefined()
  expect(await list.find(to)).toMatchObject({ confirmed_at: day(0), ended_at: day(2) })
})

test('who never confirmed is forgotten; who has left stays three years, or until it is deleted', async () => {
  await using list = await openList()
  const { db } = list
  const [unconfirmed, left, deleted] = [list.newAddress(), list.newAddress(), list.newAddress()]
  await list.request(unconfirmed, day(0))
  for (const email of [left, deleted]) {
    await db.transaction((tx) => subscribe(tx, { email, ...words, source: 'account' }, day(0)))
    await endSubscription(db, isOfAddress(email), day(0))
    await list.request(email, day(0))
  }
  await sweepSubscribers({ db, clock: () => day(6) })
  expect(await list.find(unconfirmed)).toBeDefined()
  await sweepSubscribers({ db, clock: () => day(8) })
  expect(await list.find(unconfirmed)).toBeUndefined()
  expect(await list.find(left)).toMatchObject({ ended_at: day(0), requested_at: null })
  expect(await deleteSubscriber(db, isOfAddress(deleted), day(8))).toBe(true)
  expect(await list.find(deleted)).toBeUndefined()
  await sweepSubscribers({ db, clock: () => day(3 * 365 + 1) })
  expect(await list.find(left)).toBeUndefined()
})
