// The webhook: who sets it, what is sent of what, in which order, and what is never sent.
import { startStripe } from '@lectern/stripe-stand-in'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lettersWords } from '#contract/mail/letters-words.ts'
import type { ChangedWebhook, Delivery, DeliveryList } from '#contract/mail/webhook.ts'
import type { Today } from '#contract/overview/today.ts'
import {
  addSubscriberLink,
  confirmSubscription,
  deleteSubscriber,
  endAllSubscriptions,
  endSubscription,
  isOfAddress,
  moveSubscriber,
  requestSubscription,
  subscribe,
} from '#domains/mail/subscribers.ts'
import {
  formerSecretEnd,
  queueDeliveries,
  stopRestoredWebhook,
  sweepDeliveries,
  webhookJob,
} from '#domains/mail/webhook-deliveries.ts'
import { settlePurchase } from '#domains/payments/settle.ts'
import { eraseAccount } from '#domains/privacy/account-erasure.ts'
import { addFields } from '#platform/stored-settings.ts'
import { deleteSettingSecrets } from '#platform/setting-secrets.ts'
import { PrivateHostError } from '#platform/public-connection.ts'
import { postWebhook } from '#platform/webhook.ts'
import { buyAsGuest, newVisitor, openGuestShop, rows, settleAsGuest } from '#test/guests.ts'
import { openLogLines } from '#test/log-lines.ts'
import { buy, sessionOf, settle } from '#test/paying.ts'
import { saveGroup } from '#test/settings.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'
import { openWebhookReceiver } from '#test/webhook-receiver.ts'

const terms = { sender: 'Anna Miller', topics: 'news of my books', frequency: 'once a month', program: '' }
const words = { words: lettersWords(terms), language: 'en' }

async function openHook({
  isSet = true,
  ...options
}: Parameters<typeof openGuestShop>[1] & { isSet?: boolean } = {}) {
  const stack = new AsyncDisposableStack()
  const stripe = stack.use(await startStripe())
  const receiver = stack.use(await openWebhookReceiver())
  const env = { WEBHOOK_PRIVATE_HOSTS: 'on', SMTP_PRIVATE_HOSTS: 'on', ...options.env }
  const shop = stack.use(await openGuestShop(stripe, { hasWorkers: false, ...options, env }))
  const admin = await shop.person({ role: 'admin', email: 'author@books.example' })
  const { services } = shop
  const { db } = services
  if (isSet) {
    const response = await admin.call('PUT', '/api/admin/webhook', { body: { url: receiver.url } })
    if (!response.ok) throw new Error(await response.text())
    const { signing_secret } = (await response.json()) as ChangedWebhook
    receiver.secret = signing_secret ?? undefined
  }
  const switchOn = async () =>
    (await (await admin.call('PUT', '/api/admin/webhook', { body: {} })).json()) as ChangedWebhook
  const read = async () => (await (await admin.call('GET', '/api/admin/webhook')).json()) as DeliveryList
  const today = async () => (await (await admin.call('GET', '/api/admin/today')).json()) as Today
  /** Runs each job that is due once, and says what came of it. */
  const deliver = async ({ isLast = false } = {}) => {
    await queueDeliveries(services)
    const due = await rows<{ id: string; job_id: string; attempts: number }>(
      shop,
      'select id, job_id, attempts from webhook_deliveries where settled_at is null and job_id is not null order by number',
    )
    const outcomes = due.map(({ id, job_id, attempts }) =>
      webhookJob.run(services, { id }, { id: job_id, number: attempts + 1, isLast }),
    )
    return Promise.allSettled(outcomes)
  }
  const deliverAll = async () => {
    for (;;) {
      const outcomes = await deliver()
      if (outcomes.length === 0) return
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    }
  }
  const join = (email: string) =>
    db.transaction((tx) => subscribe(tx, { email, ...words, source: 'account' }, new Date()))
  const leave = (email: string) => endSubscription(db, isOfAddress(email), new Date())
  const deliveries = () =>
    rows<{ event: string; status: string; email: string | null }>(
      shop,
      'select event, status, email from webhook_deliveries order by number',
    )
  const story = () => receiver.received.map(({ type, data }) => `${type} ${data['email']}`)
  return {
    shop,
    services,
    db,
    stripe,
    receiver,
    admin,
    switchOn,
    read,
    today,
    deliver,
    deliverAll,
    join,
    leave,
    deliveries,
    story,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('it is set with a recent proof, tells all admins, and shows its secret once and its address never', async () => {
  const { log, lines } = openLogLines()
  await using hook = await openHook({ isSet: false, log, hasWorkers: true })
  const { shop, admin, receiver, read } = hook
  expect((await read()).webhook).toMatchObject({ state: 'none', host: '' })
  await shop.services.database.pool.query(
    `update auth.sessions set proved_at = now() - interval '1 hour' where user_id = '${admin.id}'`,
  )
  const unproven = await admin.call('PUT', '/api/admin/webhook', { body: { url: receiver.url } })
  expect(unproven.status).toBe(400)
  const proven = { url: receiver.url, current_password: admin.password }
  const response = await admin.call('PUT', '/api/admin/webhook', { body: proven })
  const { signing_secret, host, state } = (await response.json()) as ChangedWebhook
  expect({ host, state }).toEqual({ host: new URL(receiver.url).host, state: 'on' })
  expect(signing_secret).toMatch(/^whsec_[\w+/]{43}=$/)
  receiver.secret = signing_secret ?? undefined

  const test = await admin.call('POST', '/api/admin/webhook/test', { body: {} })
  expect((await test.json()) as Delivery).toMatchObject({
    event: 'webhook.test',
    status: 'delivered',
    attempts: 1,
  })
  receiver.answer = 500
  await admin.call('POST', '/api/admin/webhook/test', { body: {} })
  const shown = await Promise.all([
    admin.call('GET', '/api/admin/webhook').then((each) => each.text()),
    admin.call('GET', '/api/admin/settings/webhook').then((each) => each.text()),
    rows(shop, 'select * from audit_log').then((each) => JSON.stringify(each)),
    rows(shop, 'select * from settings').then((each) => JSON.stringify(each)),
    rows(shop, 'select data from pgboss.job').then((each) => JSON.stringify(each)),
  ])
  const mail = await shop.mailbox.to(admin.email, /webhook/)
  for (const text of [...shown, JSON.stringify(mail), JSON.stringify(lines)]) {
    expect(text).not.toContain('zyxhidden')
    expect(text).not.toContain(signing_secret)
    expect(text).not.toContain(signing_secret?.slice(-6))
  }
  expect(mail.text).toContain(host)
  expect(await saveGroup(admin, { revision: 1, values: { host: 'evil.example' } }, 'webhook')).toMatchObject({
    status: 422,
  })
})

test('an address inside, of the shop, with a name in it, or without https is refused', async () => {
  await using hook = await openHook({ isSet: false, env: { WEBHOOK_PRIVATE_HOSTS: 'off' } })
  const { shop, admin } = hook
  const refusal = async (url: string) => {
    const response = await admin.call('PUT', '/api/admin/webhook', { body: { url } })
    const { fields } = (await response.json()) as { fields?: { url?: string } }
    return fields?.url ?? response.status
  }
  expect(await refusal('hooks')).toMatch(/whole address/)
  expect(await refusal('http://hooks.zapier.com/a')).toMatch(/begin with https/)
  expect(await refusal('https://me:secret@hooks.zapier.com/a')).toMatch(/without a name/)
  expect(await refusal('https://hooks.zapier.com:8443/a')).toMatch(/without a port/)
  expect(await refusal(`https://${new URL(shop.url).hostname}/`)).toMatch(/shop itself/)
  for (const host of [
    '10.1.2.3',
    '[::1]',
    '127.1',
    '169.254.169.254',
    'localhost',
    'n8n',
    'n8n.internal',
    'nas.local',
  ])
    expect([host, await refusal(`https://${host}/hook`)]).toEqual([
      host,
      expect.stringMatching(/network|itself/),
    ])
  expect(await rows(shop, `select name from auth.setting_secrets where name like 'webhook.%'`)).toEqual([])
})

test('each connection is checked, so a name that leads inside by then reaches nothing', async () => {
  await using receiver = await openWebhookReceiver()
  const port = new URL(receiver.url).port
  const post = (url: string) =>
    postWebhook({ url, secrets: ['whsec_AAAA'], isPublicOnly: true }, { id: 'a', body: '{}' }, new Date())
  for (const url of [receiver.url, 'https://localhost/', 'https://127.0.0.1/', `https://localhost:${port}/`])
    await expect(post(url)).rejects.toThrow(PrivateHostError)
  expect([receiver.received, receiver.refused]).toEqual([[], []])
})

/** Of each event the fields that are sent. */
const fields: Record<string, string[]> = {
  'subscriber.confirmed': ['confirmed_at', 'email', 'language', 'order', 'source'],
  'subscriber.ended': ['email'],
  'order.paid': ['amount', 'code', 'country', 'currency', 'email', 'format', 'number', 'test'],
  'order.refunded': [
    'amount',
    'code',
    'country',
    'currency',
    'email',
    'format',
    'number',
    'refunded',
    'test',
    'whole',
  ],
  'webhook.test': ['text'],
}

test('no address leaves without a confirmed consent: every event and every field', async () => {
  await using hook = await openHook({ sendsMail: true })
  const { shop, admin, stripe, db, receiver, services, deliverAll } = hook
  await saveGroup(admin, { revision: 0, values: { is_on: true, ...terms } }, 'letters')
  const people = {
    onList: await shop.person(),
    left: await shop.person(),
    without: await shop.person(),
    ticks: await shop.person(),
  }
  await hook.join(people.onList.email)
  await hook.join(people.left.email)
  await deliverAll()
  const order = async (person: Person, letters?: string) => {
    const { id } = letters
      ? ((await (
          await person.call('POST', '/api/purchases', {
            body: { product_id: (await shop.product('digital')).id, letters },
          })
        ).json()) as { id: string })
      : await buy(shop, person)
    stripe.pay(sessionOf(stripe, id).id)
    await settle(person, id)
    return id
  }
  const orders = new Map<string, string>()
  for (const [name, person] of Object.entries(people))
    orders.set(name, await order(person, name === 'ticks' ? words.words : undefined))
  // A guest ticks the box and confirms after the payment; another one never does; the third has no box ticked.
  const guests = [newVisitor(), newVisitor(), newVisitor()] as const
  for (const [nth, guest] of guests.entries()) {
    const { id } = await buyAsGuest(shop, guest, nth < 2 ? { letters: words.words } : {})
    stripe.pay(sessionOf(stripe, id).id)
    await settleAsGuest(shop, id, guest.proof)
    orders.set(guest.email, id)
  }
  const [{ id: subscriber_id }] = (await rows<{ id: string }>(
    shop,
    `select id from subscribers where email = '${guests[0].email}'`,
  )) as [{ id: string }]
  const link = await addSubscriberLink(db, subscriber_id, 'https://books.example', new Date())
  await confirmSubscription(db, link.split('#')[1] ?? '', new Date())
  for (const id of orders.values()) {
    stripe.refund(sessionOf(stripe, id).payment_intent as string, 100)
    await settlePurchase(services, id)
  }
  await hook.leave(people.left.email)
  await deliverAll()
  await admin.call('POST', '/api/admin/webhook/test', { body: {} })

  expect(receiver.refused).toEqual([])
  for (const { type, data } of receiver.received)
    expect([type, Object.keys(data).toSorted()]).toEqual([type, fields[type]])
  expect(new Set(receiver.received.map(({ type }) => type))).toEqual(new Set(Object.keys(fields)))
  const said = (type: string) =>
    receiver.received.filter((each) => each.type === type).map(({ data }) => `${data['email']}`)
  const { onList, left, ticks } = people
  expect(said('subscriber.confirmed').toSorted()).toEqual(
    [onList.email, left.email, ticks.email, guests[0].email].toSorted(),
  )
  expect(said('subscriber.ended')).toEqual([left.email])
  const [none, paid, refunded] = ['null', said('order.paid'), said('order.refunded')]
  expect(paid).toHaveLength(7)
  expect(paid.filter((email) => email !== none).toSorted()).toEqual([onList.email, ticks.email].toSorted())
  expect(refunded.filter((email) => email !== none)).toEqual([onList.email])
  const everything = receiver.received.map(({ data, headers }) => JSON.stringify([data, headers])).join('')
  const named = new Set(everything.match(/[\w.+-]+@[\w.-]+/g))
  expect(named).toEqual(new Set([onList.email, ticks.email, guests[0].email, left.email]))
  for (const { data } of receiver.received) expect(JSON.stringify(data).length).toBeLessThan(20_000)
  const [{ number }] = (await rows<{ number: number }>(
    shop,
    `select number from purchases where id = '${orders.get('ticks')}'`,
  )) as [{ number: number }]
  const came = receiver.received.find(
    ({ type, data }) => type === 'subscriber.confirmed' && data['email'] === ticks.email,
  )
  expect(came?.data).toMatchObject({ order: number, source: 'order', language: 'en' })
  const sold = receiver.received.find(
    ({ type, data }) => type === 'order.refunded' && data['number'] === number,
  )
  expect(sold?.data).toMatchObject({
    refunded: 1,
    whole: false,
    test: true,
    format: 'digital',
    currency: 'usd',
  })
})

test('a refund is told once each, the last one as the whole; free copies and what was rebuilt are not told', async () => {
  await using hook = await openHook()
  const { shop, stripe, receiver, services, deliverAll, admin } = hook
  const reader = await shop.person()
  const { id } = await buy(shop, reader)
  stripe.pay(sessionOf(stripe, id).id)
  await settle(reader, id)
  const intent = sessionOf(stripe, id).payment_intent as string
  stripe.refund(intent, 100)
  await settlePurchase(services, id)
  await settlePurchase(services, id)
  stripe.refund(intent)
  await settlePurchase(services, id)
  const { id: product_id } = await shop.product('digital')
  await admin.call('POST', '/api/admin/gifts', { body: { product_id, emails: [newVisitor().email] } })
  await deliverAll()
  const told = receiver.received.map(({ type, data }) => [type, data['refunded'], data['whole']])
  const { amount } = receiver.received[0]!.data
  expect(told).toEqual([
    ['order.paid', undefined, undefined],
    ['order.refunded', 1, false],
    ['order.refunded', Number(amount) - 1, true],
  ])
  const { id: rebuilt } = await buy(shop, reader)
  await shop.services.database.pool.query(
    `update checkouts set rebuilt_at = now() where purchase_id = '${rebuilt}'`,
  )
  stripe.pay(sessionOf(stripe, rebuilt).id)
  await settle(reader, rebuilt)
  stripe.refund(sessionOf(stripe, rebuilt).payment_intent as string)
  await settlePurchase(services, rebuilt)
  await deliverAll()
  expect(receiver.received).toHaveLength(3)
})

test('a confirmation that has become untrue is dropped, and an end never overtakes one that is under way', async () => {
  await using hook = await openHook()
  const { receiver, deliver, deliverAll, join, leave, deliveries, story } = hook
  const email = 'reader@example.com'
  await join(email)
  await leave(email)
  await deliverAll()
  // The receiver never knew the address, so it does not hear of its end.
  expect(story()).toEqual([])
  expect(await deliveries()).toEqual([
    { event: 'subscriber.confirmed', status: 'dropped', email: null },
    { event: 'subscriber.ended', status: 'dropped', email: null },
  ])

  const held = Promise.withResolvers<() => void>()
  receiver.answer = (response) => held.resolve(() => response.writeHead(500).end())
  await join(email)
  const first = deliver()
  const release = await held.promise
  await leave(email)
  await queueDeliveries(hook.services)
  expect(await hook.deliveries()).toMatchObject([{}, {}, { status: 'waiting' }, { status: 'waiting', email }])
  expect(await rows(hook.shop, 'select job_id from webhook_deliveries where email is not null')).toEqual([
    { job_id: null },
  ])
  release()
  expect(await first).toMatchObject([{ status: 'rejected' }])
  receiver.answer = 204
  await deliverAll()
  expect(story()).toEqual([`subscriber.confirmed ${email}`, `subscriber.ended ${email}`])
  // It knows the address from before, so the end is said although the second confirmation never was.
  await join(email)
  await leave(email)
  await deliverAll()
  expect(story().slice(2)).toEqual([`subscriber.ended ${email}`])
})

test('an attempt is counted before it is sent, so that the end of one that was cut off is said', async () => {
  await using hook = await openHook()
  const { shop, receiver, deliver, deliverAll, join, leave, story } = hook
  const email = 'reader@example.com'
  const counted = Promise.withResolvers<unknown>()
  receiver.answer = async (response) => {
    counted.resolve(
      await rows(shop, 'select attempts, attempted_at is not null as has_begun from webhook_deliveries'),
    )
    response.writeHead(500).end()
  }
  await join(email)
  await deliver()
  expect(await counted.promise).toEqual([{ attempts: 1, has_begun: true }])
  await leave(email)
  receiver.answer = 204
  await deliverAll()
  expect(story()).toEqual([`subscriber.confirmed ${email}`, `subscriber.ended ${email}`])
})

test('who joins again after a deletion is told of after the end of the row before, also while that fails', async () => {
  await using hook = await openHook()
  const { db, receiver, deliver, deliverAll, join, story } = hook
  const email = 'reader@example.com'
  await join(email)
  await deliverAll()
  receiver.answer = 503
  await deleteSubscriber(db, isOfAddress(email), new Date())
  await join(email)
  expect(await deliver()).toHaveLength(1)
  expect(await deliver()).toHaveLength(1)
  receiver.answer = 200
  await deliverAll()
  const types = receiver.received.map(({ type }) => type.split('.')[1])
  expect(types).toEqual(['confirmed', 'ended', 'ended', 'ended', 'confirmed'])
  // The receiver knows a delivery that comes again by its id.
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3)
  expect(story().at(-1)).toEqual(`subscriber.confirmed ${email}`)
})

test('an address that moves ends and begins; ending all tells each', async () => {
  await using hook = await openHook()
  const { db, deliverAll, join, story } = hook
  const [from, to, other] = ['from@example.com', 'to@example.com', 'other@example.com']
  for (const email of [from, other]) await join(email)
  await deliverAll()
  await db.transaction((tx) => moveSubscriber(tx, { from, to }, new Date()))
  await deliverAll()
  expect(story().slice(2).toSorted()).toEqual([`subscriber.confirmed ${to}`, `subscriber.ended ${from}`])
  await db.transaction((tx) => endAllSubscriptions(tx, new Date()))
  await deliverAll()
  expect(story().slice(4).toSorted()).toEqual([`subscriber.ended ${other}`, `subscriber.ended ${to}`])
})

test('a request, its refusal and its end by time tell nothing', async () => {
  await using hook = await openHook()
  const { db, deliveries, leave } = hook
  const email = 'reader@example.com'
  await db.transaction((tx) =>
    requestSubscription(tx, { email, ...words, source: 'letters', days: 7 }, new Date()),
  )
  await leave(email)
  expect(await deliveries()).toEqual([])
})

test('an erasure finds the address of an end that waits, and tells of it once more afterwards', async () => {
  await using hook = await openHook()
  const { shop, db, receiver, deliver, deliverAll, join, leave, deliveries } = hook
  const [waiting, onList, never] = [await shop.person(), await shop.person(), await shop.person()]
  receiver.answer = 500
  for (const { email } of [waiting, onList]) await join(email)
  await deliver()
  await leave(waiting.email)
  for (const { id: user_id } of [waiting, onList, never])
    await db.transaction((tx) => eraseAccount(tx, { user_id, now: new Date() }))
  expect(await rows(shop, 'select email from subscribers')).toEqual([])
  receiver.answer = 204
  receiver.received = []
  await deliverAll()
  expect(hook.story().toSorted()).toEqual(
    [waiting, onList].map(({ email }) => `subscriber.ended ${email}`).toSorted(),
  )
  expect((await deliveries()).filter(({ email }) => email !== null)).toEqual([])
})

test('only 2xx succeeds, no redirect is followed, an hour is the longest pause, and 410 switches it off', async () => {
  await using hook = await openHook()
  const { shop, receiver, deliver, join, read, today, switchOn } = hook
  await join('reader@example.com')
  const failed = async () => (await deliver())[0]
  receiver.answer = (response) => response.writeHead(302, { location: receiver.url }).end()
  expect(await failed()).toMatchObject({
    status: 'rejected',
    reason: { message: 'The receiver answered 302.' },
  })
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '120' }).end()
  expect(await failed()).toMatchObject({ reason: { seconds: 120 } })
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '86400' }).end()
  expect(await failed()).toMatchObject({ reason: { seconds: 3600 } })
  receiver.answer = (response) => void response.writeHead(500).write('x'.repeat(1_000_000))
  expect(await failed()).toMatchObject({ reason: { message: 'The receiver answered 500.' } })
  receiver.answer = (response) => void response.destroy()
  expect(await failed()).toMatchObject({ status: 'rejected' })
  expect(receiver.received).toHaveLength(5)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  expect((await read()).items).toMatchObject([{ status: 'waiting', attempts: 5, error: expect.any(String) }])

  receiver.answer = 500
  await deliver({ isLast: true })
  expect((await read()).items).toMatchObject([{ status: 'failed', attempts: 6 }])
  expect(await today()).toMatchObject({ webhook: { given_up: 1, state: 'on' } })
  receiver.answer = 410
  await join('other@example.com')
  await join('third@example.com')
  expect((await deliver()).length).toBe(2)
  expect((await read()).webhook.state).toBe('gone')
  expect(await today()).toMatchObject({ webhook: { state: 'gone' } })
  await hook.leave('other@example.com')
  expect(await rows(shop, 'select from webhook_deliveries where settled_at is null')).toEqual([])
  receiver.answer = 204
  expect(await switchOn()).toMatchObject({ state: 'on', signing_secret: null })
  expect(await today()).toMatchObject({ webhook: { state: 'on' } })
})

test('a receiver that asks for less time than the queue takes is not asked sooner', async () => {
  await using hook = await openHook()
  const { shop, receiver, deliver, join } = hook
  await join('reader@example.com')
  const waitAfter = async (number: number, asked: number) => {
    await shop.services.database.pool.query(`update webhook_deliveries set attempts = ${number - 1}`)
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': String(asked) }).end()
    const [outcome] = await deliver()
    return outcome?.status === 'rejected' ? (outcome.reason as { seconds?: number }).seconds : undefined
  }
  expect(await waitAfter(1, 1)).toBe(5)
  expect(await waitAfter(1, 60)).toBe(60)
  expect(await waitAfter(8, 1)).toBe(640)
  expect(await waitAfter(24, 3600)).toBe(6 * 3600)
})

test('a status of 101 is an answer that refuses, and nothing hangs', async () => {
  await using hook = await openHook()
  const { receiver, deliver, join } = hook
  receiver.answer = ({ socket }) =>
    void socket?.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
  await join('reader@example.com')
  expect(await deliver()).toMatchObject([{ reason: { message: 'The receiver answered 101.' } }])
})

test('another host gets nothing that waited for the one before; another path at the same host does', async () => {
  await using hook = await openHook()
  await using other = await openWebhookReceiver()
  const { admin, receiver, deliverAll, join, deliveries, story } = hook
  receiver.secret = undefined
  const set = async (url: string) =>
    expect((await admin.call('PUT', '/api/admin/webhook', { body: { url } })).status).toBe(200)
  await join('first@example.com')
  await set(`${receiver.url}&corrected`)
  await deliverAll()
  expect(story()).toEqual(['subscriber.confirmed first@example.com'])
  await join('second@example.com')
  await set(other.url)
  await deliverAll()
  expect((await deliveries()).map(({ status }) => status)).toEqual(['delivered', 'dropped'])
  expect([receiver.received.length, other.received.length]).toEqual([1, 0])
})

test('a renewed secret is signed with beside the one before, for a day', async () => {
  await using hook = await openHook({ clock })
  const { admin, receiver, deliverAll, join, services } = hook
  const former = receiver.secret
  const renewed = await admin.call('POST', '/api/admin/webhook/secret', { body: {} })
  const { signing_secret } = (await renewed.json()) as ChangedWebhook
  const signatures = async (email: string) => {
    receiver.secret = undefined
    await join(email)
    await deliverAll()
    return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length
  }
  expect(await signatures('first@example.com')).toBe(2)
  for (const secret of [former, signing_secret]) {
    receiver.secret = secret ?? undefined
    await join(`${secret?.slice(6, 12).replaceAll(/\W/g, 'x')}@example.com`)
    await deliverAll()
  }
  expect(receiver.refused).toEqual([])
  time.ahead = 25 * 3_600_000
  expect(await signatures('last@example.com')).toBe(1)
  expect(formerSecretEnd(services)).toBeNull()
})

test('a copy, a restored shop and one whose secret is another send nothing, and Today says so', async () => {
  await using hook = await openHook()
  const { shop, db, services, receiver, deliver, join, deliveries, read, today, switchOn } = hook
  await join('first@example.com')
  await addFields(db, 'shop', { confirmed_site_url: 'https://the-shop.example' })
  await services.settings.refresh()
  expect((await read()).webhook.state).toBe('copy')
  expect(await deliver()).toEqual([])
  expect((await hook.admin.call('POST', '/api/admin/webhook/test', { body: {} })).status).toBe(409)
  await addFields(db, 'shop', { confirmed_site_url: shop.services.settings.get().shop.site_url })
  await services.settings.refresh()
  await deliver()
  expect(receiver.received).toHaveLength(1)

  await join('second@example.com')
  await stopRestoredWebhook(db, new Date())
  await services.settings.refresh()
  expect((await read()).webhook.state).toBe('restored')
  expect(await today()).toMatchObject({ webhook: { state: 'restored' } })
  expect(await deliver()).toEqual([])
  await join('third@example.com')
  expect((await deliveries()).map(({ status }) => status)).toEqual(['delivered', 'dropped'])
  await switchOn()
  await join('fourth@example.com')
  await deliver()
  expect(receiver.received).toHaveLength(2)

  await db.transaction((tx) => deleteSettingSecrets(tx))
  await services.settings.refresh()
  expect((await read()).webhook.state).toBe('locked')
  expect(await today()).toMatchObject({ webhook: { state: 'locked' } })
  await join('fifth@example.com')
  expect(await deliveries()).toHaveLength(3)
})

test('removed, nothing waits and nothing is recorded; after four days an address is given up', async () => {
  await using hook = await openHook()
  const { shop, db, admin, services, receiver, deliver, join, leave, deliveries } = hook
  receiver.answer = 500
  await join('reader@example.com')
  await deliver()
  await leave('reader@example.com')
  const isOfEnd = sql`event = 'subscriber.ended'`
  await db.execute(sql`update webhook_deliveries set created_at = now() - interval '5 days' where ${isOfEnd}`)
  await sweepDeliveries(services)
  expect(await deliveries()).toEqual([
    { event: 'subscriber.confirmed', status: 'waiting', email: null },
    { event: 'subscriber.ended', status: 'dropped', email: null },
  ])
  expect(await hook.today()).toMatchObject({ webhook: { given_up: 0 } })
  await db.execute(
    sql`update webhook_deliveries set status = 'waiting', settled_at = null, attempts = 1 where ${isOfEnd}`,
  )
  await sweepDeliveries(services)
  expect((await deliveries()).map(({ status }) => status)).toEqual(['waiting', 'failed'])
  const removed = await admin.call('DELETE', '/api/admin/webhook', { body: {} })
  expect(await removed.json()).toMatchObject({ state: 'none', host: '' })
  await join('other@example.com')
  expect((await deliveries()).map(({ status }) => status)).toEqual(['dropped', 'failed'])
  expect(await rows(shop, `select name from auth.setting_secrets where name like 'webhook.%'`)).toEqual([])
  await db.execute(sql`update webhook_deliveries set created_at = now() - interval '31 days'`)
  await sweepDeliveries(services)
  expect(await deliveries()).toEqual([])
})
